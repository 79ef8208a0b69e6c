package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * A body that has been begun: how far it has come, and what becomes of its results. What it waits
 * for, a call or a branch, stands above it on the {@link CallStack stack}.
 */
final class Suspended {
  /** Code that runs a body in which calls may be deep. */
  interface Point extends Instruction {
    /** The body to run; when it has ended, so has this code. */
    Suspended enter(Frame f);

    @Override
    default void run(Frame f) {
      new CallStack().run(enter(f));
    }
  }

  final Sequence body;
  final Frame frame;
  private final In[] results;
  private final Out[] outs;
  private final Frame target;

  /** Whether this is a function's body. */
  final boolean isCall;

  /** The next of the body's statements. */
  int next;

  /** What is below on the stack. */
  @Nullable Suspended below;

  Suspended(Lambda lambda, Frame frame, Out[] outs, Frame target, boolean isCall) {
    this.body = lambda.body();
    this.frame = frame;
    this.results = lambda.results();
    this.outs = outs;
    this.target = target;
    this.isCall = isCall;
  }

  /** Binds the results, when the body has ended. */
  void end() {
    new ControlCode.Values(results).read(frame).write(outs, target);
  }
}
