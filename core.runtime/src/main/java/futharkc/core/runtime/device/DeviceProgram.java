package futharkc.core.runtime.device;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkProgram;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled program with kernels. Generated code extends this class. */
public abstract class DeviceProgram extends FutharkProgram {
  private @Nullable KernelProgram loaded;

  /** For generated code. */
  protected DeviceProgram() {}

  /** The interface to the devices that it runs on. */
  public abstract DeviceApi api();

  /** Its kernels, in the interface's language. */
  public abstract KernelSource kernels();

  /**
   * The macros that its kernels are compiled with.
   *
   * @param ctx knows the tuning parameters
   */
  public Map<String, Long> macros(Context ctx, Device device) {
    return Map.of();
  }

  @Override
  protected Accelerator openAccelerator() {
    return Device.open(api(), DeviceOptions.DEFAULT);
  }

  /** The device of a context of such a program. */
  public static Device device(Context ctx) {
    if (ctx.accelerator() instanceof Device device) {
      return device;
    }
    throw new IllegalStateException("the context has no device");
  }

  /** Loads the kernels; to be called once in {@link #initialise}. */
  protected final KernelProgram load(Context ctx) {
    Device device = device(ctx);
    KernelProgram program = device.load(kernels(), macros(ctx, device));
    loaded = program;
    return program;
  }

  /** Gives up the kernels. */
  @Override
  public void close() {
    if (loaded != null) {
      loaded.close();
      loaded = null;
    }
  }
}
