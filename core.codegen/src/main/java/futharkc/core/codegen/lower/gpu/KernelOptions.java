package futharkc.core.codegen.lower.gpu;

import futharkc.core.ir.spi.Option;
import java.util.List;

/** The options of the lowering to kernels. */
final class KernelOptions {
  /** The number of threads that access neighbouring elements in one step. */
  static final Option WARP =
      Option.integer(
              "warp",
              machine -> machine.device().warp(),
              "number of threads that execute in step and should access neighbouring elements")
          .within(1, 1024);

  /** The number of adjacent threads that exchange values by shuffles. */
  static final Option SHUFFLED =
      Option.integer(
              "shuffled",
              machine -> machine.device().shuffled(),
              "number of adjacent threads that exchange values by shuffles; 1: no shuffles")
          .within(1, 32)
          .powerOfTwo();

  /** The maximum number of thread blocks of a kernel with one thread per index. */
  static final Option BLOCKS =
      Option.integer(
              "blocks",
              1 << 20,
              "maximum number of thread blocks of a kernel with one thread per index; threads of"
                  + " larger kernels iterate")
          .within(1, Integer.MAX_VALUE);

  /** The bytes of shared memory for tickets, flags and padding. */
  static final Option RESERVED =
      Option.integer(
              "reserved",
              4096,
              "bytes of shared memory that are reserved for tickets, flags and padding")
          .within(0, 1 << 30);

  /** The number of locks of accumulators in device memory. */
  static final Option LOCKS =
      Option.integer(
              "locks",
              100_151,
              "number of locks of accumulators in device memory: a prime, so that elements updated"
                  + " at the same time seldom share a lock")
          .within(1, 1 << 30);

  /** The number of locks of accumulators in shared memory. */
  static final Option BLOCK_LOCKS =
      Option.integer(
              "block-locks",
              machine -> machine.device().threads().perBlock(),
              "number of locks of accumulators in shared memory: the maximum number of threads per"
                  + " block")
          .within(1, 1 << 16)
          .powerOfTwo();

  /** The number of statements from which an operator is emitted as a function. */
  static final Option OPERATOR_STATEMENTS =
      Option.integer(
          "operator-statements",
          24,
          "number of statements from which an operator is emitted as a function");

  /** The elements per side of a tile of a transposition. */
  static final Option TILE_SIDE =
      Option.integer("tile-side", 64, "elements per side of a tile of a transposition")
          .within(1, 1024)
          .powerOfTwo();

  /** The threads that transpose a tile. */
  static final Option TILE_THREADS =
      Option.integer("tile-threads", 256, "threads that transpose a tile, a multiple of its side")
          .within(1, 1024);

  /** The minimum number of elements of a tiled map. */
  static final Option TILE_ELEMENTS =
      Option.integer(
          "tile-elements",
          1 << 19,
          "minimum elements of a map that reads along one dimension and writes along another to run"
              + " by tiles; fewer elements give too few tiles for all multiprocessors");

  /** The elements of a map's tile in the dimension of the body's reads. */
  static final Option MAP_WIDTH =
      Option.integer(
              "map-width", 32, "elements of a map's tile in the dimension of the body's reads")
          .within(1, 1024)
          .powerOfTwo();

  /** The elements of a map's tile in the dimension of the results' writes. */
  static final Option MAP_HEIGHT =
      Option.integer(
              "map-height", 64, "elements of a map's tile in the dimension of the results' writes")
          .within(1, 1024)
          .powerOfTwo();

  /** The threads per block for a tiled map. */
  static final Option MAP_THREADS =
      Option.integer("map-threads", 256, "threads per block for a tiled map").within(1, 1024);

  /** The minimum sizes of both dimensions of a tiled map. */
  static final Option MAP_LEAST =
      Option.integer(
          "map-least",
          16,
          "minimum sizes of both dimensions of a tiled map, so that tiles are" + " mostly full");

  /** The maximum number of statements of a tiled map's body that is emitted twice. */
  static final Option MAP_STATEMENTS =
      Option.integer(
          "map-statements",
          16,
          "maximum number of statements of a tiled map's body that is emitted for full and for"
              + " partial tiles");

  /** The maximum number of elements of the short side of a matrix that one thread copies. */
  static final Option SHORT_SIDE =
      Option.integer(
              "short-side",
              16,
              "maximum number of elements of the short side of a transposed matrix, which one"
                  + " thread copies")
          .within(1, 1024);

  /** The threads per block for matrices with a short side. */
  static final Option SHORT_THREADS =
      Option.integer(
              "short-threads", 128, "threads per block for transposed matrices with a short side")
          .within(1, 1024);

  /** The maximum side of a matrix that is transposed without a tile. */
  static final Option SMALL_SIDE =
      Option.integer("small-side", 8, "maximum side of a matrix that is transposed without a tile")
          .within(0, 1 << 16);

  /** The side of a tile of words. */
  static final Option WORD_SIDE =
      Option.integer(
              "word-side",
              32,
              "side in words of a tile of elements of less than four bytes: the threads of a warp")
          .within(1, 1024)
          .powerOfTwo();

  /** The threads per block for a tile of words. */
  static final Option WORD_THREADS =
      Option.integer(
              "word-threads", 128, "threads per block, each with several words of a tile of words")
          .within(1, 1024);

  /** All options. */
  static final List<Option> ALL =
      List.of(
          WARP,
          SHUFFLED,
          BLOCKS,
          RESERVED,
          LOCKS,
          BLOCK_LOCKS,
          OPERATOR_STATEMENTS,
          TILE_SIDE,
          TILE_THREADS,
          TILE_ELEMENTS,
          MAP_WIDTH,
          MAP_HEIGHT,
          MAP_THREADS,
          MAP_LEAST,
          MAP_STATEMENTS,
          SHORT_SIDE,
          SHORT_THREADS,
          SMALL_SIDE,
          WORD_SIDE,
          WORD_THREADS);

  private KernelOptions() {}
}
