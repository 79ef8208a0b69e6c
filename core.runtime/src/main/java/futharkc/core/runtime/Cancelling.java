package futharkc.core.runtime;

/**
 * Whether some call, of any context, has to look whether it should end: no, as long as none has
 * been cancelled. Loops of generated code ask {@link Watch#on} often.
 *
 * <p>{@link Watch} says no, and {@link Watching}, the only other, is not loaded before somebody
 * cancels a call. Until then the JVM's compilers see one method that gives a constant: loops look
 * as if nothing was asked. A volatile field would be read instead, which C2 orders all other
 * accesses around, also those of inner loops: it left sums and products of arrays without SIMD
 * instructions (1.2 to 1.8 times as long). When the other class is loaded, the JVM leaves code that
 * was compiled so at its loops' next safe points, and compiles it anew.
 */
public final class Cancelling {
  /** What loops ask; written here alone. Not volatile: it changes once, with what it is. */
  public Watch watch = new Watch();

  private boolean watching;

  /** How many calls have been cancelled, or are run by their own callers, whom nobody watches. */
  private int calls;

  Cancelling() {}

  /** Counts such calls. */
  synchronized void count(int more) {
    calls += more;
    if (!watching) {
      watch = Watching.instead();
      watching = true;
    }
    Watching.set(watch, calls != 0);
  }

  /** What is asked as long as no call has been cancelled. */
  public static class Watch {
    private Watch() {}

    /** Whether there is reason to call {@link Context#checkCancelled}. */
    public boolean on() {
      return false;
    }
  }

  /** What is asked from then on. The JVM loads it when {@link #instead} is called first. */
  private static final class Watching extends Watch {
    private volatile boolean on = true;

    static Watch instead() {
      return new Watching();
    }

    static void set(Watch watch, boolean on) {
      ((Watching) watch).on = on;
    }

    @Override
    public boolean on() {
      return on;
    }
  }
}
