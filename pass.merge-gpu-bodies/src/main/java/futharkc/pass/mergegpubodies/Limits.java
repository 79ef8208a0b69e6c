package futharkc.pass.mergegpubodies;

import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/**
 * Limits of the scalar work that kernels take over. Operations are weighted by their time relative
 * to an addition.
 *
 * @param threadOperations the most operations that each thread repeats
 * @param threadLoads the most elements that each thread reads for itself
 * @param kernels the most kernels whose threads compute the same scalars
 * @param endOperations the most operations that a reduction does at its end
 */
record Limits(long threadOperations, long threadLoads, long kernels, long endOperations) {
  private static final Option THREAD_OPERATIONS =
      new Option(
              "thread-operations",
              Option.Kind.INTEGER,
              "12",
              "scalar operations that each thread of a kernel repeats")
          .from(0);
  private static final Option THREAD_LOADS =
      new Option(
              "thread-loads",
              Option.Kind.INTEGER,
              "3",
              "elements that each thread of a kernel reads for that")
          .from(0);
  private static final Option KERNELS =
      new Option("kernels", Option.Kind.INTEGER, "3", "kernels that compute the same scalars")
          .from(0);
  private static final Option END_OPERATIONS =
      new Option(
              "end-operations",
              Option.Kind.INTEGER,
              "64",
              "scalar operations that a reduction does at its end")
          .from(0);

  /** Returns the options of a pass with these limits. */
  static List<Option> options() {
    return List.of(THREAD_OPERATIONS, THREAD_LOADS, KERNELS, END_OPERATIONS);
  }

  static Limits of(PassContext context) {
    return new Limits(
        context.integer(THREAD_OPERATIONS.name()),
        context.integer(THREAD_LOADS.name()),
        context.integer(KERNELS.name()),
        context.integer(END_OPERATIONS.name()));
  }
}
