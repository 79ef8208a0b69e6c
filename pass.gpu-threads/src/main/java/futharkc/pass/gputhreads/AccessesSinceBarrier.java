package futharkc.pass.gputhreads;

import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A forward data-flow analysis of the fact "no memory is accessed since the last barrier".
 *
 * <p>The fact is a boolean, so the transfer function of a statement is one of three {@link
 * Effect}s. Effects are computed bottom-up and kept for each compound statement: the analysis
 * visits each statement once, at any depth of nesting.
 */
final class AccessesSinceBarrier {
  /** The transfer function of a statement for the fact. */
  enum Effect {
    /** The fact holds after the statement. */
    BARRIER,
    /** The fact holds after the statement if it holds before. */
    NONE,
    /** The fact may be false after the statement. */
    ACCESS;

    /** Returns the effect of a sequence of two statements. */
    Effect then(Effect next) {
      return next == NONE ? this : next;
    }

    /** Returns the value of the fact after a statement, from its value before. */
    boolean after(boolean before) {
      return this == BARRIER || this == NONE && before;
    }
  }

  private final Map<Code, Effect> ofCompound = new IdentityHashMap<>();

  /** The number of statements visited, for the test that the analysis is linear. */
  private int visits;

  int visits() {
    return visits;
  }

  /** Returns the effect of a list of statements. */
  Effect of(List<Code> code) {
    Effect effect = Effect.NONE;
    for (Code c : code) {
      effect = effect.then(of(c));
    }
    return effect;
  }

  /** Returns the effect of one statement. */
  Effect of(Code code) {
    if (code instanceof Code.Compound c) {
      Effect known = ofCompound.get(c);
      if (known != null) {
        return known;
      }
      visits++;
      Effect effect = ofCompound(c);
      ofCompound.put(c, effect);
      return effect;
    }
    visits++;
    return switch (code) {
      case Code.Barrier _, Code.LeaveIfFailed _ -> Effect.BARRIER;
      case Code.Declare d -> d.value() == null ? Effect.NONE : ofOperand(d.value());
      case Code.Assign a -> ofOperand(a.value());
      case Code.Shuffle s -> ofOperand(s.value());
      default -> Effect.ACCESS;
    };
  }

  private Effect ofCompound(Code.Compound code) {
    return switch (code) {
      case Code.Scope s -> of(s.body());
      case Code.For f -> loop(bounds(f.from(), f.to()), f.body());
      case Code.Strided s -> loop(bounds(s.from(), s.to()), s.body());
      case Code.While w -> loop(Effect.NONE, w.body());
      case Code.If i -> {
        of(i.then());
        of(i.otherwise());
        // PoCL needs a barrier after a branch that contains a barrier.
        yield Effect.ACCESS;
      }
      default -> {
        code.bodies().forEach(this::of);
        yield Effect.ACCESS;
      }
    };
  }

  /** Returns the effect of a loop, which may have no iteration. */
  private Effect loop(Effect bounds, List<Code> body) {
    Effect iteration = of(body);
    return iteration == Effect.ACCESS ? Effect.ACCESS : bounds;
  }

  /** Returns the value of the fact at the start of each iteration of a loop. */
  boolean atIteration(boolean before, Effect bounds, List<Code> body) {
    return bounds.after(before) && of(body).after(true);
  }

  /** Returns the effect of the evaluation of a loop's bounds. */
  static Effect bounds(Expr from, Expr to) {
    return ofOperand(from).then(ofOperand(to));
  }

  /** Returns the effect of the evaluation of an expression. */
  static Effect ofOperand(Expr e) {
    return CodeSearch.anyPartOf(e, x -> x instanceof Expr.Load) ? Effect.ACCESS : Effect.NONE;
  }
}
