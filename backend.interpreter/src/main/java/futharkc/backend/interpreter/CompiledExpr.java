package futharkc.backend.interpreter;

/** A compiled expression of an imperative program. */
@FunctionalInterface
interface CompiledExpr {
  /** The value; the execution knows if it is none. */
  long value(Activation a);
}
