package futharkc.core.codegen.lower.common;

/**
 * The processor that runs the code being lowered. It determines the legal operations and their
 * form.
 */
public enum ExecutionUnit {
  /** The cores of the CPU, in programs that are not for a GPU. */
  CORES,
  /** The host of a GPU. */
  HOST,
  /** All threads of a thread block together. */
  BLOCK,
  /** One thread of a GPU. */
  THREAD;

  boolean isInKernel() {
    return this == BLOCK || this == THREAD;
  }
}
