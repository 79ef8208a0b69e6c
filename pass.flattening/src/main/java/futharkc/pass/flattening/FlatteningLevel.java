package futharkc.pass.flattening;

/** The levels of code that launches parallel operations. */
enum FlatteningLevel {
  /** Host code. Its operations are kernels with threads of their own. */
  HOST,
  /** Code of a thread block. Its operations share the block's threads. */
  BLOCK
}
