package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The kernels of a program on a device, ready to be launched. If the device has to be opened again,
 * they have to be loaded again.
 */
public final class KernelProgram implements AutoCloseable {
  private final Device device;
  private final Map<String, Kernel> kernels = new LinkedHashMap<>();
  private final FailureWord failures;
  private final long module;
  private final int loadedAt;

  KernelProgram(Device device, KernelSource source, long module) {
    this.device = device;
    this.module = module;
    loadedAt = device.resets();
    for (KernelSource.KernelDeclaration declaration : source.kernels()) {
      Driver.NativeKernel loaded = device.driver().kernel(module, declaration.name());
      kernels.put(declaration.name(), new Kernel(device, declaration, loaded));
    }
    failures = new FailureWord(device, source.failures());
  }

  /**
   * A kernel by name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Kernel kernel(String name) {
    Kernel kernel = kernels.get(name);
    if (kernel == null) {
      throw new IllegalArgumentException("no kernel " + name);
    }
    return kernel;
  }

  /** Where its kernels say that they have failed. */
  public FailureWord failures() {
    return failures;
  }

  /** Unloads the kernels, once the queue is empty. */
  @Override
  public void close() {
    boolean usable = loadedAt == device.resets() && !device.isClosed();
    if (usable) {
      try {
        device.synchronise();
      } catch (FutharkError e) {
        // Nobody is left to be told.
      }
    }
    failures.close();
    if (usable) {
      device.driver().unload(module);
    }
  }
}
