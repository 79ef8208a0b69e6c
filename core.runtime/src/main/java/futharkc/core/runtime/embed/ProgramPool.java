package futharkc.core.runtime.embed;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Instances of one program that run calls concurrently. The pool creates an instance when a call
 * finds no idle one. All instances of a program with kernels share one device, where calls take
 * turns.
 */
final class ProgramPool implements AutoCloseable {
  private final Supplier<FutharkProgram> maker;
  private final ProgramSettings settings;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<LoadedProgram> idle = new ConcurrentLinkedDeque<>();
  private final List<LoadedProgram> all = new ArrayList<>();
  private final @Nullable Device device;
  private volatile boolean closed;

  /**
   * Opens the device, if the program has kernels, and creates one instance.
   *
   * @throws FutharkError if the device cannot be opened
   */
  ProgramPool(Supplier<FutharkProgram> maker, ProgramSettings settings) {
    this.maker = maker;
    this.settings = settings;
    FutharkProgram first = maker.get();
    device =
        first instanceof DeviceProgram program
            ? Device.open(program.api(), settings.device())
            : null;
    permits = new Semaphore(device == null ? settings.calls() : 1);
    try {
      idle.push(add(first));
    } catch (RuntimeException | Error e) {
      if (device != null) {
        device.close();
      }
      throw e;
    }
  }

  private synchronized LoadedProgram add(FutharkProgram program) {
    if (closed) {
      throw closed();
    }
    Context.Builder builder = Context.of(program, settings.messages());
    if (device != null) {
      builder.accelerator(device);
    }
    settings.context().accept(builder);
    LoadedProgram loaded = new LoadedProgram(program, builder.build());
    all.add(loaded);
    return loaded;
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the program is closed");
  }

  /** Returns an instance for questions about the program. Calls may run on it meanwhile. */
  synchronized LoadedProgram any() {
    return all.getFirst();
  }

  /** Returns the device; null if the program has no kernels. */
  @Nullable Device device() {
    return device;
  }

  /**
   * Lends an instance to a call.
   *
   * @throws FutharkError if the thread is interrupted while it waits; its interrupt status stays
   *     set
   * @throws IllegalStateException if the pool is closed
   */
  <T> T with(Function<LoadedProgram, T> call) {
    try {
      permits.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FutharkError("Interrupted.", "", FutharkError.Kind.STOPPED);
    }
    try {
      if (closed) {
        throw closed();
      }
      LoadedProgram program = idle.poll();
      if (program == null) {
        program = add(maker.get());
      }
      try {
        return call.apply(program);
      } finally {
        idle.push(program);
      }
    } finally {
      permits.release();
    }
  }

  /** Ends the running calls, and closes all instances and the device. */
  @Override
  public void close() {
    List<LoadedProgram> programs;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      programs = List.copyOf(all);
    }
    programs.forEach(LoadedProgram::close);
    if (device != null) {
      device.close();
    }
  }
}
