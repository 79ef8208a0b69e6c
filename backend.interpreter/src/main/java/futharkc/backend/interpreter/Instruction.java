package futharkc.backend.interpreter;

/** Something compiled that is run for its effects on a frame and on memory. */
interface Instruction {
  /** A polynomial. */
  interface Poly {
    long value(Frame f);
  }

  void run(Frame f);
}
