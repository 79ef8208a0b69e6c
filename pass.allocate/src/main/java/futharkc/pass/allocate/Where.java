package futharkc.pass.allocate;

/** Where code runs: what memory it may allocate depends on that. */
enum Where {
  /** On the host; all code of programs that are not for a GPU. */
  HOST,
  /** In a thread block, by all of its threads together. */
  BLOCK,
  /** In one thread. */
  THREAD
}
