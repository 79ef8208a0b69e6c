package futharkc.core.ir;

import java.util.List;

/** The form in which a result of a {@link SegBody} enters the operation's result. */
public sealed interface SegResult {
  SubExp value();

  /** The array element at the current index. */
  record Returns(SubExp value) implements SegResult {}

  /**
   * A certificate, on a GPU only. The operation's result is a certificate that holds if this
   * certificate holds at every index. Later operations on the whole array thus depend on checks of
   * its elements.
   */
  record Checked(SubExp value) implements SegResult {}

  /**
   * A tile of the result.
   *
   * @param dims the sizes of the result and of the tile, by dimension
   * @param value an array, the tile
   */
  record TileReturns(List<TileDim> dims, SubExp value) implements SegResult {
    public TileReturns {
      dims = List.copyOf(dims);
    }
  }

  /** A tile of the result, held in the registers of the threads. */
  record RegTileReturns(List<RegTileDim> dims, SubExp value) implements SegResult {
    public RegTileReturns {
      dims = List.copyOf(dims);
    }
  }

  /** The sizes of one dimension of the result and of the tile. */
  record TileDim(SubExp size, SubExp tile) {}

  /**
   * The sizes of one dimension of the result, of the thread block's tile and of the register tile.
   */
  record RegTileDim(SubExp size, SubExp block, SubExp reg) {}
}
