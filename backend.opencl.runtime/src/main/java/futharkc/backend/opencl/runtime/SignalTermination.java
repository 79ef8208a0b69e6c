package futharkc.backend.opencl.runtime;

import futharkc.core.runtime.device.SharedLibrary;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The termination of an executable's process by a signal while a CPU is the device. After a signal,
 * PoCL's compiler (LLVM) deletes its files; at exit it frees its data while threads of PoCL still
 * use them. These threads then report errors or crash.
 *
 * <p>Failures after a signal are therefore not reported, and the process ends without the exit
 * handlers of native libraries. Java's own shutdown hooks get some milliseconds.
 */
final class SignalTermination {
  private static final long MOMENT_MILLIS = 50;

  /**
   * The time between the deletion of PoCL's files and the JVM's reaction to the signal, in
   * milliseconds, at most.
   */
  private static final long LATE_MILLIS = 200;

  /** The number of open devices. */
  private static final AtomicInteger OPEN = new AtomicInteger();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(SignalTermination::end, "end"));
  }

  private SignalTermination() {}

  /** Records that a device was opened. */
  static void opened() {
    OPEN.incrementAndGet();
  }

  /** Records that a device was closed. */
  static void closed() {
    OPEN.decrementAndGet();
  }

  /** Waits after a failure, in case a signal was its cause. Then the method does not return. */
  static void awaitSignal() {
    try {
      for (long waited = 0; waited < LATE_MILLIS; waited += 10) {
        if (signal() != 0) {
          Thread.sleep(Long.MAX_VALUE);
        }
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void end() {
    int signal = signal();
    if (OPEN.get() == 0 || signal == 0) {
      return;
    }
    try {
      Thread.sleep(MOMENT_MILLIS);
    } catch (InterruptedException e) {
      // The process ends now.
    }
    SharedLibrary.endProcess(128 + signal);
  }

  /**
   * Returns the signal that ends this process, recognised by the JVM's thread for it; 0 if there is
   * none.
   */
  private static int signal() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      int signal =
          switch (thread.getName()) {
            case "SIGHUP handler" -> 1;
            case "SIGINT handler" -> 2;
            case "SIGTERM handler" -> 15;
            default -> 0;
          };
      if (signal != 0) {
        return signal;
      }
    }
    return 0;
  }
}
