package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import org.jspecify.annotations.Nullable;

/** A kernel of a {@link KernelProgram}. */
public final class Kernel {
  private final Device device;
  private final KernelSource.KernelDeclaration declaration;
  private final KernelArguments arguments;
  private final KernelProgram program;

  /** Null before its first launch, if its module is compiled then. */
  private Driver.@Nullable NativeKernel loaded;

  /** {@link Device#resets} when it was loaded. */
  private final int loadedAt;

  Kernel(Device device, KernelSource.KernelDeclaration declaration, KernelProgram program) {
    this.device = device;
    this.declaration = declaration;
    this.program = program;
    loadedAt = device.resets();
    arguments = new KernelArguments(declaration.parameters());
  }

  /** Its name. */
  public String name() {
    return declaration.name();
  }

  /** Where it comes from in the program's source. */
  public String provenance() {
    return declaration.provenance();
  }

  /** The arguments of its next launch. */
  public KernelArguments arguments() {
    return arguments;
  }

  /** The largest number of threads in a thread block. */
  public int blockThreads() {
    return loaded().blockThreads();
  }

  /** Registers that a thread takes; 0 where that is not known. */
  public int registers() {
    return loaded().registers();
  }

  /** Bytes of shared memory that a launch can ask for. */
  public int sharedMemory() {
    return device.info().limits().sharedMemory() - loaded().sharedMemory();
  }

  boolean isLoaded() {
    return loaded != null;
  }

  /** Itself in its module, which is compiled and loaded if that has not been done. */
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

  /** The driver's handle. */
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
