package futharkc.core.codegen.lower.multicore;

import futharkc.core.ir.spi.Option;
import java.util.List;

/** The options of the lowering to parallel regions and to code of one thread. */
final class RegionOptions {
  /** The maximum number of independent chunks per thread. */
  static final Option CHUNKS =
      Option.integer("chunks", 8, "maximum number of independent chunks per thread")
          .within(1, Integer.MAX_VALUE);

  /** The maximum number of chunks per thread if iterations vary in cost. */
  static final Option UNEVEN_CHUNKS =
      Option.integer(
              "uneven-chunks",
              32,
              "maximum number of chunks per thread if iterations vary in cost; small chunks shorten"
                  + " the wait for the last chunk")
          .within(1, Integer.MAX_VALUE);

  /** The maximum number of chunks per thread for copies. */
  static final Option COPY_CHUNKS =
      Option.integer(
              "copy-chunks",
              4,
              "maximum number of chunks per thread for copies, which memory bandwidth limits")
          .within(1, Integer.MAX_VALUE);

  /** The maximum number of chunks per thread for combining histograms. */
  static final Option BIN_CHUNKS =
      Option.integer(
              "bin-chunks", 2, "maximum number of chunks per thread for combining histograms")
          .within(1, Integer.MAX_VALUE);

  /** The distance in elements between the copies of a histogram of different chunks. */
  static final Option APART =
      Option.integer(
          "apart",
          machine -> machine.processor().fetched(),
          "distance in elements between the copies of a histogram of different chunks, so that"
              + " threads write to different cache lines");

  /** The elements of a transposition tile along the inner loop. */
  static final Option INNER_TILE =
      Option.integer(
              "inner-tile",
              64,
              "elements of a transposition tile along the inner loop: whole cache lines")
          .within(1, Integer.MAX_VALUE);

  /** The elements of a transposition tile along the outer loop. */
  static final Option OUTER_TILE =
      Option.integer(
              "outer-tile",
              32,
              "elements of a transposition tile along the outer loop; both sides fit in the"
                  + " first-level cache")
          .within(1, Integer.MAX_VALUE);

  /** The constant row length in elements below which a loop copies a row. */
  static final Option SHORT_ROW =
      Option.integer(
          "short-row",
          16,
          "constant row length in elements below which a loop copies a row; a library call costs as"
              + " much");

  /** The maximum number of elements of an array that is filled element by element. */
  static final Option FEW =
      Option.integer(
          "few", 4, "maximum number of elements of an array that is filled element by element");

  /** All options of the pass for several cores. */
  static final List<Option> ALL =
      List.of(
          CHUNKS,
          UNEVEN_CHUNKS,
          COPY_CHUNKS,
          BIN_CHUNKS,
          APART,
          INNER_TILE,
          OUTER_TILE,
          SHORT_ROW,
          FEW);

  private RegionOptions() {}
}
