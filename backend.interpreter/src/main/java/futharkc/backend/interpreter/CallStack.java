package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;
import org.jspecify.annotations.Nullable;

/**
 * A stack of suspended calls and branches on the heap. The Java stack would have to be as deep as
 * the program's recursion, which makes the JVM slow when it replaces code of active frames.
 *
 * <p>Calls inside loops and array operations start a new stack, through a nested Java call.
 */
final class CallStack {
  /** The estimated heap use of a call with its branches and variables, in bytes, rounded up. */
  private static final long BYTES_PER_CALL = 1 << 10;

  private static final long MOST = Runtime.getRuntime().maxMemory() / BYTES_PER_CALL;

  private @Nullable Suspended top;
  private long depth;

  /** Runs a body and all calls in it. */
  void run(Suspended first) {
    push(first);
    try {
      for (Suspended now = top; now != null; now = top) {
        if (now.next == now.body.length()) {
          pop(now);
          now.end();
        } else if (now.body.code(now.next++) instanceof Suspended.Point point) {
          push(point.enter(now.frame));
        } else {
          now.body.code(now.next - 1).run(now.frame);
        }
      }
    } catch (FutharkError e) {
      throw e;
    } catch (Fault e) {
      throw traced(e);
    } catch (ArrayIndexOutOfBoundsException
        | ClassCastException
        | NullPointerException
        | ArithmeticException e) {
      throw traced(new Fault(String.valueOf(e), e));
    }
  }

  private void push(Suspended s) {
    if (s.isCall && ++depth > MOST) {
      throw new FutharkError("Stack overflow: the recursion is too deep.");
    }
    s.below = top;
    top = s;
  }

  private void pop(Suspended s) {
    top = s.below;
    if (s.isCall) {
      depth--;
    }
  }

  /** Returns the fault with the statement that was running. */
  private Fault traced(Fault fault) {
    return top == null || top.next == 0 ? fault : fault.in(top.body.stm(top.next - 1));
  }
}
