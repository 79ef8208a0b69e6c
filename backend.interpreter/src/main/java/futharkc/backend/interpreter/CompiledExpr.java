package futharkc.backend.interpreter;

/** A compiled expression of an imperative program. */
@FunctionalInterface
interface CompiledExpr {
  /** Evaluates the expression. If the value is undefined, the execution records that. */
  long value(Activation a);
}
