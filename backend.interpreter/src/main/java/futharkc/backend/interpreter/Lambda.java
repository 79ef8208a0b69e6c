package futharkc.backend.interpreter;

/** A compiled lambda: its caller sets the parameters, runs it, and reads the results. */
record Lambda(Out[] params, Sequence body, In[] results) {
  void run(Frame f) {
    body.run(f);
  }
}
