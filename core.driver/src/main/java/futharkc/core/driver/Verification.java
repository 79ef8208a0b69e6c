package futharkc.core.driver;

/** The checks of a program after every pass. */
public enum Verification {
  /** No check. */
  NONE,
  /** The check that the program is well-formed. */
  FORM,
  /**
   * The check that the program is well-formed and, in representations with memory, that no array
   * overwrites another array that is read later. It takes some per cent of the compile time. Use it
   * to find errors in the merging of memory blocks.
   */
  MEMORY
}
