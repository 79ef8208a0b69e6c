package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ParallelTest {
  @Test
  void cuttingDependsOnLengthAndThreadsOnly() {
    JavaProgram.run(
        Scheduling.DEFAULT,
        3,
        ctx -> {
          assertEquals(0, Parallel.chunkCount(ctx, 0, 1));
          assertEquals(1, Parallel.chunkCount(ctx, 10, 100));
          assertEquals(3, Parallel.chunkCount(ctx, 1000, 10, 1));
          assertEquals(24, Parallel.chunkCount(ctx, 1000, 10));
        });
    assertEquals(100, Parallel.chunkStart(100, 7, 7));
    assertEquals(15, Parallel.chunkStart(100, 7, 1));
    assertEquals(1L << 39, Parallel.chunkStart(1L << 40, 2, 1));
  }
}
