package futharkc.backend.opencl.runtime;

import futharkc.core.runtime.device.SharedLibrary;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The end of an executable's process by a signal while a processor is used as a device. PoCL's
 * compiler, LLVM, deletes its files when a signal comes, and takes its data apart when the process
 * exits, though threads of PoCL are still at work with them: they report errors then, or crash, and
 * the JVM writes a report. So what fails when a signal comes is not reported, and the process ends
 * without what libraries do at an exit. What Java does at one has a moment for it.
 */
final class SignalledEnd {
  private static final long MOMENT_MILLIS = 50;

  /** How long after a file is gone the JVM may hear of the signal. */
  private static final long LATE_MILLIS = 200;

  /** Devices that are open. */
  private static final AtomicInteger OPEN = new AtomicInteger();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(SignalledEnd::end, "end"));
  }

  private SignalledEnd() {}

  /** Says that a device has been opened. */
  static void opened() {
    OPEN.incrementAndGet();
  }

  /** Says that it is closed. */
  static void closed() {
    OPEN.decrementAndGet();
  }

  /** Called when something has failed: does not return if that is for a signal's sake. */
  static void giveWay() {
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
      // It ends now.
    }
    SharedLibrary.endProcess(128 + signal);
  }

  /** The signal that ends this process: 0 if it ends by itself. The JVM has a thread for it. */
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
