package futharkc.pass.differentiation;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.build.Emitter;

/**
 * Reverse mode of loops: another loop, from the last iteration to the first, with the adjoints of
 * what the loop carries and of what is free in it.
 *
 * <pre>
 * y = loop p = x for i &lt; n do f        (y, t) = loop (p = x, t) for i &lt; n do {t[i] = p; f}
 *                               then  x_ = loop p_ = y_ for j &lt; n do
 *                                            {i = n-1-j; p = t[i]; f; return sweep of f; p_}
 * </pre>
 *
 * <p>The tape t keeps the parameters at the beginning of each iteration, those that the return
 * sweep needs (Griewank and Walther, Evaluating Derivatives, section 4.1). Of a parameter that is
 * an array and only changed in place it keeps what is overwritten; the array itself goes back as it
 * came, and what was read of it is kept as it was read: so the tape is never longer than the loop
 * took time. {@link LoopReturn} has the details, {@link StripMining} a way to a shorter tape.
 *
 * <p>{@code #[true_dep]} parameters are not taped: the last value serves throughout, by promise of
 * the programmer that what is read is not overwritten later.
 */
final class LoopAdjoint {
  private final Sweep sweep;
  private final Stm s;
  private final Exp.Loop l;
  private final int position;

  LoopAdjoint(Sweep sweep, Stm s, Exp.Loop l) {
    this.sweep = sweep;
    this.s = s;
    this.l = l;
    this.position = sweep.position();
  }

  void reverse(Emitter e) {
    Stm nest = StripMining.nest(s, l, sweep, e);
    if (nest != null) {
      new LoopAdjoint(sweep, nest, (Exp.Loop) nest.exp()).reverse(e);
      return;
    }
    LoopReturn back = new LoopReturn(sweep, s, l, position, null, true);
    if (!back.emit(e)) new LoopReturn(sweep, s, l, position, null, false).emit(e);
    consumes();
  }

  /** Notes which initial values are consumed, and how they can be had again. */
  void consumes() {
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      if (!p.param().unique() || !(p.init() instanceof SubExp.Var v)) continue;
      States states = sweep.states();
      if (states.isFrozen(v.name()) || states.isKnown(v.name())) continue;
      if (InPlace.isParam(l, k)) {
        Name result = s.pat().get(k).name();
        States.Supplier after = states.owned(result);
        states.consumed(v.name(), position, e -> restored(result, after, e));
      } else {
        states.consumed(v.name(), position);
      }
    }
  }

  /** Goes back once more, only for the sake of an array that the loop changes in place. */
  private Name restored(Name result, States.Supplier after, Emitter e) {
    Stm now = sweep.statementOf(position, result);
    Exp.Loop loop = (Exp.Loop) now.exp();
    var only = new LoopReturn.Restored(now.names().indexOf(result), after);
    LoopReturn back = new LoopReturn(sweep, now, loop, position, only, true);
    if (back.emit(e)) return back.restored();
    return sweep.states().copied(((SubExp.Var) loop.params().get(only.param()).init()).name(), e);
  }
}
