package futharkc.pass.migration;

import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/**
 * The costs of the parts of a cut, and an estimate of how often code runs. The measurements of the
 * defaults are in {@code docs/results/migration.md}.
 *
 * @param read nanoseconds that the host waits for an element of the device, and that the device has
 *     no work because of that
 * @param launch nanoseconds that the host needs to launch a kernel
 * @param operation nanoseconds between dependent scalar operations of one thread of the device
 * @param load nanoseconds of a load from the device's memory in one thread
 * @param iterations iterations of a loop whose count is unknown
 */
record Costs(long read, long launch, long operation, long load, long iterations) {
  private static final Option READ =
      new Option(
              "read-ns", Option.Kind.INTEGER, "25000", "nanoseconds that the host waits for a read")
          .within(1, 1_000_000_000);
  private static final Option LAUNCH =
      new Option("launch-ns", Option.Kind.INTEGER, "3700", "nanoseconds that a kernel launch takes")
          .within(0, 1_000_000_000);
  private static final Option OPERATION =
      new Option(
              "operation-ns",
              Option.Kind.INTEGER,
              "10",
              "nanoseconds of a scalar operation in one thread of the device")
          .within(0, 1_000_000_000);
  private static final Option LOAD =
      new Option(
              "load-ns",
              Option.Kind.INTEGER,
              "600",
              "nanoseconds of a load in one thread of the device")
          .within(0, 1_000_000_000);
  private static final Option ITERATIONS =
      new Option(
              "iterations",
              Option.Kind.INTEGER,
              "10",
              "iterations of a loop whose number of iterations is unknown")
          .within(1, 1_000_000);

  /** The unit of a cut's costs is this fraction of a nanosecond: rare code has costs, too. */
  private static final double UNITS = 1000;

  /** No code is taken to run more often, so that sums of costs do not overflow. */
  private static final double MOST = 1e6;

  /** Returns the options of a pass with these costs. */
  static List<Option> options() {
    return List.of(READ, LAUNCH, OPERATION, LOAD, ITERATIONS);
  }

  static Costs of(PassContext context) {
    return new Costs(
        context.integer(READ.name()),
        context.integer(LAUNCH.name()),
        context.integer(OPERATION.name()),
        context.integer(LOAD.name()),
        context.integer(ITERATIONS.name()));
  }

  /** Returns the cost, in units of a cut, of something that takes a time and runs often. */
  static long scaled(long nanoseconds, double frequency) {
    return Math.max(1, Math.round(nanoseconds * UNITS * Math.min(frequency, MOST)));
  }
}
