package futharkc.core.runtime.device;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkProgram;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled program with kernels. Generated code extends this class. */
public abstract class DeviceProgram extends FutharkProgram {
  private @Nullable KernelProgram loaded;

  /** Creates the program; called by generated code. */
  protected DeviceProgram() {}

  /** Returns the interface of the program's devices. */
  public abstract DeviceApi api();

  /** Returns the kernels, in the interface's language. */
  public abstract KernelSource kernels();

  /**
   * Returns the macros of the kernels with their values.
   *
   * @param ctx the context, which has the tuning parameters
   * @param device the device
   */
  public Map<String, Long> macros(Context ctx, Device device) {
    return Map.of();
  }

  @Override
  protected Accelerator openAccelerator() {
    return Device.open(api(), DeviceOptions.DEFAULT);
  }

  /** Returns the device of a context that runs such a program. */
  public static Device device(Context ctx) {
    if (ctx.accelerator() instanceof Device device) {
      return device;
    }
    throw new IllegalStateException("the context has no device");
  }

  /** Loads the kernels; {@link #initialise} calls this method once. */
  protected final KernelProgram load(Context ctx) {
    Device device = device(ctx);
    KernelProgram program = device.load(kernels(), macros(ctx, device));
    loaded = program;
    return program;
  }

  /** Unloads the kernels. */
  @Override
  public void close() {
    if (loaded != null) {
      loaded.close();
      loaded = null;
    }
  }
}
