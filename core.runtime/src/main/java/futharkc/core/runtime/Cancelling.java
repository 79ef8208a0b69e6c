package futharkc.core.runtime;

/**
 * A flag that tells loops of generated code whether to check for cancellation. The flag is off
 * until some call, of any context, is cancelled. Loops test {@link Watch#on} often.
 *
 * <p>{@link Watch} returns false; its only subclass {@link Watching} is not loaded before a call is
 * cancelled. Until then the JVM's compilers see a single method with a constant result and remove
 * the test. A volatile field would instead order all other memory accesses of the loop, and prevent
 * C2 from using SIMD instructions. When the subclass is loaded, the JVM deoptimises the compiled
 * loops at their next safe points.
 */
public final class Cancelling {
  /**
   * The flag that loops test. The field changes once and is not volatile, so that loops need no
   * memory barrier; class loading deoptimises their code.
   */
  public Watch watch = new Watch();

  private boolean watching;

  /**
   * The number of calls that are cancelled, or that callers run on their own threads without a
   * waiting thread.
   */
  private int calls;

  Cancelling() {}

  /** Adds to the number of such calls. */
  synchronized void count(int more) {
    calls += more;
    if (!watching) {
      watch = Watching.instead();
      watching = true;
    }
    Watching.set(watch, calls != 0);
  }

  /** The flag before any call has been cancelled. */
  public static class Watch {
    private Watch() {}

    /** Tests whether the loop must call {@link Context#checkCancelled}. */
    public boolean on() {
      return false;
    }
  }

  /**
   * The flag after the first cancellation. The JVM loads the class at the first call of {@link
   * #instead}.
   */
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
