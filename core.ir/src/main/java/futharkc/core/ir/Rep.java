package futharkc.core.ir;

import java.util.Locale;

/**
 * A representation: the set of legal nodes and the form of arrays. Imperative representations
 * ({@link futharkc.core.ir.imperative.ImperativeProgram}) have memory blocks instead of arrays.
 */
public enum Rep {
  /** Second-order array combinators. */
  SOACS(Form.ARRAYS, Parallelism.COMBINATORS),
  /** Sequential code. */
  SEQ(Form.ARRAYS, Parallelism.NONE),
  /** Parallel operations on CPU cores. */
  MC(Form.ARRAYS, Parallelism.CORES),
  /** Parallel operations on a GPU, and host code. Bodies of threads may contain combinators. */
  GPU(Form.ARRAYS, Parallelism.DEVICE),
  SEQ_MEM(Form.ARRAYS_IN_MEMORY, Parallelism.NONE),
  MC_MEM(Form.ARRAYS_IN_MEMORY, Parallelism.CORES),
  GPU_MEM(Form.ARRAYS_IN_MEMORY, Parallelism.DEVICE),
  /** Imperative code for one thread. */
  SEQ_IMP(Form.IMPERATIVE, Parallelism.NONE),
  /** Imperative code with parallel regions for CPU cores. */
  MC_IMP(Form.IMPERATIVE, Parallelism.CORES),
  /** Imperative code for a host that launches kernels on a device. */
  GPU_IMP(Form.IMPERATIVE, Parallelism.DEVICE);

  private enum Form {
    ARRAYS,
    ARRAYS_IN_MEMORY,
    IMPERATIVE
  }

  private enum Parallelism {
    COMBINATORS,
    NONE,
    CORES,
    DEVICE
  }

  private final Form form;
  private final Parallelism parallelism;

  Rep(Form form, Parallelism parallelism) {
    this.form = form;
    this.parallelism = parallelism;
  }

  /** Tests whether arrays have memory annotations. */
  public boolean hasMemory() {
    return form == Form.ARRAYS_IN_MEMORY;
  }

  /** Tests whether programs are imperative. */
  public boolean isImperative() {
    return form == Form.IMPERATIVE;
  }

  /** Tests whether all code runs on one thread. */
  public boolean isSequential() {
    return parallelism == Parallelism.NONE;
  }

  /** Tests whether parallel operations run on CPU cores. */
  public boolean hasCores() {
    return parallelism == Parallelism.CORES;
  }

  /** Tests whether there is a device besides the host. */
  public boolean hasDevice() {
    return parallelism == Parallelism.DEVICE;
  }

  /**
   * Tests whether second-order combinators are legal. In {@link #GPU}, they are legal in bodies of
   * threads only.
   */
  public boolean hasCombinators() {
    return this == SOACS || this == GPU;
  }

  /**
   * Tests whether memory is addressed in bytes. A byte-addressed block holds arrays of any type and
   * its size counts bytes. Otherwise a block is a JVM array with elements of one type, and its size
   * counts elements.
   */
  public boolean isByteAddressed() {
    return hasDevice();
  }

  /** Tests whether the memory space is legal. */
  public boolean allows(Space s) {
    return switch (s) {
      case Space.Elements _ -> hasMemory() && !isByteAddressed();
      case Space.Device _, Space.Shared _, Space.Scalar _, Space.Named _ ->
          hasMemory() && isByteAddressed();
    };
  }

  /**
   * Tests whether expressions of this kind are legal somewhere. ({@link #GPU} allows second-order
   * combinators in bodies of threads only.) {@link futharkc.core.ir.imperative.Legality} is the
   * counterpart for imperative programs.
   */
  public boolean allows(Exp e) {
    return switch (e) {
      case BasicOp _, Exp.Apply _, Exp.Match _, Exp.Loop _, Exp.WithAcc _ -> !isImperative();
      case Soac _ -> hasCombinators();
      case SegExp.ParOp _ -> hasCores() && !isImperative();
      case SegExp.Seg _, HostOp _ -> hasDevice() && !isImperative();
      case MemOp _ -> hasMemory();
    };
  }

  /** Returns the name on the command line, for example {@code gpu-mem}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
