package futharkc.core.ir;

/** Operations of the memory representations. */
public sealed interface MemOp extends Exp {
  /** A block: its size in elements in an {@link Space.Elements} space, else in bytes. */
  record Alloc(SubExp size, Space space) implements MemOp {}

  /**
   * The array in row-major form from offset 0 of its block: the array itself if it already is, else
   * a copy.
   */
  record EnsureDirect(Name array) implements MemOp {}
}
