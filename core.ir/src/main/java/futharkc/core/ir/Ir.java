package futharkc.core.ir;

import futharkc.core.ir.imperative.ImperativeProgram;

/**
 * A program between the front end and code generation: either arrays and array operations, or
 * statements over scalars and memory blocks. Immutable.
 */
public sealed interface Ir permits Program, ImperativeProgram {
  /** Returns the representation, which determines the kind of program. */
  Rep rep();
}
