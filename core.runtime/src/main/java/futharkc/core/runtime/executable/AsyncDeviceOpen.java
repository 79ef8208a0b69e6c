package futharkc.core.runtime.executable;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * A device that is being opened, which takes a driver longer than everything else at the start of a
 * program: meanwhile the program's classes are loaded, and its arguments read.
 */
final class AsyncDeviceOpen implements Supplier<Accelerator>, AutoCloseable {
  /** Those that the driver, the program itself, and the JVM's compilers have enough of. */
  static final int PROCESSORS = 4;

  private final FutureTask<Device> task;
  private boolean taken;

  private AsyncDeviceOpen(FutureTask<Device> task) {
    this.task = task;
  }

  /**
   * Begins to open the device that the options ask for.
   *
   * @param rehearsed whether to have calls compiled meanwhile, by processors that have nothing else
   *     to do
   */
  static AsyncDeviceOpen begin(DeviceProgram program, DeviceOptions options, boolean rehearsed) {
    DeviceApi api = program.api();
    FutureTask<Device> task = new FutureTask<>(new Open(api, options));
    start("device", task);
    start("bindings", new Prepare(program, api, rehearsed));
    // Of the classes that are needed next, the kernels' is the largest.
    var unused = program.kernels();
    return new AsyncDeviceOpen(task);
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Opens the device: what takes longest, so that not even a lambda is made before. */
  private record Open(DeviceApi api, DeviceOptions options) implements Callable<Device> {
    @Override
    public Device call() {
      return Device.open(api, options);
    }
  }

  private record Prepare(DeviceProgram program, DeviceApi api, boolean rehearsed)
      implements Runnable {
    @Override
    public void run() {
      if (rehearsed && Runtime.getRuntime().availableProcessors() >= PROCESSORS) {
        // These classes first, too: see there.
        var unusedEntries = program.entryPoints();
        api.prepare(JitWarmUp.TIMES);
        var unusedOutcome = JitWarmUp.run();
      } else {
        api.prepare(1);
      }
    }
  }

  /**
   * Waits for the device, which is the caller's then.
   *
   * @throws FutharkError if it cannot be opened
   */
  @Override
  public Device get() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          Device device = task.get();
          taken = true;
          return device;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          Throwable cause = e.getCause();
          if (cause instanceof RuntimeException x) {
            throw x;
          }
          throw new IllegalStateException(cause);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Closes the device if nobody has taken it. */
  @Override
  public void close() {
    if (!taken) {
      try {
        get().close();
      } catch (FutharkError e) {
        // There is nothing to close.
      }
    }
  }
}
