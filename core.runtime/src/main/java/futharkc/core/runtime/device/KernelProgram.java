package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The kernels of a program on a device. A large program has several modules. A module is compiled,
 * or fetched from the cache, at the first launch of one of its kernels, since most calls need few
 * modules. Other threads compile the following modules meanwhile, if the driver allows it and there
 * are idle processors. After the device was opened again, the kernels must be loaded again.
 */
public final class KernelProgram implements AutoCloseable {
  private final Device device;
  private final KernelBinaries binaries;
  private final ModuleCompilation compilation;
  private final Map<String, Kernel> kernels = new LinkedHashMap<>();
  private final FailureWord failures;
  private final int loadedAt;

  /** The driver's handles of the loaded modules, by position. */
  private final Map<Integer, Long> modules = new HashMap<>();

  /** True if the first module has all kernels. */
  private boolean whole;

  KernelProgram(Device device, KernelSource source, Map<String, Long> macros) {
    this.device = device;
    binaries = new KernelBinaries(device, source, macros);
    compilation =
        new ModuleCompilation(
            binaries,
            source.modules().size(),
            device.driver().compilesConcurrently() ? ModuleCompilation.UNKNOWN : 0);
    loadedAt = device.resets();
    whole = binaries.areWhole();
    for (KernelSource.KernelDeclaration declaration : source.kernels()) {
      kernels.put(declaration.name(), new Kernel(device, declaration, this));
    }
    if (whole) {
      loadWhole();
    }
    failures = new FailureWord(device, source.failures());
  }

  private void loadWhole() {
    DeviceOptions options = device.options();
    Path given = options.binary() == null ? options.source() : options.binary();
    try {
      modules.put(0, binaries.load());
      // A mismatch is reported before any kernel runs.
      kernels.values().forEach(Kernel::loaded);
    } catch (DriverException e) {
      boolean isForFile =
          switch (e.kind()) {
            case BINARY, OTHER -> given != null;
            case COMPILATION, NO_COMPILER, MEMORY, LOST -> false;
          };
      if (!isForFile) {
        throw e;
      }
      throw new FutharkError(
          "The kernels in "
              + given
              + " are not for this program, or not for device "
              + device.info().name()
              + ": "
              + e.getMessage());
    }
  }

  /** Returns a kernel in its module, and loads the module if necessary. */
  Driver.NativeKernel load(KernelSource.KernelDeclaration declaration) {
    return device.driver().kernel(module(declaration.module()), declaration.name());
  }

  private long module(int wanted) {
    int position = whole ? 0 : wanted;
    Long loaded = modules.get(position);
    if (loaded != null) {
      return loaded;
    }
    long module;
    try {
      module = binaries.load(position, compilation);
    } catch (DriverException e) {
      if (e.kind() != DriverException.Kind.NO_COMPILER || !modules.isEmpty()) {
        throw e;
      }
      module = binaries.load();
      whole = true;
      position = 0;
    }
    modules.put(position, module);
    return module;
  }

  /**
   * Returns the kernel with a name.
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

  /** Returns the record of the kernels' failures. */
  public FailureWord failures() {
    return failures;
  }

  /** Unloads the kernels after the work in the queue is finished. */
  @Override
  public void close() {
    compilation.close();
    boolean usable = loadedAt == device.resets() && !device.isClosed();
    if (usable) {
      try {
        device.synchronise();
      } catch (FutharkError e) {
        // The device is closing, so that an error has no consequence.
      }
    }
    failures.close();
    if (usable) {
      modules.values().forEach(device.driver()::unload);
    }
  }
}
