package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The state of a body under evaluation: the next statement, and the destinations of its results. A
 * call or branch for which the body waits is above it on the {@link CallStack stack}.
 */
final class Suspended {
  /** An instruction that runs a body which may contain deeply nested calls. */
  interface Point extends Instruction {
    /** Returns the body to run. The instruction ends when the body ends. */
    Suspended enter(CallFrame f);

    @Override
    default void run(CallFrame f) {
      new CallStack().run(enter(f));
    }
  }

  final Sequence body;
  final CallFrame frame;
  private final Operand[] results;
  private final Destination[] outs;
  private final CallFrame target;

  /** True for the body of a function. */
  final boolean isCall;

  /** The position of the next statement of the body. */
  int next;

  /** The next entry down the stack. */
  @Nullable Suspended below;

  Suspended(
      CompiledLambda lambda,
      CallFrame frame,
      Destination[] outs,
      CallFrame target,
      boolean isCall) {
    this.body = lambda.body();
    this.frame = frame;
    this.results = lambda.results();
    this.outs = outs;
    this.target = target;
    this.isCall = isCall;
  }

  /** Binds the results after the end of the body. */
  void end() {
    new ControlCode.Values(results).read(frame).write(outs, target);
  }
}
