package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryTest {
  private final Memory memory = new Memory("default", 100_000, true);

  @Test
  void releasedBlocksComeBackIfTheyFit() {
    int[] block = memory.ints(4000, "");
    memory.release(block);
    assertNotSame(block, memory.floats(4000, ""));
    assertNotSame(block, memory.ints(3000, ""));
    assertSame(block, memory.ints(3500, ""));
    assertNotSame(block, memory.ints(3500, ""));
    assertEquals(1, memory.recycled());
  }

  @Test
  void theClosestLengthIsTaken() {
    double[] longer = memory.doubles(1100, "");
    double[] closer = memory.doubles(1050, "");
    memory.release(longer);
    memory.release(closer);
    assertSame(closer, memory.doubles(1000, ""));
    assertSame(longer, memory.doubles(1000, ""));
  }

  @Test
  void theOldestFreeBlocksGoWhenThereAreTooMany() {
    byte[][] blocks = new byte[30][];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = memory.bytes(10_000 + i, "");
    }
    for (byte[] block : blocks) {
      memory.release(block);
    }
    assertNotSame(blocks[0], memory.bytes(10_000, ""));
    assertSame(blocks[29], memory.bytes(10_029, ""));
    byte[] tooLarge = memory.bytes(200_000, "");
    memory.release(tooLarge);
    assertNotSame(tooLarge, memory.bytes(200_000, ""));
  }

  @Test
  void accounts() {
    short[] a = memory.shorts(5, "");
    boolean[] b = memory.booleans(100, "");
    memory.release(a);
    long[] c = memory.longs(-3, "");
    assertEquals(0, c.length);
    assertEquals(110, memory.peakBytes());
    assertEquals(100, memory.liveBytes());
    memory.release(b);
    assertEquals(110, memory.bytesFreed());
    assertEquals(3, memory.allocations());
    memory.resetPeak();
    assertEquals(0, memory.peakBytes());
  }

  @Test
  void pinnedBlocksStay() {
    int[] block = memory.ints(2000, "");
    memory.pin(block);
    memory.release(block);
    assertNotSame(block, memory.ints(2000, ""));
    assertEquals(16000, memory.liveBytes());
  }

  @Test
  void aSavepointBringsBackWhatWasInUse() {
    int[] before = memory.ints(100, "");
    Runnable undo = memory.savepoint();
    int[] after = memory.ints(2000, "");
    memory.pin(memory.ints(3000, ""));
    undo.run();
    assertEquals(400, memory.liveBytes());
    memory.release(before);
    assertEquals(0, memory.liveBytes());
    assertThrows(IllegalStateException.class, () -> memory.release(after));
  }

  @Test
  void mistakesAndExhaustion() {
    int[] block = memory.ints(2000, "");
    memory.release(block);
    assertThrows(IllegalStateException.class, () -> memory.release(block));
    FutharkError e = assertThrows(FutharkError.class, () -> memory.longs(1L << 33, "a.fut:1:2-3"));
    assertTrue(e.getMessage().contains("8589934592 elements of type i64"), e.getMessage());
    assertEquals("-> #0  a.fut:1:2-3", e.backtrace());
    long heap = Runtime.getRuntime().maxMemory();
    FutharkError full =
        assertThrows(
            FutharkError.class,
            () -> {
              long[][] blocks = new long[1000][];
              for (int i = 0; i < blocks.length; i++) {
                blocks[i] = memory.longs(Math.min(Memory.MAX_LENGTH, heap / 8), "");
              }
            });
    assertTrue(full.getMessage().startsWith("Out of memory: cannot allocate"), full.getMessage());
  }

  /** Tests that the small blocks which helpers count in batches are all counted. */
  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void blocksOfAllThreadsAreCounted(Scheduling scheduling) {
    JavaProgram program =
        new JavaProgram(
            ctx ->
                JavaProgram.inChunks(
                    ctx,
                    64,
                    64,
                    (c, from, to) -> {
                      for (int i = 0; i < 100; i++) {
                        Object small = ctx.memory().acquire(ElemType.I64, 10 + i % 7, "");
                        Object large = ctx.memory().acquire(ElemType.I64, 1000, "");
                        ctx.memory().release(small);
                        ctx.memory().release(large);
                      }
                      // This block stays live.
                      ctx.memory().acquire(ElemType.I8, 3, "");
                    }));
    try (Context ctx = program.context(scheduling, 4)) {
      for (int call = 1; call <= 3; call++) {
        ctx.run(program.entry);
        MemoryUse use = ctx.memory().use();
        assertEquals(call * 64L * 201, use.allocations());
        assertEquals(call * 64L * 3, ctx.memory().liveBytes());
        assertEquals(ctx.memory().liveBytes(), use.allocatedBytes() - use.freedBytes());
        // The number of small blocks in the peak depends on the timing of threads.
        assertTrue(use.peakBytes() >= 8000, use::toString);
      }
      ctx.resetPeaks();
      assertEquals(3 * 64 * 3, ctx.memory().use().peakBytes());
    }
  }
}
