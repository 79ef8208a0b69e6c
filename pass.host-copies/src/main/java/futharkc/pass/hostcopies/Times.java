package futharkc.pass.hostcopies;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CostModel;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.List;
import java.util.Set;

/**
 * Estimates of the time of sequential code, in nanoseconds. The times of the host include code that
 * the JVM has not compiled yet, and those of the device are low: a mistake then costs little. The
 * measurements of the defaults are in {@code docs/results/migration.md}.
 *
 * @param synchronise the time of the host for a wait and two transfers of short blocks
 * @param compile the time that the host's version of a kernel takes longer in the first calls
 * @param copy the further time for each block after the first one
 * @param bytes the bytes that a transfer moves in a nanosecond
 * @param host an elementary operation of the host
 * @param device an elementary operation of one thread of the device
 * @param read a read of an element by the host, with its wait
 * @param write a write of an element by the host
 * @param costs the costs of operations
 */
record Times(
    long synchronise,
    long compile,
    long copy,
    long bytes,
    long host,
    long device,
    long read,
    long write,
    CostModel costs) {
  private static final Option WAIT =
      time("wait-ns", 60_000, "nanoseconds for a wait and two transfers of short arrays");
  private static final Option COMPILE =
      time(
          "compile-ns",
          1_000_000,
          "nanoseconds that the host's version of a kernel takes longer in the first calls, until"
              + " the JVM has compiled it");
  private static final Option COPY =
      time("copy-ns", 30_000, "nanoseconds for each array after the first one");
  private static final Option BYTES =
      time("bytes-per-ns", 2, "bytes that a transfer moves in a nanosecond");
  private static final Option HOST =
      time("host-ns", 1, "nanoseconds of an elementary operation of the host");
  private static final Option DEVICE =
      time("device-ns", 6, "nanoseconds of an elementary operation of one thread of the device");
  private static final Option READ =
      time("read-ns", 15_000, "nanoseconds that the host waits for a read");
  private static final Option WRITE =
      time("write-ns", 3_000, "nanoseconds that the host needs to write an element");

  private static Option time(String name, int value, String what) {
    return Option.integer(name, value, what).within(1, 1_000_000_000);
  }

  /** The options with these times. */
  static final List<Option> OPTIONS =
      List.of(WAIT, COMPILE, COPY, BYTES, HOST, DEVICE, READ, WRITE);

  static Times of(PassContext context) {
    return new Times(
        context.integer(WAIT.name()),
        context.integer(COMPILE.name()),
        context.integer(COPY.name()),
        context.integer(BYTES.name()),
        context.integer(HOST.name()),
        context.integer(DEVICE.name()),
        context.integer(READ.name()),
        context.integer(WRITE.name()),
        context.costs());
  }

  /**
   * Returns the time that one thread of the device takes longer than code of the host that is not
   * compiled yet, without transfers.
   */
  Poly savedOfKernel(Code.Launch kernel) {
    Set<Name> numbers = Set.of(kernel.block(), kernel.thread());
    return costs.cost(kernel.body(), numbers).times(device - host).minus(Poly.of(compile));
  }

  /** Returns the time of the reads and writes of elements by the host. */
  Poly savedOfLoop(Code loop) {
    List<Code> code = List.of(loop);
    Poly reads = costs.runs(code, c -> c instanceof Code.AwaitElements);
    Poly writes = costs.runs(code, c -> c instanceof Code.WriteElement);
    return reads.times(read).plus(writes.times(write));
  }

  /** Returns the time of waits and transfers of empty blocks. */
  Poly copies(int blocks) {
    return Poly.of(synchronise + (blocks - 1) * copy);
  }
}
