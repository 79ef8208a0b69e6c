package futharkc.backend.interpreter;

import java.util.function.UnaryOperator;

/**
 * A partial derivative of a scalar operation: a linear map and its transpose.
 *
 * @param forward the map from tangents of the operand to tangents of the result
 * @param backward the map from adjoints of the result to adjoints of the operand
 */
record Partial(UnaryOperator<Num> forward, UnaryOperator<Num> backward) {
  /** The derivative of a result that does not depend on the operand, or depends on it in steps. */
  static final Partial ZERO = of(x -> Num.Const.ZERO);

  static final Partial ONE = of(x -> x);

  /** Returns a linear map that is its own transpose. */
  static Partial of(UnaryOperator<Num> map) {
    return new Partial(map, map);
  }

  boolean isZero() {
    return forward == ZERO.forward;
  }

  Num forwards(Num tangent) {
    return forward.apply(tangent);
  }

  Num backwards(Num adjoint) {
    return backward.apply(adjoint);
  }
}
