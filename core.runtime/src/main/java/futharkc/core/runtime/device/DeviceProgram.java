package futharkc.core.runtime.device;

import futharkc.core.runtime.Accelerator;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** A compiled program with kernels. Generated code extends this class. */
public abstract class DeviceProgram extends FutharkProgram {
  private @Nullable KernelProgram loaded;

  /** Creates the program; called by generated code. */
  protected DeviceProgram() {}

  /** Returns the interface of the program's devices. */
  public abstract DeviceApi api();

  /**
   * Returns the device interface of a class, which is a service of its module. Programs in
   * libraries find their interface so, because their modules depend on the run-time library alone.
   *
   * @param name the name of the class
   * @throws FutharkError if the module or jar of the interface is missing
   */
  protected static DeviceApi findApi(String name) {
    ClassLoader loader = DeviceProgram.class.getClassLoader();
    try {
      if (!DeviceProgram.class.getModule().isNamed()) {
        return Class.forName(name, true, loader)
            .asSubclass(DeviceApi.class)
            .getDeclaredConstructor()
            .newInstance();
      }
      for (ServiceLoader.Provider<DeviceApi> found :
          ServiceLoader.load(DeviceApi.class, loader).stream().toList()) {
        if (found.type().getName().equals(name)) {
          return found.get();
        }
      }
    } catch (ReflectiveOperationException e) {
      // The jar is missing, as the error below says.
    }
    String module = name.substring(0, name.lastIndexOf('.'));
    throw new FutharkError(
        "The program needs the module "
            + module
            + ": add it to the module path or class path (artifact "
            + module.substring(module.indexOf('.') + 1)
            + ").");
  }

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
