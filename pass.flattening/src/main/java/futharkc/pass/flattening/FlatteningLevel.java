package futharkc.pass.flattening;

/** Where the code is that starts parallel operations. */
enum FlatteningLevel {
  /** Host code, whose operations have threads of their own. */
  HOST,
  /** Code of a thread block, whose operations share the threads of the block. */
  BLOCK
}
