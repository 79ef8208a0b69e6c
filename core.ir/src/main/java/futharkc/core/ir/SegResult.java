package futharkc.core.ir;

import java.util.List;

/** How a result of a {@link SegBody} becomes part of the operation's result. */
public sealed interface SegResult {
  SubExp value();

  /** The element at this index. */
  record Returns(SubExp value) implements SegResult {}

  /**
   * A certificate, on a GPU only: the result is a certificate, too, which holds if this one does at
   * every index. So operations on whole arrays can depend on checks of their elements.
   */
  record Checked(SubExp value) implements SegResult {}

  /**
   * A tile of the result: the value is an array; {@code dims} are sizes of the result and of the
   * tile.
   */
  record TileReturns(List<TileDim> dims, SubExp value) implements SegResult {
    public TileReturns {
      dims = List.copyOf(dims);
    }
  }

  /** A tile in registers. */
  record RegTileReturns(List<RegTileDim> dims, SubExp value) implements SegResult {
    public RegTileReturns {
      dims = List.copyOf(dims);
    }
  }

  /** Size of a dimension of the result and of the tile. */
  record TileDim(SubExp size, SubExp tile) {}

  /** Size of a dimension of the result, of the block's tile and of the register tile. */
  record RegTileDim(SubExp size, SubExp block, SubExp reg) {}
}
