package futharkc.pass.loops;

import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/**
 * Intervals between checks for cancellation, in elementary operations unless stated otherwise. A
 * cancelled call must stop within 100 ms.
 *
 * @param alone the interval of a loop without checking loops inside or around it
 * @param innermost the interval of an innermost checking loop inside other loops
 * @param around the interval of a loop around one checking loop, which may stop just before a check
 *     each time
 * @param outer the interval of a loop around two nested checking loops
 * @param outermost the interval of a loop around three or more nested checking loops
 * @param call the assumed cost of a call, whose loops may each stop just before a check
 * @param run the assumed cost of a copy or fill of unknown length
 * @param large the size of an iteration around a checking loop, in bytes of bytecode, from which a
 *     chunk's iterations check individually
 */
record CheckIntervals(
    long alone,
    long innermost,
    long around,
    long outer,
    long outermost,
    long call,
    long run,
    int large) {
  /** The operations between the checks of a loop without checking loops inside or around it. */
  static final Option ALONE =
      Option.integer(
          "alone",
          1 << 24,
          "operations between the checks of a loop without checking loops inside or around"
              + " it; most chunks have a single strip, whose loop over strips the JVM removes");

  /** The operations between the checks of an innermost checking loop inside other loops. */
  static final Option INNERMOST =
      Option.integer(
          "innermost",
          1 << 20,
          "operations between the checks of an innermost checking loop inside other loops;"
              + " few rows have several strips");

  /** The operations between the checks of a loop around one checking loop. */
  static final Option AROUND =
      Option.integer(
          "around", 1 << 26, "operations between the checks of a loop around one checking loop");

  /** The operations between the checks of a loop around two nested checking loops. */
  static final Option OUTER =
      Option.integer(
          "outer",
          1 << 26,
          "operations between the checks of a loop around two nested checking loops");

  /** The operations between the checks of a loop around three or more nested checking loops. */
  static final Option OUTERMOST =
      Option.integer(
          "outermost",
          1 << 26,
          "operations between the checks of a loop around three or more nested checking loops");

  /** The assumed operations of a call, whose loops may each stop just before a check. */
  static final Option CALL =
      Option.integer(
          "call",
          1 << 22,
          "assumed operations of a call, whose loops may each stop just before a check");

  /** The assumed operations of a copy or fill of unknown length. */
  static final Option RUN =
      Option.integer("run", 1 << 14, "assumed operations of a copy or fill of unknown length");

  /**
   * The bytes of bytecode of an iteration around a checking loop from which a chunk's iterations
   * check individually.
   */
  static final Option LARGE =
      Option.integer(
          "large",
          1000,
          "bytes of bytecode of an iteration around a checking loop from which a chunk's"
              + " iterations check individually; HotSpot optimises less with one more loop level");

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(ALONE, INNERMOST, AROUND, OUTER, OUTERMOST, CALL, RUN, LARGE);

  /** Returns the intervals that a pass's options give. */
  static CheckIntervals of(PassContext context) {
    return new CheckIntervals(
        context.number(ALONE),
        context.number(INNERMOST),
        context.number(AROUND),
        context.number(OUTER),
        context.number(OUTERMOST),
        context.number(CALL),
        context.number(RUN),
        context.number(LARGE));
  }

  /**
   * Returns the interval of a loop around {@code nested} checking loops, each nested in the next.
   */
  long operations(int nested) {
    return switch (nested) {
      case 0 -> innermost;
      case 1 -> around;
      case 2 -> outer;
      default -> outermost;
    };
  }
}
