package futharkc.core.ir;

import java.util.Locale;

/** A representation: which nodes are legal, and whether arrays say where they are in memory. */
public enum Rep {
  /** Second-order array combinators. */
  SOACS(false),
  /** Sequential code. */
  SEQ(false),
  /** Parallel operations on CPU cores. */
  MC(false),
  /** Parallel operations on a GPU, and host code. */
  GPU(false),
  SEQ_MEM(true),
  MC_MEM(true),
  GPU_MEM(true);

  private final boolean memory;

  Rep(boolean memory) {
    this.memory = memory;
  }

  /** Whether arrays are annotated with memory. */
  public boolean hasMemory() {
    return memory;
  }

  /** As on the command line: {@code gpu-mem}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
