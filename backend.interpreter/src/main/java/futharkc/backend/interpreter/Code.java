package futharkc.backend.interpreter;

/** Something compiled that is run for its effects on a frame and on memory. */
interface Code {
  /** A polynomial. */
  interface Poly {
    long value(Frame f);
  }

  void run(Frame f);
}
