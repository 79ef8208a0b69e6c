package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/** Where a {@link SegOp} runs. */
public sealed interface SegLevel {
  /** Cores of the CPU. */
  record Cores() implements SegLevel {}

  /** One thread for each index; {@code virt} if fewer threads than indices may take turns. */
  record Thread(boolean virt, @Nullable Grid grid) implements SegLevel {}

  /** One thread block for each index. */
  record Block(boolean virt, @Nullable Grid grid) implements SegLevel {}

  /** Threads of the enclosing block. */
  record ThreadInBlock(boolean virt) implements SegLevel {}

  /** Number of thread blocks, and threads in each; i64. */
  record Grid(SubExp blocks, SubExp blockSize) {}
}
