package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;
import org.jspecify.annotations.Nullable;

/**
 * The stack of the calls that wait for others, and of the branches that they are in. It is kept on
 * the heap: Java's stack would have to be as deep as the recursion is, which costs much time when
 * the virtual machine replaces the code of frames that are on it.
 *
 * <p>Calls inside loops and array operations begin a stack of their own, on Java's.
 */
final class CallStack {
  /** What a call takes with its branches, variables and place on the stack, and a bit more. */
  private static final long BYTES_PER_CALL = 1 << 10;

  private static final long MOST = Runtime.getRuntime().maxMemory() / BYTES_PER_CALL;

  private @Nullable Suspended top;
  private long depth;

  /** Runs a body, and what it calls, to their end. */
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
    if (s.isCall) depth--;
  }

  /** With the statement that was being run. */
  private Fault traced(Fault fault) {
    return top == null || top.next == 0 ? fault : fault.in(top.body.stm(top.next - 1));
  }
}
