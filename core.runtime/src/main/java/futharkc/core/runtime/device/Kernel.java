package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import org.jspecify.annotations.Nullable;

/** A kernel of a {@link KernelProgram}. */
public final class Kernel {
  private final Device device;
  private final KernelSource.KernelDeclaration declaration;
  private final KernelArguments arguments;
  private final KernelProgram program;

  /** The kernel in its module; null before the first launch if the module is compiled then. */
  private Driver.@Nullable NativeKernel loaded;

  /** The value of {@link Device#resets} when the kernel was loaded. */
  private final int loadedAt;

  Kernel(Device device, KernelSource.KernelDeclaration declaration, KernelProgram program) {
    this.device = device;
    this.declaration = declaration;
    this.program = program;
    loadedAt = device.resets();
    arguments = new KernelArguments(declaration.parameters());
  }

  /** Returns the name of the kernel. */
  public String name() {
    return declaration.name();
  }

  /** Returns the source position of the kernel. */
  public String provenance() {
    return declaration.provenance();
  }

  /** Returns the arguments of its next launch. */
  public KernelArguments arguments() {
    return arguments;
  }

  /** Returns the largest number of threads in a thread block. */
  public int blockThreads() {
    return loaded().blockThreads();
  }

  /** Returns the number of registers of a thread; 0 if unknown. */
  public int registers() {
    return loaded().registers();
  }

  /** Returns the largest dynamic shared memory of a launch, in bytes. */
  public int sharedMemory() {
    return device.info().limits().sharedMemory() - loaded().sharedMemory();
  }

  boolean isLoaded() {
    return loaded != null;
  }

  /** Returns the kernel in its module, and compiles and loads the module if necessary. */
  Driver.NativeKernel loaded() {
    Driver.NativeKernel there = loaded;
    if (there == null) {
      checkDevice();
      there = program.load(declaration);
      loaded = there;
    }
    return there;
  }

  boolean takesShared() {
    return declaration.shared();
  }

  /** Returns the driver's handle. */
  long handle() {
    checkDevice();
    return loaded().handle();
  }

  private void checkDevice() {
    if (loadedAt != device.resets()) {
      throw new FutharkError(
          "Kernel " + name() + " is lost: its device had to be opened again since it was loaded.");
    }
  }
}
