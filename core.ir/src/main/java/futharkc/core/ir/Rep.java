package futharkc.core.ir;

import java.util.Locale;

/**
 * A representation: which nodes are legal, and whether arrays say where they are in memory. Those
 * of {@link futharkc.core.ir.imperative.ImperativeProgram} have no arrays but memory blocks.
 */
public enum Rep {
  /** Second-order array combinators. */
  SOACS(Form.ARRAYS, Parallelism.COMBINATORS),
  /** Sequential code. */
  SEQ(Form.ARRAYS, Parallelism.NONE),
  /** Parallel operations on CPU cores. */
  MC(Form.ARRAYS, Parallelism.CORES),
  /** Parallel operations on a GPU, and host code; threads may still have combinators. */
  GPU(Form.ARRAYS, Parallelism.DEVICE),
  SEQ_MEM(Form.ARRAYS_IN_MEMORY, Parallelism.NONE),
  MC_MEM(Form.ARRAYS_IN_MEMORY, Parallelism.CORES),
  GPU_MEM(Form.ARRAYS_IN_MEMORY, Parallelism.DEVICE),
  /** Imperative code for one thread. */
  SEQ_IMP(Form.IMPERATIVE, Parallelism.NONE),
  /** Imperative code with parallel regions. */
  MC_IMP(Form.IMPERATIVE, Parallelism.CORES),
  /** Imperative code for a host, which launches kernels on a device. */
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

  /** Whether arrays are annotated with memory. */
  public boolean hasMemory() {
    return form == Form.ARRAYS_IN_MEMORY;
  }

  /** Whether programs are imperative, not of arrays. */
  public boolean isImperative() {
    return form == Form.IMPERATIVE;
  }

  /** Whether everything runs on one thread. */
  public boolean isSequential() {
    return parallelism == Parallelism.NONE;
  }

  /** Whether parallelism is that of CPU cores. */
  public boolean hasCores() {
    return parallelism == Parallelism.CORES;
  }

  /** Whether there is a device beside the host. */
  public boolean hasDevice() {
    return parallelism == Parallelism.DEVICE;
  }

  /** Whether there are second-order combinators; in {@link #GPU}, in threads only. */
  public boolean hasCombinators() {
    return this == SOACS || this == GPU;
  }

  /**
   * Whether memory is addressed in bytes, so that arrays of any type can be in a block and sizes
   * count bytes. Elsewhere a block has elements of one type, as the arrays of the JVM, and sizes
   * count these.
   */
  public boolean isByteAddressed() {
    return hasDevice();
  }

  /** Whether programs have memory of that kind. */
  public boolean allows(Space s) {
    return switch (s) {
      case Space.Elements _ -> hasMemory() && !isByteAddressed();
      case Space.Device _, Space.Shared _, Space.Scalar _, Space.Named _ ->
          hasMemory() && isByteAddressed();
    };
  }

  /**
   * Whether programs have expressions of that kind anywhere. (Second-order combinators are part of
   * {@link #GPU} in threads only.) Of imperative programs, {@link
   * futharkc.core.ir.imperative.Legality} says that.
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

  /** As on the command line: {@code gpu-mem}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
