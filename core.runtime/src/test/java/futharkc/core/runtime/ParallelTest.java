package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ParallelTest {
  @Test
  void cuttingDependsOnLengthAndThreadsOnly() {
    JavaProgram.run(
        Scheduling.DEFAULT,
        3,
        ctx -> {
          assertEquals(0, Parallel.chunkCount(ctx, 0, 1, 8));
          assertEquals(1, Parallel.chunkCount(ctx, 10, 100, 8));
          assertEquals(3, Parallel.chunkCount(ctx, 1000, 10, 1));
          assertEquals(24, Parallel.chunkCount(ctx, 1000, 10, 8));
          assertEquals(3, Parallel.chunkCount(ctx, 1000, 200, 8), "as many for each thread");
          assertEquals(5, Parallel.chunkCount(ctx, 5, 1, 8), "an iteration each");
        });
    assertEquals(100, Parallel.chunkStart(100, 7, 7));
    assertEquals(14, Parallel.chunkStart(100, 7, 1));
    assertEquals(Long.MAX_VALUE, Parallel.chunkStart(Long.MAX_VALUE, 1 << 20, 1 << 20));
    assertEquals(1L << 39, Parallel.chunkStart(1L << 40, 2, 1));
  }

  /** Tests that work below the size of a chunk is a single chunk. */
  @Test
  void littleWorkIsInOneChunk() {
    JavaProgram.run(
        Scheduling.DEFAULT,
        4,
        ctx -> {
          long worth = ctx.host().chunkOperations();
          assertEquals(0, Parallel.chunks(ctx, 0, 1, 8));
          for (int perThread : new int[] {0, 1, 8}) {
            assertEquals(1, Parallel.chunks(ctx, worth, 1, perThread));
            assertEquals(1, Parallel.chunks(ctx, 100, worth / 100, perThread));
          }
          assertEquals(4, Parallel.chunks(ctx, 4 * worth + 4, 1, 8));
          assertEquals(32, Parallel.chunks(ctx, 100 * worth, 1, 8));
        });
  }

  /**
   * Tests that 700 rows in 128 chunks for 16 threads give each thread nearly the same number of
   * rows at its start.
   */
  @Test
  void neighbouringChunksAreAsLongAsOthers() {
    for (int n : new int[] {0, 1, 127, 128, 129, 700, 1000, 12345}) {
      for (int each = 1; each <= 64; each *= 2) {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int c = 0; c < 128; c += each) {
          long length = Parallel.chunkStart(n, 128, c + each) - Parallel.chunkStart(n, 128, c);
          least = Math.min(least, length);
          most = Math.max(most, length);
        }
        assertTrue(most - least <= 1, n + " in chunks, " + each + " side by side");
      }
    }
  }

  @Test
  void regionsTakeAsLongAsTheirLongestThread() {
    JavaProgram.run(
        Scheduling.DEFAULT,
        4,
        ctx -> {
          long sharing = ctx.host().sharingOperations();
          assertEquals(0, Parallel.time(ctx, 0, 10, 1));
          // The work is too small to share.
          assertEquals(1000, Parallel.time(ctx, 100, 10, 2));
          assertEquals(35_000 + sharing, Parallel.time(ctx, 70_000, 1, 1));
          assertEquals(250_000 + 3 * sharing, Parallel.time(ctx, 1_000_000, 1, 1));
          assertEquals(500_000 + 3 * sharing, Parallel.time(ctx, 1_000_000, 1, 2));
          // Five long iterations on four threads: one thread has two.
          assertEquals(2_000_000 + 3 * sharing, Parallel.time(ctx, 5, 1_000_000, 1));
        });
  }
}
