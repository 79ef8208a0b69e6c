package futharkc.core.ir;

import java.util.Locale;

/**
 * A representation: which nodes are legal, and whether arrays say where they are in memory. Those
 * of {@link futharkc.core.ir.imperative.ImperativeProgram} have no arrays but memory blocks.
 */
public enum Rep {
  /** Second-order array combinators. */
  SOACS(Form.ARRAYS),
  /** Sequential code. */
  SEQ(Form.ARRAYS),
  /** Parallel operations on CPU cores. */
  MC(Form.ARRAYS),
  /** Parallel operations on a GPU, and host code. */
  GPU(Form.ARRAYS),
  SEQ_MEM(Form.ARRAYS_IN_MEMORY),
  MC_MEM(Form.ARRAYS_IN_MEMORY),
  GPU_MEM(Form.ARRAYS_IN_MEMORY),
  /** Imperative code for one thread. */
  SEQ_IMP(Form.IMPERATIVE),
  /** Imperative code with parallel regions. */
  MC_IMP(Form.IMPERATIVE),
  /** Imperative code for a host, which launches kernels on a device. */
  GPU_IMP(Form.IMPERATIVE);

  private enum Form {
    ARRAYS,
    ARRAYS_IN_MEMORY,
    IMPERATIVE
  }

  private final Form form;

  Rep(Form form) {
    this.form = form;
  }

  /** Whether arrays are annotated with memory. */
  public boolean hasMemory() {
    return form == Form.ARRAYS_IN_MEMORY;
  }

  /** Whether programs are imperative, not of arrays. */
  public boolean isImperative() {
    return form == Form.IMPERATIVE;
  }

  /** As on the command line: {@code gpu-mem}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
