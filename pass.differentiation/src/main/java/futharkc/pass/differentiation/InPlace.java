package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of arrays that are in-place updates of other arrays, by updates, loops or branches.
 * {@link States} restores such an array from its updated form.
 */
final class InPlace {
  private InPlace() {}

  /**
   * Returns the original array of a body's result, before all in-place updates of the body; null if
   * there is none.
   */
  static @Nullable Name origin(SubExp result, List<Stm> stms) {
    if (!(result instanceof SubExp.Var v)) {
      return null;
    }
    Map<Name, Stm> definitions = new HashMap<>();
    for (Stm s : stms) {
      for (Name n : s.names()) {
        definitions.put(n, s);
      }
    }
    Name now = v.name();
    while (true) {
      Stm def = definitions.get(now);
      if (def == null) {
        return now;
      }
      Name before = before(now, def);
      if (before == null) {
        return now;
      }
      now = before;
    }
  }

  private static @Nullable Name before(Name n, Stm def) {
    int k = def.names().indexOf(n);
    return switch (def.exp()) {
      case BasicOp.Update x -> x.array();
      case BasicOp.FlatUpdate x -> x.array();
      case BasicOp.Reshape x -> x.array();
      case BasicOp.Rearrange x -> x.array();
      case Exp.Loop l ->
          isParam(l, k) && l.params().get(k).init() instanceof SubExp.Var v ? v.name() : null;
      case Exp.Match m -> ofMatch(m, k);
      default -> null;
    };
  }

  /** Tests whether a body changes a loop parameter by in-place updates only. */
  static boolean isParam(Exp.Loop l, int k) {
    Exp.LoopParam p = l.params().get(k);
    return p.param().unique()
        && p.param().name().equals(origin(l.body().results().get(k), l.body().stms()));
  }

  /**
   * Returns the array outside a match that all branches update in place to produce one result; null
   * if there is none.
   */
  static @Nullable Name ofMatch(Exp.Match m, int k) {
    Name all = origin(m.otherwise().results().get(k), m.otherwise().stms());
    if (all == null || isBound(all, m.otherwise())) {
      return null;
    }
    for (Exp.Case c : m.cases()) {
      if (!all.equals(origin(c.body().results().get(k), c.body().stms()))) {
        return null;
      }
    }
    return all;
  }

  private static boolean isBound(Name n, Body b) {
    return b.stms().stream().anyMatch(s -> s.names().contains(n));
  }
}
