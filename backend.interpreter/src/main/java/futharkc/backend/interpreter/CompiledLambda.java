package futharkc.backend.interpreter;

/** A compiled lambda. The caller sets the parameters, runs the body, and reads the results. */
record CompiledLambda(Destination[] params, Sequence body, Operand[] results) {
  void run(CallFrame f) {
    body.run(f);
  }
}
