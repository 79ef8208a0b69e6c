package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The kernels of a program on a device, ready to be launched. Those of a large program are in
 * several modules, each of which is compiled or fetched from the cache when one of its kernels is
 * first launched: most calls need few of them. Meanwhile those that follow are compiled by threads
 * of their own, if the driver allows it and there are idle processors. If the device has to be
 * opened again, they have to be loaded again.
 */
public final class KernelProgram implements AutoCloseable {
  private final Device device;
  private final KernelBinaries binaries;
  private final ModuleCompilation compilation;
  private final Map<String, Kernel> kernels = new LinkedHashMap<>();
  private final FailureWord failures;
  private final int loadedAt;

  /** The driver's handles of the modules that are loaded, by position. */
  private final Map<Integer, Long> modules = new HashMap<>();

  /** Whether the first module has all kernels. */
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
      // What does not fit is said before anything runs.
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
              + " are not this program's, or not for device "
              + device.info().name()
              + ": "
              + e.getMessage());
    }
  }

  /** A kernel in its module. */
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
    compilation.close();
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
      modules.values().forEach(device.driver()::unload);
    }
  }
}
