package futharkc.core.codegen.lower;

/** Where code runs that is lowered: what it may do, and how, depends on that. */
enum ExecutionUnit {
  /** Cores of the CPU: all code of programs that are not for a GPU. */
  CORES,
  /** The host of a GPU. */
  HOST,
  /** All threads of a thread block, together. */
  BLOCK,
  /** One thread of a GPU. */
  THREAD;

  boolean isInKernel() {
    return this == BLOCK || this == THREAD;
  }
}
