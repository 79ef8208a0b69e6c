package futharkc.pass.differentiation;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.build.Emitter;

/**
 * Reverse mode of loops: a loop from the last iteration to the first that carries the adjoints of
 * the loop parameters and of the free variables.
 *
 * <pre>
 * y = loop p = x for i &lt; n do f        (y, t) = loop (p = x, t) for i &lt; n do {t[i] = p; f}
 *                               then  x_ = loop p_ = y_ for j &lt; n do
 *                                            {i = n-1-j; p = t[i]; f; return sweep of f; p_}
 * </pre>
 *
 * <p>The tape t holds the parameters at the beginning of each iteration, as far as the return sweep
 * needs them (Griewank and Walther, Evaluating Derivatives, section 4.1). For an array parameter
 * that the loop updates in place, the tape holds the overwritten elements and the elements read.
 * The return sweep restores the array step by step. So the length of the tape is at most
 * proportional to the time of the loop. {@link LoopReturn} has the details, and {@link StripMining}
 * shortens the tape.
 *
 * <p>{@code #[true_dep]} parameters are not on the tape. By this attribute the programmer promises
 * that no element is overwritten after a read, so the final value serves for all iterations.
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
    if (!back.emit(e)) {
      new LoopReturn(sweep, s, l, position, null, false).emit(e);
    }
    consumes();
  }

  /** Records the initial values that the loop consumes, and the code that restores each of them. */
  void consumes() {
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      if (!p.param().unique() || !(p.init() instanceof SubExp.Var v)) {
        continue;
      }
      States states = sweep.states();
      if (states.isFrozen(v.name()) || states.isKnown(v.name())) {
        continue;
      }
      if (InPlace.isParam(l, k)) {
        Name result = s.pat().get(k).name();
        States.Supplier after = states.owned(result);
        states.consumed(v.name(), position, e -> restored(result, after, e));
      } else {
        states.consumed(v.name(), position);
      }
    }
  }

  /** Emits another return loop that only restores one array that the loop updates in place. */
  private Name restored(Name result, States.Supplier after, Emitter e) {
    Stm now = sweep.statementOf(position, result);
    Exp.Loop loop = (Exp.Loop) now.exp();
    var only = new LoopReturn.Restored(now.names().indexOf(result), after);
    LoopReturn back = new LoopReturn(sweep, now, loop, position, only, true);
    if (back.emit(e)) {
      return back.restored();
    }
    return sweep.states().copied(((SubExp.Var) loop.params().get(only.param()).init()).name(), e);
  }
}
