package futharkc.pass.tiling;

import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/**
 * The limits of matrix products and similar operations that compute one tile of results after the
 * other.
 *
 * @param bytes the bytes of a row of a tile
 * @param highest the maximum rows of a tile
 * @param lowest the minimum rows of a tile
 * @param depth the maximum number of steps of an inner loop, a power of two
 * @param operations the maximum number of operations of an inner loop
 * @param tilesPerThread the number of tiles per thread for which rows of tiles are shortened
 * @param accumulators the maximum number of accumulators of a result
 * @param packed the maximum number of packed values of a column and step
 * @param ofRuns the smallest tiled product if the elements of each step are adjacent
 * @param ofStrides the smallest tiled product if they are not, since vectors do not pack them
 */
record CacheTiles(
    int bytes,
    int highest,
    int lowest,
    int depth,
    int operations,
    int tilesPerThread,
    int accumulators,
    int packed,
    LeastProduct ofRuns,
    LeastProduct ofStrides) {
  /** The maximum rows of a tile, which fits in the second-level cache. */
  static final Option ROWS =
      Option.integer("rows", 128, "maximum rows of a tile, which fits in the second-level cache")
          .within(1, 4096);

  /** The minimum rows of a tile, which must outweigh the packing of its columns. */
  static final Option LOWEST =
      Option.integer(
              "lowest",
              16,
              "minimum rows of a tile, which must outweigh the packing of its columns")
          .within(1, 4096);

  /** The bytes of a row of a tile. */
  static final Option COLUMNS =
      Option.integer(
              "columns",
              1024,
              "bytes of a row of a tile: the elements of all steps of an inner loop must fit in"
                  + " the first-level cache")
          .within(1, 65_536);

  /** The maximum number of steps of an inner loop. */
  static final Option DEPTH =
      Option.integer("depth", 8, "maximum number of steps of an inner loop")
          .within(1, 64)
          .powerOfTwo();

  /** The maximum number of operations of an inner loop, which the JVM vectorises. */
  static final Option OPERATIONS =
      Option.integer(
          "operations",
          16,
          "maximum number of operations of an inner loop, which the JVM vectorises");

  /** The number of tiles per thread for which rows of tiles are shortened. */
  static final Option TILES =
      Option.integer("tiles", 4, "number of tiles per thread for which rows of tiles are shortened")
          .within(1, 1024);

  /** The maximum number of accumulators of a result. */
  static final Option ACCUMULATORS =
      Option.integer("accumulators", 2, "maximum number of accumulators of a result");

  /** The maximum number of packed values of a column and step. */
  static final Option PACKED =
      Option.integer("packed", 2, "maximum number of packed values of a column and step");

  /** The minimum numbers of rows, columns and steps of a tiled region. */
  static final Option LEAST =
      Option.integer(
          "least",
          0,
          "minimum numbers of rows, columns and steps of a tiled region; 0: the numbers of"
              + " the other options");

  /** The minimum rows of a product whose elements of each step are adjacent. */
  static final Option RUN_ROWS =
      Option.integer(
          "run-rows", 32, "minimum rows of a product whose elements of each step are adjacent");

  /** The minimum columns of a product whose elements of each step are adjacent. */
  static final Option RUN_COLUMNS =
      Option.integer(
          "run-columns",
          64,
          "minimum columns of a product whose elements of each step are adjacent");

  /** The minimum steps of a product whose elements of each step are adjacent. */
  static final Option RUN_STEPS =
      Option.integer(
          "run-steps", 64, "minimum steps of a product whose elements of each step are adjacent");

  /** The minimum steps of all results of a product whose elements of each step are adjacent. */
  static final Option RUN_WORK =
      Option.integer(
          "run-work",
          1 << 19,
          "minimum steps of all results of a product whose elements of each step are adjacent");

  /** The minimum rows of a product whose elements of each step are not adjacent. */
  static final Option STRIDE_ROWS =
      Option.integer(
          "stride-rows",
          128,
          "minimum rows of a product whose elements of each step are not adjacent");

  /** The minimum columns of a product whose elements of each step are not adjacent. */
  static final Option STRIDE_COLUMNS =
      Option.integer(
          "stride-columns",
          128,
          "minimum columns of a product whose elements of each step are not adjacent");

  /** The minimum steps of a product whose elements of each step are not adjacent. */
  static final Option STRIDE_STEPS =
      Option.integer(
          "stride-steps",
          64,
          "minimum steps of a product whose elements of each step are not adjacent");

  /** The minimum steps of all results of a product whose elements of each step are not adjacent. */
  static final Option STRIDE_WORK =
      Option.integer(
          "stride-work",
          1 << 21,
          "minimum steps of all results of a product whose elements of each step are not"
              + " adjacent");

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(
          ROWS,
          LOWEST,
          COLUMNS,
          DEPTH,
          OPERATIONS,
          TILES,
          ACCUMULATORS,
          PACKED,
          LEAST,
          RUN_ROWS,
          RUN_COLUMNS,
          RUN_STEPS,
          RUN_WORK,
          STRIDE_ROWS,
          STRIDE_COLUMNS,
          STRIDE_STEPS,
          STRIDE_WORK);

  /** Returns the limits that a pass's options give. */
  static CacheTiles of(PassContext context) {
    int rows = context.number(ROWS);
    int least = context.number(LEAST);
    LeastProduct all = new LeastProduct(least, least, least, least);
    LeastProduct ofRuns =
        new LeastProduct(
            context.number(RUN_ROWS),
            context.number(RUN_COLUMNS),
            context.number(RUN_STEPS),
            context.number(RUN_WORK));
    LeastProduct ofStrides =
        new LeastProduct(
            context.number(STRIDE_ROWS),
            context.number(STRIDE_COLUMNS),
            context.number(STRIDE_STEPS),
            context.number(STRIDE_WORK));
    return new CacheTiles(
        context.number(COLUMNS),
        rows,
        Math.min(rows, context.number(LOWEST)),
        context.number(DEPTH),
        context.number(OPERATIONS),
        context.number(TILES),
        context.number(ACCUMULATORS),
        context.number(PACKED),
        least == 0 ? ofRuns : all,
        least == 0 ? ofStrides : all);
  }
}
