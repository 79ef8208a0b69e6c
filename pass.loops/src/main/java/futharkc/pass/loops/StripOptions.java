package futharkc.pass.loops;

import futharkc.core.ir.spi.Option;

/** The options of passes that run loops strip by strip or keep scalars of iterations in blocks. */
final class StripOptions {
  /** The maximum trip count of a strip. */
  static final Option LONGEST =
      Option.integer(
              "longest",
              1024,
              "maximum trip count of a strip; the scalar iterations before and after the JVM's"
                  + " vector loop must be a small fraction")
          .within(1, 1 << 20)
          .powerOfTwo();

  /** The minimum trip count of a strip, given vectors of up to 16 floats. */
  static final Option FEWEST =
      Option.integer(
              "fewest", 16, "minimum trip count of a strip, given vectors of up to 16 floats")
          .within(1, 1024)
          .powerOfTwo();

  /** The maximum size of expanded scalars in bytes. */
  static final Option BYTES =
      Option.integer(
          "bytes",
          machine -> machine.processor().firstLevel(),
          "maximum size of expanded scalars in bytes");

  /** The maximum number of expanded scalars. */
  static final Option SCALARS =
      Option.integer(
          "scalars",
          12,
          "maximum number of expanded scalars; each costs a store and a load per iteration");

  private StripOptions() {}
}
