package futharkc.backend.interpreter;

/** A compiled instruction, run for its effects on a frame and on memory. */
interface Instruction {
  /** A compiled polynomial. */
  interface Poly {
    long value(CallFrame f);
  }

  void run(CallFrame f);
}
