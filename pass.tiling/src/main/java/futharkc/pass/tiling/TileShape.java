package futharkc.pass.tiling;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the threads of a block share out a tile.
 *
 * @param threads of the block
 * @param across how many of them are along a row
 * @param depth steps of the loop for which elements are fetched at once
 * @param rows of a thread's results
 * @param columns of a thread's results
 * @param neighbours rows, or columns, of a thread that follow each other: elements of as many are
 *     read at once
 * @param access bytes that a thread reads of shared memory at once
 * @param unrolled steps that follow each other in the code
 */
record TileShape(
    int threads,
    int across,
    int depth,
    int rows,
    int columns,
    int neighbours,
    int access,
    int unrolled) {
  /**
   * The largest tile for which registers suffice.
   *
   * @param size how large it may be
   * @param accumulators the types of what a result accumulates
   * @param rows the types of the elements that a row has in a step, and of each column's
   * @param step statements of a result in a step
   * @param after likewise, behind the loop
   * @return null if threads have but one row or column
   */
  static @Nullable TileShape of(
      Target.BlockTiles limits,
      Target.TileSize size,
      List<PrimType> accumulators,
      List<PrimType> rows,
      List<PrimType> columns,
      int step,
      int after) {
    int threadsAcross = 1 << (Integer.numberOfTrailingZeros(size.threads()) + 1) / 2;
    int down = size.side();
    int across = size.side();
    int widest = 1;
    for (PrimType t : rows) widest = Math.max(widest, t.bytes());
    for (PrimType t : columns) widest = Math.max(widest, t.bytes());
    while (down > 1 && across > 1) {
      int neighbours = Math.max(1, Math.min(Math.min(down, across), limits.access() / widest));
      int results = down * across;
      int unrolled = Math.min(limits.depth(), fitting(limits, step * results));
      TileShape s =
          new TileShape(
              size.threads(),
              threadsAcross,
              limits.depth(),
              down,
              across,
              neighbours,
              limits.access(),
              unrolled);
      int registers =
          words(accumulators) * results
              + words(rows) * (down + s.fetches(Side.ROW))
              + words(columns) * (across + s.fetches(Side.COLUMN));
      boolean isShort = unrolled > 0 && after * results <= limits.statements();
      if (registers <= limits.registers() && isShort) {
        return s.isShared() ? s : null;
      }
      if (down >= across) down /= 2;
      else across /= 2;
    }
    return null;
  }

  /**
   * A tile of one row, with a column and an element to fetch for each thread.
   *
   * @param step statements in a step
   */
  static TileShape ofRow(Target.BlockTiles limits, int step) {
    int threads = limits.row().size().threads();
    int most = Math.min(limits.row().unrolled(), threads);
    int unrolled = Math.clamp(fitting(limits, step), 1, most);
    return new TileShape(threads, threads, threads, 1, 1, 1, limits.access(), unrolled);
  }

  /** How many steps of so many statements fit, a power of two, or none. */
  private static int fitting(Target.BlockTiles limits, int statements) {
    return Integer.highestOneBit(limits.statements() / Math.max(1, statements));
  }

  private static int words(List<PrimType> types) {
    int bytes = PrimType.I32.bytes();
    return types.stream().mapToInt(t -> Math.ceilDiv(t.bytes(), bytes)).sum();
  }

  /** Whether each thread fetches as many elements as the others. */
  private boolean isShared() {
    for (Side side : Side.values()) {
      if (extent(side) > threads || depth > threads || extent(side) * depth < threads) return false;
    }
    return true;
  }

  /** How many threads there are along a side. */
  int threads(Side side) {
    return side == Side.COLUMN ? across : threads / across;
  }

  /** How many threads of a warp are along a side: neighbours read few different elements. */
  int inWarp(Side side) {
    return Math.min(side == Side.COLUMN ? 8 : 4, threads(side));
  }

  /** Results of a thread along a side. */
  int results(Side side) {
    return side == Side.COLUMN ? columns : rows;
  }

  /** Results of the block along a side. */
  int extent(Side side) {
    return threads(side) * results(side);
  }

  /** Elements of an array that a thread fetches for a side at a time. */
  int fetches(Side side) {
    return Math.max(1, extent(side) * depth / threads);
  }

  /** How far a result of a thread is from its first one along a side. */
  int distance(Side side, int result) {
    return result / neighbours * neighbours * threads(side) + result % neighbours;
  }

  /** Elements from a step to the next in shared memory, so that steps begin in different banks. */
  int pitch(Side side, PrimType type) {
    return extent(side) == 1 ? 1 : extent(side) + Math.max(1, access / type.bytes());
  }

  /** Bytes of the elements of an array in shared memory, rounded up so that others may follow. */
  int bytes(Side side, PrimType type) {
    int exact = depth * pitch(side, type) * type.bytes();
    return Math.ceilDiv(exact, access) * access;
  }
}
