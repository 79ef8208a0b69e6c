package futharkc.pass.loops;

import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;

/**
 * The sizes of methods with loops, in bytes of bytecode.
 *
 * @param large the size up to which a method keeps all its loops
 * @param loop the minimum size of a loop that is moved to a method of its own
 * @param fewTrips the maximum trip count of a loop that always stays in its method
 * @param rest the minimum size of the code outside a loop for moving the loop to a method of its
 *     own
 * @param call the size of a call
 * @param arguments the maximum number of parameters
 */
record MethodSizes(int large, int loop, int fewTrips, int rest, int call, int arguments) {
  /** The bytes of bytecode up to which a function keeps all its loops. */
  static final Option LARGE =
      Option.integer("large", 2000, "bytes of bytecode up to which a function keeps all its loops");

  /** The minimum bytes of bytecode of code that is moved to a function of its own. */
  static final Option LOOP =
      Option.integer(
          "loop", 100, "minimum bytes of bytecode of code that is moved to a function of its own");

  /** The maximum trip count of a loop that always stays in its function. */
  static final Option FEW_TRIPS =
      Option.integer(
          "few-trips", 16, "maximum trip count of a loop that always stays in its function");

  /** The minimum bytes of bytecode outside a loop for moving the loop to a function of its own. */
  static final Option REST =
      Option.integer(
          "rest",
          200,
          "minimum bytes of bytecode outside a loop for moving the loop to a function of its"
              + " own");

  /** The bytes of bytecode of a call. */
  static final Option CALL =
      Option.integer("call", 80, "bytes of bytecode of a call").within(0, 65_535);

  /** The options of {@code loop-outlining}. */
  static final List<Option> OPTIONS = List.of(LARGE, LOOP, FEW_TRIPS, REST, CALL);

  /** Returns the sizes that a pass's options and machine give. */
  static MethodSizes of(PassContext context) {
    return new MethodSizes(
        context.number(LARGE),
        context.number(LOOP),
        context.number(FEW_TRIPS),
        context.number(REST),
        context.number(CALL),
        context.machine().methods().arguments());
  }
}
