package futharkc.pass.hoist;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.ConsumptionOfStms;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.RepeatedBody;
import futharkc.core.ir.analysis.TripCount;
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
  private final FreeNamesOfStms free = new FreeNamesOfStms();
  private final ConsumptionOfStms consumption;

  /** The roots of all that is consumed somewhere. */
  private final Set<Name> consumed;

  private final Map<Name, Set<Name>> rootsOfCopies = new HashMap<>();

  /** The sizes of the arrays in scope, which therefore are not negative. */
  private final Set<SubExp> sizes = new HashSet<>();

  /** The same, the outermost first. */
  private final List<SubExp> inScope = new ArrayList<>();

  BodyHoisting(FunDef function, NameSource names, Aliases aliases, PassContext context) {
    this.function = function;
    this.names = names;
    this.aliases = aliases;
    this.context = context;
    this.consumption = new ConsumptionOfStms(aliases);
    this.consumed = Consumption.of(function.body(), aliases);
    function.params().forEach(this::param);
  }

  @Override
  public Param param(Param p) {
    enter(p.type());
    return p;
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    int outer = inScope.size();
    List<Stm> out = new ArrayList<>(stms.size());
    boolean changed = false;
    for (Stm s : stms) {
      int here = inScope.size();
      Stm t = stm(s);
      leave(here);
      List<Stm> before = new ArrayList<>();
      t = t.withExp(outOf(t.exp(), before));
      changed |= t.exp() != s.exp();
      for (Stm b : before) note(b);
      note(t);
      out.addAll(before);
      out.add(t.exp() == s.exp() ? s : t);
    }
    leave(outer);
    return changed ? out : stms;
  }

  private void enter(Type t) {
    for (SubExp size : t.dims()) if (sizes.add(size)) inScope.add(size);
  }

  private void leave(int outer) {
    while (inScope.size() > outer) sizes.remove(inScope.removeLast());
  }

  private Set<Name> roots(Name n) {
    Set<Name> copied = rootsOfCopies.get(n);
    return copied == null ? aliases.roots(n) : copied;
  }

  private void note(Stm s) {
    for (PatElem p : s.pat()) enter(p.type());
  }

  private Exp outOf(Exp exp, List<Stm> before) {
    Set<Name> kept = exp instanceof Exp.Loop l ? madeAnew(l) : Set.of();
    return RepeatedBody.map(exp, free, body -> remaining(body, kept, before));
  }

  /**
   * The roots of arrays that have to be made anew in each iteration, as the next overwrites them.
   */
  private Set<Name> madeAnew(Exp.Loop l) {
    Set<Name> roots = new HashSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      if (l.params().get(k).param().unique() && l.body().results().get(k) instanceof SubExp.Var v) {
        roots.addAll(roots(v.name()));
      }
    }
    return roots;
  }

  /**
   * Takes out of a body what can go; returns the rest.
   *
   * @param kept roots of arrays that stay
   */
  private List<Stm> remaining(RepeatedBody body, Set<Name> kept, List<Stm> before) {
    TripCount tripCount = body.tripCount();
    if (tripCount == null) return body.stms();
    Map<Name, Integer> consumers = consumers(body.stms());
    InvariantPart part =
        InvariantPart.of(body, s -> mayLeave(s, consumers, kept), aliases, free, consumption);
    if (part == null) return body.stms();
    CodeMotion moving = new CodeMotion(names, sizes);
    List<Stm> rest = moving.out(part, body.stms(), tripCount);
    before.addAll(moving.before());
    moving.copies().forEach((name, copy) -> rootsOfCopies.put(copy, roots(name)));
    for (Stm s : part.costly()) {
      context.remark(
          Remark.Kind.APPLIED, function.name(), s.aux().loc(), "computed before the iteration");
    }
    return rest;
  }

  /** How many of the statements consume each root. */
  private Map<Name, Integer> consumers(List<Stm> stms) {
    Map<Name, Integer> consumers = new HashMap<>();
    for (Stm s : stms) for (Name root : consumption.of(s)) consumers.merge(root, 1, Integer::sum);
    return consumers;
  }

  private boolean mayLeave(Stm s, Map<Name, Integer> consumers, Set<Name> kept) {
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
    return consumption.of(s).containsAll(roots)
        && roots.stream().allMatch(root -> consumers.getOrDefault(root, 0) == 1);
  }
}
