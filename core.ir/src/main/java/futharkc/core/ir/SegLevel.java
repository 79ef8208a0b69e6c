package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/**
 * Where a {@link SegOp} runs. On a GPU, host code has operations of threads and of blocks; the body
 * of an operation of blocks has operations of threads of the block; nothing else nests. A {@link
 * HostOp.GpuBody} is one thread.
 */
public sealed interface SegLevel {
  /** Cores of the CPU. */
  record Cores() implements SegLevel {}

  /** One thread for each index; no grid is named where the device is to choose one. */
  record Thread(SegVirt virt, @Nullable Grid grid) implements SegLevel {}

  /** One thread block for each index. */
  record Block(SegVirt virt, @Nullable Grid grid) implements SegLevel {}

  /** Threads of the enclosing block; all of them wait for each other before and after. */
  record ThreadInBlock(SegVirt virt) implements SegLevel {}

  /** Number of thread blocks, and threads in each; i64. */
  record Grid(SubExp blocks, SubExp blockSize) {}
}
