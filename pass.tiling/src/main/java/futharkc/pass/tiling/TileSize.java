package futharkc.pass.tiling;

/**
 * The size of a tile.
 *
 * @param threads the threads per block, a power of two
 * @param resident the threads of a multiprocessor for which its registers must suffice
 * @param side the maximum rows, and columns, of a thread's results, a power of two
 * @param elements the minimum elements of a tiled result; fewer give too few tiles for all
 *     multiprocessors
 * @param least the minimum rows, and columns, of a tiled result, so that tiles are mostly full
 * @param steps the minimum trip count of the loop, which must outweigh the grouped stores of a
 *     thread's results
 */
record TileSize(int threads, int resident, int side, long elements, int least, int steps) {
  TileSize {
    if (Integer.bitCount(threads) != 1 || Integer.bitCount(side) != 1) {
      throw new IllegalArgumentException("tiles of " + side + " for " + threads + " threads");
    }
  }

  /**
   * Returns this size for results of at least {@code elements} elements and any number of rows,
   * columns and steps.
   */
  TileSize withElements(long elements) {
    return new TileSize(threads, resident, side, elements, 1, 0);
  }
}
