package futharkc.pass.hoist;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The bodies of a function, from the inside out: what leaves one may leave the next. */
final class BodyHoisting extends Mapper {
  private final FunDef function;
  private final NameSource names;
  private final Aliases aliases;
  private final PassContext context;

  /** The roots of all that is consumed somewhere. */
  private final Set<Name> consumed;

  private final Map<Name, Set<Name>> rootsOfCopies = new HashMap<>();

  /** The sizes of the arrays in scope, which therefore are not negative. */
  private Set<SubExp> sizes = new HashSet<>();

  BodyHoisting(FunDef function, NameSource names, Aliases aliases, PassContext context) {
    this.function = function;
    this.names = names;
    this.aliases = aliases;
    this.context = context;
    this.consumed = Consumption.of(function.body(), aliases);
    function.params().forEach(p -> sizes.addAll(p.type().dims()));
  }

  @Override
  public Param param(Param p) {
    sizes.addAll(p.type().dims());
    return p;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    Set<SubExp> outer = sizes;
    sizes = new HashSet<>(outer);
    List<Stm> out = new ArrayList<>(stms.size());
    boolean changed = false;
    for (Stm s : stms) {
      Set<SubExp> here = new HashSet<>(sizes);
      Stm t = stm(s);
      sizes = here;
      List<Stm> before = new ArrayList<>();
      t = t.withExp(outOf(t.exp(), before));
      changed |= t.exp() != s.exp();
      for (Stm b : before) note(b);
      note(t);
      out.addAll(before);
      out.add(t.exp() == s.exp() ? s : t);
    }
    sizes = outer;
    return changed ? out : stms;
  }

  private Set<Name> roots(Name n) {
    Set<Name> copied = rootsOfCopies.get(n);
    return copied == null ? aliases.roots(n) : copied;
  }

  private void note(Stm s) {
    for (PatElem p : s.pat()) sizes.addAll(p.type().dims());
  }

  private Exp outOf(Exp exp, List<Stm> before) {
    return switch (exp) {
      case Exp.Loop l when l.form() instanceof Exp.Form.For f -> {
        Set<Name> bound = new HashSet<>();
        Set<Name> kept = new HashSet<>();
        for (int k = 0; k < l.params().size(); k++) {
          Param p = l.params().get(k).param();
          bound.add(p.name());
          if (p.unique() && l.body().results().get(k) instanceof SubExp.Var v) {
            kept.addAll(roots(v.name()));
          }
        }
        bound.add(f.index());
        Exit exit = new Exit(f.bound(), f.type(), before);
        Body body = exit.from(l.body(), bound, kept);
        yield body == l.body() ? l : new Exp.Loop(l.params(), l.form(), body);
      }
      case Soac.Screma x -> {
        Exit exit = new Exit(x.width(), PrimType.I64, before);
        Lambda map = exit.from(x.map());
        Lambda post = exit.from(x.post());
        yield map == x.map() && post == x.post()
            ? x
            : new Soac.Screma(x.width(), x.inputs(), map, x.scans(), x.reduces(), post);
      }
      case Soac.Hist x -> {
        Lambda bucket = new Exit(x.width(), PrimType.I64, before).from(x.bucket());
        yield bucket == x.bucket() ? x : new Soac.Hist(x.width(), x.inputs(), x.ops(), bucket);
      }
      case Exp.WithAcc w -> {
        Lambda lambda = new Exit(SubExp.i64(1), PrimType.I64, before).from(w.lambda());
        yield lambda == w.lambda() ? w : new Exp.WithAcc(w.inputs(), lambda);
      }
      default -> exp;
    };
  }

  /** The way out of something that is evaluated a number of times. */
  private final class Exit {
    private final SubExp count;
    private final PrimType countType;
    private final List<Stm> before;

    Exit(SubExp count, PrimType countType, List<Stm> before) {
      this.count = count;
      this.countType = countType;
      this.before = before;
    }

    Lambda from(Lambda l) {
      Set<Name> bound = new HashSet<>();
      l.params().forEach(p -> bound.add(p.name()));
      Body body = from(l.body(), bound, Set.of());
      return body == l.body() ? l : new Lambda(l.params(), body, l.results());
    }

    /**
     * Takes out of a body what can go.
     *
     * @param bound what differs from one evaluation to the next; grows
     * @param kept roots of arrays that have to be made anew each time
     */
    Body from(Body body, Set<Name> bound, Set<Name> kept) {
      InvariantPart slice = InvariantPart.of(body, bound, s -> mayLeave(s, body, kept), aliases);
      if (slice == null) return body;
      CodeMotion moving = new CodeMotion(names, sizes);
      List<Stm> rest = moving.out(slice, body.stms(), count, countType);
      before.addAll(moving.before());
      moving.copies().forEach((name, copy) -> rootsOfCopies.put(copy, roots(name)));
      for (Stm s : slice.costly()) {
        context.remark(
            Remark.Kind.APPLIED, function.name(), s.aux().loc(), "computed before the iteration");
      }
      return new Body(rest, body.results());
    }

    private boolean mayLeave(Stm s, Body body, Set<Name> kept) {
      Set<Name> roots = new HashSet<>();
      for (PatElem p : s.pat()) {
        switch (p.type()) {
          case Type.Prim t -> {}
          case Type.Array t -> roots.addAll(roots(p.name()));
          case Type.Acc t -> {
            return false;
          }
          case Type.Mem t -> {
            return false;
          }
        }
      }
      if (!Collections.disjoint(roots, kept)) return false;
      roots.retainAll(consumed);
      if (roots.isEmpty()) return true;
      // What it alone consumes goes with it.
      if (!Consumption.of(s, aliases).containsAll(roots)) return false;
      return body.stms().stream()
          .allMatch(t -> t == s || Collections.disjoint(Consumption.of(t, aliases), roots));
    }
  }
}
