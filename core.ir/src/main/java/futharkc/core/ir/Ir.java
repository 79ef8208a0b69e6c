package futharkc.core.ir;

import futharkc.core.ir.imperative.ImperativeProgram;

/**
 * A program somewhere between the front end and a printer: of arrays and array operations, or of
 * statements over scalars and memory blocks. Immutable.
 */
public sealed interface Ir permits Program, ImperativeProgram {
  /** The representation, which says of which of the two kinds this is. */
  Rep rep();
}
