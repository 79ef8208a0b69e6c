package futharkc.pass.hoist;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hoists code out of the bodies of a function, inner bodies first, so that code can leave several
 * bodies.
 */
final class BodyHoisting extends Mapper {
  private final FunDef function;
  private final NameSource names;
  private final Aliases aliases;
  private final PassContext context;
  private final FreeNamesOfStms free = new FreeNamesOfStms();
  private final ConsumptionOfStms consumption;

  /** The roots of all arrays that the function consumes. */
  private final NameSet consumed;

  private final Map<Name, NameSet> rootsOfCopies = new HashMap<>();

  /** The sizes of the arrays in scope, which are known to be non-negative. */
  private final Set<SubExp> sizes = new HashSet<>();

  /** The sizes of the arrays in scope, outermost first. */
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
      for (Stm b : before) {
        note(b);
      }
      note(t);
      out.addAll(before);
      out.add(t.exp() == s.exp() ? s : t);
    }
    leave(outer);
    return changed ? out : stms;
  }

  private void enter(Type t) {
    for (SubExp size : t.dims()) {
      if (sizes.add(size)) {
        inScope.add(size);
      }
    }
  }

  private void leave(int outer) {
    while (inScope.size() > outer) {
      sizes.remove(inScope.removeLast());
    }
  }

  private NameSet roots(Name n) {
    NameSet copied = rootsOfCopies.get(n);
    return copied == null ? aliases.roots(n) : copied;
  }

  private void note(Stm s) {
    for (PatElem p : s.pat()) {
      enter(p.type());
    }
  }

  private Exp outOf(Exp exp, List<Stm> before) {
    NameSet kept = exp instanceof Exp.Loop l ? madeAnew(l) : NameSet.of();
    return RepeatedBody.map(exp, free, body -> remaining(body, kept, before));
  }

  /**
   * Returns the roots of arrays that each iteration must construct anew, because the next one
   * overwrites them.
   */
  private NameSet madeAnew(Exp.Loop l) {
    NameSet roots = NameSet.of();
    for (int k = 0; k < l.params().size(); k++) {
      if (l.params().get(k).param().unique() && l.body().results().get(k) instanceof SubExp.Var v) {
        roots = roots.union(roots(v.name()));
      }
    }
    return roots;
  }

  /**
   * Moves statements out of a body, and returns the remaining ones.
   *
   * @param kept the roots of arrays that must stay
   * @param before the list to which this method adds the moved statements
   */
  private List<Stm> remaining(RepeatedBody body, NameSet kept, List<Stm> before) {
    TripCount tripCount = body.tripCount();
    if (tripCount == null) {
      return body.stms();
    }
    NameSet again = consumedAgain(body.stms());
    InvariantPart part =
        InvariantPart.of(body, s -> mayLeave(s, again, kept), aliases, free, consumption);
    if (part == null) {
      return body.stms();
    }
    CodeMotion moving = new CodeMotion(names, sizes);
    List<Stm> rest = moving.out(part, body.stms(), tripCount);
    before.addAll(moving.before());
    moving.copies().forEach((name, copy) -> rootsOfCopies.put(copy, roots(name)));
    for (Stm s : part.costly()) {
      context.remark(
          Remark.Kind.APPLIED, function.name(), s.aux().loc(), "moved before the loop or map");
    }
    return rest;
  }

  /** Returns the roots that more than one of the statements consume. */
  private NameSet consumedAgain(List<Stm> stms) {
    NameSet once = NameSet.of();
    NameSet again = NameSet.of();
    for (Stm s : stms) {
      again = again.union(once.intersect(consumption.of(s)));
      once = once.union(consumption.of(s));
    }
    return again;
  }

  private boolean mayLeave(Stm s, NameSet again, NameSet kept) {
    NameSet roots = NameSet.of();
    for (PatElem p : s.pat()) {
      switch (p.type()) {
        case Type.Prim t -> {}
        case Type.Array t -> roots = roots.union(roots(p.name()));
        case Type.Acc t -> {
          return false;
        }
        case Type.Mem t -> {
          return false;
        }
      }
    }
    if (roots.meets(kept)) {
      return false;
    }
    roots = roots.intersect(consumed);
    // Arrays that the statement alone consumes move with it.
    return consumption.of(s).includes(roots) && !again.meets(roots);
  }
}
