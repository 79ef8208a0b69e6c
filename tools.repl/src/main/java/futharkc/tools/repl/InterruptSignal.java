package futharkc.tools.repl;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * The interrupt signal of a session (Ctrl-C). During a computation, the signal interrupts the
 * thread of the computation and not the process. Elsewhere than in {@code sun.misc.Signal}, which
 * javac warns of, Java has no interface to signals.
 */
final class InterruptSignal implements AutoCloseable {
  private final Runnable idle;
  private final @Nullable Object before;
  private @Nullable Thread computing;

  private InterruptSignal(Runnable idle, boolean ofProcess) {
    this.idle = idle;
    before = ofProcess ? handle(handler()) : null;
  }

  /**
   * Begins to handle the signal that the process receives.
   *
   * @param idle reacts to a signal outside computations
   */
  static InterruptSignal ofProcess(Runnable idle) {
    return new InterruptSignal(idle, true);
  }

  /** Returns a signal that a terminal {@linkplain #receive receives}. */
  static InterruptSignal ofTerminal() {
    return new InterruptSignal(() -> {}, false);
  }

  /** Sets the handler of the signal, and returns the former handler. */
  private static Object handle(Object handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      Method handle = signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"));
      return handle.invoke(null, interrupt, handler);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private Object handler() {
    try {
      return Proxy.newProxyInstance(
          InterruptSignal.class.getClassLoader(),
          new Class<?>[] {Class.forName("sun.misc.SignalHandler")},
          (proxy, method, arguments) -> {
            switch (method.getName()) {
              case "handle" -> receive();
              case "hashCode" -> {
                return System.identityHashCode(proxy);
              }
              case "equals" -> {
                return arguments != null && proxy == arguments[0];
              }
              default -> {
                return "interrupt";
              }
            }
            return null;
          });
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Interrupts the running computation. */
  synchronized void receive() {
    if (computing == null) {
      idle.run();
    } else {
      computing.interrupt();
    }
  }

  /** A computation that may throw. */
  @FunctionalInterface
  interface Computation {
    void run() throws IOException;
  }

  /**
   * Runs a computation on this thread, perhaps while another computation waits. The interrupt
   * status of the thread is clear afterwards.
   */
  void run(Computation computation) throws IOException {
    Thread outer;
    synchronized (this) {
      outer = computing;
      computing = Thread.currentThread();
    }
    try {
      computation.run();
    } finally {
      synchronized (this) {
        computing = outer;
        var unused = Thread.interrupted();
      }
    }
  }

  /** Restores the former reaction to the signal. */
  @Override
  public void close() {
    if (before != null) {
      var unused = handle(before);
    }
  }
}
