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
 * A device that another thread is opening. Opening a device takes longer than all other work at a
 * program's start. Meanwhile, the program's classes are loaded and its arguments are read.
 */
final class AsyncDeviceOpen implements Supplier<Accelerator>, AutoCloseable {
  /**
   * The number of processors that are sufficient for the driver, the program, and the JVM's
   * compilers.
   */
  static final int PROCESSORS = 4;

  private final FutureTask<Device> task;
  private boolean taken;

  private AsyncDeviceOpen(FutureTask<Device> task) {
    this.task = task;
  }

  /**
   * Starts to open the device that the options select.
   *
   * @param program the program
   * @param options the options
   * @param warmUp true to have the JVM compile calls meanwhile, if there are idle processors
   */
  static AsyncDeviceOpen begin(DeviceProgram program, DeviceOptions options, boolean warmUp) {
    DeviceApi api = program.api();
    FutureTask<Device> task = new FutureTask<>(new Open(api, options));
    start("device", task);
    start("bindings", new Prepare(program, api, warmUp));
    // The class of the kernels is the largest one needed next.
    var unused = program.kernels();
    return new AsyncDeviceOpen(task);
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** The task that opens the device. A named class starts sooner than a lambda. */
  private record Open(DeviceApi api, DeviceOptions options) implements Callable<Device> {
    @Override
    public Device call() {
      return Device.open(api, options);
    }
  }

  private record Prepare(DeviceProgram program, DeviceApi api, boolean warmUp) implements Runnable {
    @Override
    public void run() {
      if (warmUp && Runtime.getRuntime().availableProcessors() >= PROCESSORS) {
        // These classes are loaded first, for the same reason as the kernels.
        var unusedEntries = program.entryPoints();
        api.prepare(JitWarmUp.TIMES);
        var unusedOutcome = JitWarmUp.run();
      } else {
        api.prepare(1);
      }
    }
  }

  /**
   * Waits for the device, which the caller then owns.
   *
   * @throws FutharkError if the device cannot be opened
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

  /** Closes the device if no caller has taken it. */
  @Override
  public void close() {
    if (!taken) {
      try {
        get().close();
      } catch (FutharkError e) {
        // The device was never open.
      }
    }
  }
}
