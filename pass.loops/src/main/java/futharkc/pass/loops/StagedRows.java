package futharkc.pass.loops;

import futharkc.core.ir.Machine;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;

/**
 * The limits for staging, in shared memory, the rows that individual threads traverse.
 *
 * @param least the minimum bytes of a staged row
 * @param most the maximum bytes of shared memory per thread block
 * @param bank the bytes of a bank of shared memory, which serves one thread at a time
 * @param banks the bytes of all banks, a power of two
 */
record StagedRows(int least, int most, int bank, int banks) {
  /** The minimum bytes of a staged row. */
  static final Option LEAST =
      Option.integer(
          "least",
          machine -> 2L * machine.device().memory().sector(),
          "minimum bytes of a staged row: two sectors of device memory");

  /** The maximum bytes of shared memory per thread block. */
  static final Option MOST =
      Option.integer("most", 112 << 10, "maximum bytes of shared memory per thread block");

  /** Returns the limits that a pass's options and machine give. */
  static StagedRows of(PassContext context) {
    Machine.DeviceMemory memory = context.machine().device().memory();
    return new StagedRows(
        context.number(LEAST), context.number(MOST), memory.bank(), memory.banks());
  }
}
