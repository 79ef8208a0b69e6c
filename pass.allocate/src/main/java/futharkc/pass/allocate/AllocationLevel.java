package futharkc.pass.allocate;

/** The levels of code, which determine the memory that it may allocate. */
enum AllocationLevel {
  /** Host code, and all code of programs for other targets than GPUs. */
  HOST,
  /** Code of a thread block, executed by all of its threads together. */
  BLOCK,
  /** Code of one thread. */
  THREAD
}
