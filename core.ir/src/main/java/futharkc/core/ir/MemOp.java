package futharkc.core.ir;

/** Operations of the memory representations. */
public sealed interface MemOp extends Exp {
  /**
   * An allocation of a block. The size counts elements in an {@link Space.Elements} space and bytes
   * elsewhere.
   */
  record Alloc(SubExp size, Space space) implements MemOp {}

  /**
   * The array in row-major form from offset 0 of its block: the array itself if it already has that
   * layout, otherwise a copy.
   */
  record EnsureDirect(Name array) implements MemOp {}
}
