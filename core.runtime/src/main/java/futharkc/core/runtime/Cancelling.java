package futharkc.core.runtime;

/**
 * Whether some call, of any context, has to look whether it should end: no, as long as none has
 * been cancelled. Loops of generated code ask {@link #on} often.
 *
 * <p>This class says no, and {@link Watching}, the only other, is not loaded before somebody
 * cancels a call. Until then the JVM's compilers see one method that gives a constant: loops look
 * as if nothing was asked. A volatile field would be read instead, which C2 orders all other
 * accesses around, also those of inner loops: it left sums and products of arrays without SIMD
 * instructions (1.2 to 1.8 times as long). When the other class is loaded, the JVM leaves code that
 * was compiled so at its loops' next safe points, and compiles it anew.
 */
public class Cancelling {
  Cancelling() {}

  /** Whether there is reason to call {@link Context#checkCancelled}. */
  public boolean on() {
    return false;
  }

  /** What is asked once a call has been cancelled. */
  private static final class Watching extends Cancelling {
    private static volatile boolean on;

    @Override
    public boolean on() {
      return on;
    }
  }

  /** What loads the other class. Nobody else may mention it in code that runs before. */
  private static final class Watch {
    private static final Cancelling INSTEAD = new Watching();

    private static void set(boolean on) {
      Watching.on = on;
    }
  }

  /** How many calls have been cancelled, or are run by their own callers, whom nobody watches. */
  private static int calls;

  /** Counts such calls. */
  static synchronized void count(int more) {
    calls += more;
    Watch.set(calls != 0);
    Context.cancelling = Watch.INSTEAD;
  }
}
