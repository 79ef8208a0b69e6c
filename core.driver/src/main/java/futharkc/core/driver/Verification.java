package futharkc.core.driver;

/** What is checked of a program after every pass. */
public enum Verification {
  /** Nothing. */
  NONE,
  /** That it is well-formed. */
  FORM,
  /**
   * Its form, and where arrays have memory, that none is written over another that is read later.
   * It takes some per cent of the time to compile, and is what a doubt about memory merging wants.
   */
  MEMORY
}
