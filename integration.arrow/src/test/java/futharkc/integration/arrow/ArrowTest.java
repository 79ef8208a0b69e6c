package futharkc.integration.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.embed.BindingValues;
import futharkc.integration.partitions.Columns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of segments and results. All of Arrow's memory must be free after each test. */
final class ArrowTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void close() {
    allocator.close();
  }

  private Float8Vector numbers(double... xs) {
    Float8Vector vector = new Float8Vector("xs", allocator);
    vector.allocateNew(xs.length);
    for (int i = 0; i < xs.length; i++) {
      vector.set(i, xs[i]);
    }
    vector.setValueCount(xs.length);
    return vector;
  }

  @Test
  void segmentsShareTheMemoryOfVectors() {
    try (Float8Vector xs = numbers(1, 2, 3);
        Float8Vector none = numbers()) {
      MemorySegment segment = ArrowSegments.of(xs);
      assertEquals(24, segment.byteSize());
      segment.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, 1, 7);
      assertEquals(7, xs.get(1));
      Value array = BindingValues.array(ElemType.F64, segment);
      assertEquals("[]f64", futharkc.core.runtime.Opaques.typeName(array));
      assertEquals(0, ArrowSegments.of(none).byteSize());
      xs.setNull(2);
      String message =
          assertThrows(IllegalArgumentException.class, () -> ArrowSegments.of(xs)).getMessage();
      assertEquals("vector xs has 1 nulls, the first in row 2", message);
    }
  }

  @Test
  void resultsBecomeVectors() {
    try (ArrowResult memory = new ArrowResult(allocator)) {
      assertThrows(
          IllegalStateException.class, () -> memory.into(new Float8Vector("ys", allocator)));
      MemorySegment segment = memory.allocate(ValueLayout.JAVA_DOUBLE, 3);
      for (int i = 0; i < 3; i++) {
        segment.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, i, i + 0.5);
      }
      assertThrows(IllegalStateException.class, () -> memory.allocate(8));
      try (Float8Vector ys = memory.into(new Float8Vector("ys", allocator))) {
        assertEquals(3, ys.getValueCount());
        assertEquals(0, ys.getNullCount());
        assertEquals(2.5, ys.get(2));
        segment.setAtIndex(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, 9);
        assertEquals(9, ys.get(0));
      }
    }
    try (ArrowResult unused = new ArrowResult(allocator)) {
      assertEquals(16, unused.allocate(16).byteSize());
    }
  }

  @Test
  void tablesBecomeBatchesWithNulls() {
    try (Float8Vector xs = numbers(1, 2, 3);
        BigIntVector ns = new BigIntVector("ns", allocator);
        BitVector flags = new BitVector("flags", allocator);
        UInt1Vector bytes = new UInt1Vector("bytes", allocator);
        VectorSchemaRoot table = VectorSchemaRoot.of(xs, ns, flags, bytes)) {
      for (int i = 0; i < 3; i++) {
        ns.setSafe(i, 10L + i);
        flags.setSafe(i, i % 2);
        bytes.setSafe(i, 200 + i);
      }
      ns.setNull(1);
      ns.setValueCount(3);
      flags.setValueCount(3);
      bytes.setValueCount(3);
      table.setRowCount(3);
      Columns columns = ArrowSegments.columns(table);
      assertEquals(3, columns.rows());
      assertEquals(
          List.of(ElemType.F64, ElemType.I64, ElemType.BOOL, ElemType.U8),
          columns.columns().stream().map(c -> c.values().elemType()).toList());
      assertArrayEquals(
          new double[] {1, 2, 3}, (double[]) columns.columns().get(0).values().data());
      assertNull(columns.columns().get(0).nulls());
      assertEquals(BitSet.valueOf(new long[] {0b010}), columns.columns().get(1).nulls());
      assertArrayEquals(
          new boolean[] {false, true, false}, (boolean[]) columns.columns().get(2).values().data());
      assertArrayEquals(
          new byte[] {(byte) 200, (byte) 201, (byte) 202},
          (byte[]) columns.columns().get(3).values().data());
    }
    try (VarCharVector names = new VarCharVector("names", allocator)) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> ArrowSegments.elements(names))
              .getMessage();
      assertTrue(message.startsWith("vector names has type Utf8"), message);
    }
  }
}
