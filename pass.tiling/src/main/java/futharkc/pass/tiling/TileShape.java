package futharkc.pass.tiling;

import futharkc.core.ir.PrimType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of a tile's results and elements among threads.
 *
 * @param threads the number of threads in a thread block
 * @param across the number of threads along a row
 * @param depth the number of loop steps whose elements are copied at once
 * @param rows the number of rows of a thread's results
 * @param columns the number of columns of a thread's results
 * @param neighbours the number of consecutive rows or columns of a thread, whose elements it reads
 *     at once
 * @param access the number of bytes that a thread reads from shared memory at once
 * @param unrolled the number of consecutive steps in the code
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
   * Returns the largest tile that fits into registers.
   *
   * @param limits the limits of the target
   * @param size the maximal size of the tile
   * @param accumulators the types of a result's accumulators
   * @param rows the types of a row's elements in a step
   * @param columns the types of a column's elements in a step
   * @param step the statement count of a result's step
   * @param after the statement count of a result's code after the loop
   * @return null if a thread would have only one row or column
   */
  static @Nullable TileShape of(
      BlockTiles limits,
      TileSize size,
      List<PrimType> accumulators,
      List<PrimType> rows,
      List<PrimType> columns,
      int step,
      int after) {
    int threadsAcross = 1 << (Integer.numberOfTrailingZeros(size.threads()) + 1) / 2;
    int down = size.side();
    int across = size.side();
    int widest = 1;
    for (PrimType t : rows) {
      widest = Math.max(widest, t.bytes());
    }
    for (PrimType t : columns) {
      widest = Math.max(widest, t.bytes());
    }
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
      if (down >= across) {
        down /= 2;
      } else {
        across /= 2;
      }
    }
    return null;
  }

  /**
   * Returns a tile of one row, with one column and one element to copy for each thread.
   *
   * @param step the statement count of a step
   */
  static TileShape ofRow(BlockTiles limits, int step) {
    int threads = limits.row().size().threads();
    int most = Math.min(limits.row().unrolled(), threads);
    int unrolled = Math.clamp(fitting(limits, step), 1, most);
    return new TileShape(threads, threads, threads, 1, 1, 1, limits.access(), unrolled);
  }

  /** Returns the number of steps that fit into the statement limit: a power of two, or zero. */
  private static int fitting(BlockTiles limits, int statements) {
    return Integer.highestOneBit(limits.statements() / Math.max(1, statements));
  }

  private static int words(List<PrimType> types) {
    int bytes = PrimType.I32.bytes();
    return types.stream().mapToInt(t -> Math.ceilDiv(t.bytes(), bytes)).sum();
  }

  /** Tests whether all threads copy the same number of elements. */
  private boolean isShared() {
    for (Side side : Side.values()) {
      if (extent(side) > threads || depth > threads || extent(side) * depth < threads) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of threads along a side. */
  int threads(Side side) {
    return side == Side.COLUMN ? across : threads / across;
  }

  /**
   * Returns the number of a warp's threads along a side. Few distinct elements are then read by
   * neighbouring threads.
   */
  int inWarp(Side side) {
    return Math.min(side == Side.COLUMN ? 8 : 4, threads(side));
  }

  /** Returns the number of a thread's results along a side. */
  int results(Side side) {
    return side == Side.COLUMN ? columns : rows;
  }

  /** Returns the number of the thread block's results along a side. */
  int extent(Side side) {
    return threads(side) * results(side);
  }

  /** Returns the number of a side's elements in one array that a thread copies in a round. */
  int fetches(Side side) {
    return Math.max(1, extent(side) * depth / threads);
  }

  /** Returns the distance along a side from a thread's first result to another of its results. */
  int distance(Side side, int result) {
    return result / neighbours * neighbours * threads(side) + result % neighbours;
  }

  /**
   * Returns the number of elements between consecutive steps in shared memory, chosen so that steps
   * begin in different banks.
   */
  int pitch(Side side, PrimType type) {
    return extent(side) == 1 ? 1 : extent(side) + Math.max(1, access / type.bytes());
  }

  /**
   * Returns the bytes of an array's elements in shared memory, rounded up to the alignment of
   * others.
   */
  int bytes(Side side, PrimType type) {
    int exact = depth * pitch(side, type) * type.bytes();
    return Math.ceilDiv(exact, access) * access;
  }
}
