package futharkc.backend.interpreter;

import futharkc.core.ir.SizeClass;

/**
 * The properties of a small device, on which small inputs exercise all features of a GPU program.
 */
final class SmallSizes {
  private SmallSizes() {}

  /**
   * Returns the value of a tuning parameter that nobody sets.
   *
   * @param threshold the value of a threshold
   */
  static long byDefault(SizeClass c, long threshold) {
    return switch (c) {
      case SizeClass.Plain p ->
          switch (p) {
            case THREAD_BLOCK_SIZE -> 8;
            case GRID_SIZE -> 4;
            case TILE_SIZE -> 4;
            case REG_TILE_SIZE -> 2;
            case SHARED_MEMORY, CACHE -> 1 << 16;
            case REGISTERS -> 64;
          };
      case SizeClass.Threshold t -> threshold;
      case SizeClass.Bespoke b -> b.defaultValue();
    };
  }

  /** Returns the largest value of a class. */
  static long max(SizeClass c) {
    return switch (c) {
      case SizeClass.Plain p ->
          switch (p) {
            case THREAD_BLOCK_SIZE -> 32;
            case GRID_SIZE -> 1 << 16;
            case TILE_SIZE -> 32;
            case REG_TILE_SIZE -> 8;
            case SHARED_MEMORY, CACHE -> 1 << 16;
            case REGISTERS -> 255;
          };
      case SizeClass.Threshold t -> Long.MAX_VALUE;
      case SizeClass.Bespoke b -> Long.MAX_VALUE;
    };
  }
}
