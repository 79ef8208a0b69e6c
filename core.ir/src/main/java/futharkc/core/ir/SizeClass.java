package futharkc.core.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The purpose of a {@link TuningParameter}. The device has a default value for each class. */
public sealed interface SizeClass {
  /** Classes without parameters. */
  enum Plain implements SizeClass {
    /** Threads per block. */
    THREAD_BLOCK_SIZE,
    /** The maximum number of thread blocks in a kernel launch. */
    GRID_SIZE,
    /** Rows of a tile in shared memory. */
    TILE_SIZE,
    /** Rows of a tile in registers. */
    REG_TILE_SIZE,
    /** Bytes of shared memory per thread block. */
    SHARED_MEMORY,
    /** Bytes of the cache that all thread blocks share. */
    CACHE,
    /** Registers per thread. */
    REGISTERS;

    /**
     * Returns the name in the text form and in tuning tools, for example {@code thread_block_size}.
     */
    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * The amount of parallelism that makes a version of code worthwhile.
   *
   * @param defaultValue the default value, or null if it depends on the device
   * @param path the thresholds compared earlier with their outcomes, outermost first; the program
   *     compares this threshold only after these outcomes
   */
  record Threshold(@Nullable Long defaultValue, List<Compared> path) implements SizeClass {
    public Threshold {
      path = List.copyOf(path);
    }

    /**
     * Returns the form that tuning tools read: {@code threshold(32, main.suff_outer_par_1
     * !main.other)}.
     */
    @Override
    public String toString() {
      return "threshold("
          + (defaultValue == null ? "def" : defaultValue)
          + ", "
          + String.join(" ", path.stream().map(Compared::toString).toList())
          + ")";
    }
  }

  /** A compared threshold and its outcome. */
  record Compared(String parameter, boolean reached) {
    @Override
    public String toString() {
      return (reached ? "" : "!") + parameter;
    }
  }

  /** A class that a backend or plugin defines. */
  record Bespoke(String name, long defaultValue) implements SizeClass {
    @Override
    public String toString() {
      return name;
    }
  }
}
