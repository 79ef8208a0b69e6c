package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/**
 * The execution level of a {@link SegOp}. GPU host code contains operations of threads and of
 * thread blocks. The body of a thread-block operation contains operations of the threads in the
 * thread block. No other nesting is legal. A {@link HostOp.GpuBody} runs on one thread.
 */
public sealed interface SegLevel {
  /** CPU cores. */
  record Cores() implements SegLevel {}

  /**
   * One thread per index.
   *
   * @param grid the launch grid, or null if the device chooses it
   */
  record Thread(SegVirt virt, @Nullable Grid grid) implements SegLevel {}

  /**
   * One thread block per index.
   *
   * @param grid the launch grid, or null if the device chooses it
   */
  record Block(SegVirt virt, @Nullable Grid grid) implements SegLevel {}

  /**
   * The threads of the enclosing thread block, which synchronise before and after the operation.
   */
  record ThreadInBlock(SegVirt virt) implements SegLevel {}

  /**
   * A launch grid.
   *
   * @param blocks the number of thread blocks, an i64
   * @param blockSize the number of threads per block, an i64
   */
  record Grid(SubExp blocks, SubExp blockSize) {}
}
