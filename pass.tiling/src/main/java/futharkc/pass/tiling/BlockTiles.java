package futharkc.pass.tiling;

import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/**
 * The limits of matrix products and similar operations that compute one tile per thread block.
 *
 * @param depth the steps of the loop whose elements are fetched at once, a power of two
 * @param access the bytes of shared memory that a thread reads at once
 * @param registers the maximum registers for a thread's accumulators, fetched and read values
 * @param statements the maximum number of statements of all results of a thread, over as many steps
 *     as fit
 * @param sizes the tile sizes, largest first
 * @param row the tiles of a single row
 */
record BlockTiles(
    int depth, int access, int registers, int statements, List<TileSize> sizes, TileRow row) {
  /** The threads per block for all tiles of rows and columns; 0 for two sizes of tiles. */
  static final Option THREADS =
      Option.integer(
              "threads",
              0,
              "threads per block for all tiles of rows and columns; 0: two sizes of tiles, for"
                  + " large and for small results")
          .within(0, 1024)
          .powerOfTwo();

  /** The maximum rows and columns of a thread's results; 0 for two sizes of tiles. */
  static final Option SIDE =
      Option.integer(
              "side",
              0,
              "maximum rows and maximum columns of a thread's results for all tiles of rows and"
                  + " columns; 0: two sizes of tiles, for large and for small results")
          .within(0, 16)
          .powerOfTwo();

  /**
   * The minimum number of results for tiling, regardless of sides and steps; 0 for other options.
   */
  static final Option ELEMENTS =
      new Option(
              "elements",
              Option.Kind.INTEGER,
              "0",
              "minimum number of results for tiling, regardless of sides and steps; 0: the numbers"
                  + " of the other options")
          .from(0);

  /** The threads per block for tiles of large results. */
  static final Option LARGE_THREADS =
      Option.integer("large-threads", 128, "threads per block for tiles of large results")
          .within(1, 1024)
          .powerOfTwo();

  /** The maximum rows, and columns, of a thread's results for tiles of large results. */
  static final Option LARGE_SIDE =
      Option.integer(
              "large-side",
              8,
              "maximum rows, and columns, of a thread's results for tiles of large results")
          .within(1, 16)
          .powerOfTwo();

  /** The minimum number of results for tiles of large results. */
  static final Option LARGE_ELEMENTS =
      Option.integer(
          "large-elements", 1 << 20, "minimum number of results for tiles of large results");

  /** The threads per block for tiles of small results. */
  static final Option SMALL_THREADS =
      Option.integer("small-threads", 256, "threads per block for tiles of small results")
          .within(1, 1024)
          .powerOfTwo();

  /** The maximum rows, and columns, of a thread's results for tiles of small results. */
  static final Option SMALL_SIDE =
      Option.integer(
              "small-side",
              4,
              "maximum rows, and columns, of a thread's results for tiles of small results")
          .within(1, 16)
          .powerOfTwo();

  /** The minimum number of results for tiles of small results. */
  static final Option SMALL_ELEMENTS =
      Option.integer(
          "small-elements",
          1 << 17,
          "minimum number of results for tiles of small results; fewer give too few tiles for"
              + " all multiprocessors");

  /** The minimum rows, and columns, of a tiled result, so that tiles are mostly full. */
  static final Option LEAST =
      Option.integer(
          "least",
          64,
          "minimum rows, and columns, of a tiled result, so that tiles are mostly full");

  /**
   * The minimum trip count of the loop, which must outweigh the grouped stores of a thread's
   * results.
   */
  static final Option STEPS =
      Option.integer(
          "steps",
          16,
          "minimum trip count of the loop, which must outweigh the grouped stores of a"
              + " thread's results");

  /** The threads of a multiprocessor for which its registers must suffice. */
  static final Option RESIDENT =
      Option.integer(
          "resident", 512, "threads of a multiprocessor for which its registers must suffice");

  /** The loop steps whose elements are copied at once. */
  static final Option DEPTH =
      Option.integer("depth", 8, "loop steps whose elements are copied at once")
          .within(1, 64)
          .powerOfTwo();

  /** The maximum registers for a thread's accumulators, fetched and read values. */
  static final Option REGISTERS =
      Option.integer(
          "registers",
          104,
          "maximum registers for a thread's accumulators, fetched and read values");

  /** The maximum number of statements of all results of a thread, over as many steps as fit. */
  static final Option STATEMENTS =
      Option.integer(
          "statements",
          2048,
          "maximum number of statements of all results of a thread, over as many steps as fit");

  /** The threads per block for tiles of one row. */
  static final Option ROW =
      Option.integer("row", 256, "threads per block for tiles of one row")
          .within(1, 1024)
          .powerOfTwo();

  /** The maximum unrolled steps in the code of a tile of one row. */
  static final Option UNROLLED =
      Option.integer("unrolled", 8, "maximum unrolled steps in the code of a tile of one row")
          .within(1, 64)
          .powerOfTwo();

  /** The minimum number of results for tiles of one row. */
  static final Option ROW_ELEMENTS =
      Option.integer("row-elements", 256, "minimum number of results for tiles of one row");

  /** The minimum results of a row for tiles of one row. */
  static final Option ROW_LEAST =
      Option.integer("row-least", 1024, "minimum results of a row for tiles of one row");

  /** The minimum trip count of the loop for tiles of one row. */
  static final Option ROW_STEPS =
      Option.integer("row-steps", 256, "minimum trip count of the loop for tiles of one row");

  /** The maximum number of statements of a step per element that it reads, for tiles of one row. */
  static final Option ROW_STATEMENTS =
      Option.integer(
          "row-statements",
          16,
          "maximum number of statements of a step per element that it reads, for tiles of one"
              + " row; loads cost little in a longer step");

  /**
   * The maximum bytes of shared memory for tiles of one row, so that enough thread blocks fit on a
   * multiprocessor.
   */
  static final Option ROW_BYTES =
      Option.integer(
          "row-bytes",
          16 << 10,
          "maximum bytes of shared memory for tiles of one row, so that enough thread blocks"
              + " fit on a multiprocessor");

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(
          THREADS,
          SIDE,
          ELEMENTS,
          LARGE_THREADS,
          LARGE_SIDE,
          LARGE_ELEMENTS,
          SMALL_THREADS,
          SMALL_SIDE,
          SMALL_ELEMENTS,
          LEAST,
          STEPS,
          RESIDENT,
          DEPTH,
          REGISTERS,
          STATEMENTS,
          ROW,
          UNROLLED,
          ROW_ELEMENTS,
          ROW_LEAST,
          ROW_STEPS,
          ROW_STATEMENTS,
          ROW_BYTES);

  BlockTiles {
    if (Integer.bitCount(depth) != 1) {
      throw new IllegalArgumentException(depth + " steps");
    }
    sizes = List.copyOf(sizes);
  }

  /** Returns the limits that a pass's options and machine give. */
  static BlockTiles of(PassContext context) {
    return new BlockTiles(
        context.number(DEPTH),
        context.machine().device().memory().vector(),
        context.number(REGISTERS),
        context.number(STATEMENTS),
        sizes(context),
        row(context));
  }

  private static List<TileSize> sizes(PassContext context) {
    int threads = context.number(THREADS);
    int side = context.number(SIDE);
    TileSize large =
        new TileSize(
            threads == 0 ? context.number(LARGE_THREADS) : threads,
            context.number(RESIDENT),
            side == 0 ? context.number(LARGE_SIDE) : side,
            context.number(LARGE_ELEMENTS),
            context.number(LEAST),
            context.number(STEPS));
    TileSize small =
        new TileSize(
            context.number(SMALL_THREADS),
            large.resident(),
            context.number(SMALL_SIDE),
            context.number(SMALL_ELEMENTS),
            large.least(),
            large.steps());
    List<TileSize> sizes = threads == 0 && side == 0 ? List.of(large, small) : List.of(large);
    long elements = context.integer(ELEMENTS.name());
    return elements == 0 ? sizes : sizes.stream().map(x -> x.withElements(elements)).toList();
  }

  private static TileRow row(PassContext context) {
    TileSize size =
        new TileSize(
            context.number(ROW),
            0,
            1,
            context.number(ROW_ELEMENTS),
            context.number(ROW_LEAST),
            context.number(ROW_STEPS));
    int statements = context.number(ROW_STATEMENTS);
    long elements = context.integer(ELEMENTS.name());
    if (elements != 0) {
      size = size.withElements(elements);
      statements = Integer.MAX_VALUE;
    }
    return new TileRow(size, context.number(UNROLLED), statements, context.number(ROW_BYTES));
  }
}
