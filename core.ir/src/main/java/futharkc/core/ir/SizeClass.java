package futharkc.core.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link TuningParameter} is for. The class says what its value is where nobody sets it:
 * what the device has as default for the class.
 */
public sealed interface SizeClass {
  /** Classes that need no further word. */
  enum Plain implements SizeClass {
    /** Threads in a block. */
    THREAD_BLOCK_SIZE,
    /** Thread blocks that a kernel is run with at most. */
    GRID_SIZE,
    /** Rows of a tile in shared memory. */
    TILE_SIZE,
    /** Rows of a tile in registers. */
    REG_TILE_SIZE,
    /** Bytes of shared memory of a block. */
    SHARED_MEMORY,
    /** Bytes of the cache that all blocks share. */
    CACHE,
    /** Registers of a thread. */
    REGISTERS;

    /** As in text and tuning tools: {@code thread_block_size}. */
    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * The amount of parallelism from which on a version of some code is worth choosing.
   *
   * @param defaultValue where it does not depend on the device
   * @param path which other thresholds were compared before, and how that came out, outermost
   *     first: only then is this one compared
   */
  record Threshold(@Nullable Long defaultValue, List<Compared> path) implements SizeClass {
    public Threshold {
      path = List.copyOf(path);
    }

    /** As tuning tools know it: {@code threshold(32, main.suff_outer_par_1 !main.other)}. */
    @Override
    public String toString() {
      return "threshold("
          + (defaultValue == null ? "def" : defaultValue)
          + ", "
          + String.join(" ", path.stream().map(Compared::toString).toList())
          + ")";
    }
  }

  /** A threshold that was compared: whether it was reached. */
  record Compared(String parameter, boolean reached) {
    @Override
    public String toString() {
      return (reached ? "" : "!") + parameter;
    }
  }

  /** A class of a compiler's own. */
  record Bespoke(String name, long defaultValue) implements SizeClass {
    @Override
    public String toString() {
      return name;
    }
  }
}
