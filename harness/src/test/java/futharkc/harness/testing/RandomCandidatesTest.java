package futharkc.harness.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueDisplay;
import org.junit.jupiter.api.Test;

final class RandomCandidatesTest {
  /** The seed of the first candidate in a run of {@code futhark test --seed=123}. */
  private static final long SEED = new SeedSequence(123).next();

  private static String shown(ValueType type, long size) {
    return ValueDisplay.withSuffixes(RandomCandidates.generate(type, size, SEED));
  }

  private static ValueType prim(ElemType type) {
    return new ValueType.Prim(type);
  }

  private static ValueType tuple(ValueType... types) {
    ValueType.Field[] fields = new ValueType.Field[types.length];
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < types.length; i++) {
      fields[i] = new ValueType.Field(Integer.toString(i), types[i]);
      name.append(i == 0 ? "(" : ", ").append(types[i].name());
    }
    return new ValueType.Opaque(name + ")", new ValueType.Record(fields));
  }

  /** The expected values are those of the original for the same seed. */
  @Test
  void aSeedGivesTheValuesOfTheOriginal() {
    assertEquals("-119i8", shown(prim(ElemType.I8), 50));
    assertEquals("[-119i8, -43i8]", shown(new ValueType.Array(ElemType.I8, 1), 2));
    assertEquals("[10612112620025966601u64]", shown(new ValueType.Array(ElemType.U64, 1), 1));
    assertEquals("[[217u8]]", shown(new ValueType.Array(ElemType.U8, 2), 1));
    assertEquals("[true, true, false]", shown(new ValueType.Array(ElemType.BOOL, 1), 3));
    assertEquals("(-119i8, 152u8)", shown(tuple(prim(ElemType.I8), prim(ElemType.U8)), 50));
    ValueType pairs = ValueType.arrayOf(1, tuple(prim(ElemType.I8), prim(ElemType.I16)));
    ValueType nested = ValueType.arrayOf(1, tuple(pairs, prim(ElemType.I32)));
    assertEquals("[([(-119i8, 3418i16)], 814619519i32)]", shown(nested, 1));
  }

  @Test
  void arraysHaveTheSizeInEachDimension() {
    assertEquals(
        "[[[-4087i16, -17067i16],\n[-4772i16, 30847i16]],\n"
            + "[[-3928i16, 27098i16],\n[67i16, -5144i16]]]",
        shown(new ValueType.Array(ElemType.I16, 3), 2));
    assertEquals("empty([0][0]f32)", shown(new ValueType.Array(ElemType.F32, 2), 0));
  }

  @Test
  void floatsAreInTheirRanges() {
    for (long seed = 0; seed < 200; seed++) {
      float single = ((Scalar) RandomCandidates.generate(prim(ElemType.F32), 0, seed)).asFloat();
      double real = ((Scalar) RandomCandidates.generate(prim(ElemType.F64), 0, seed)).asDouble();
      assertEquals(true, single >= -1 && single <= 1 && real >= 0 && real <= 1);
    }
  }

  @Test
  void sumsAndAbstractTypesNeedAGenerator() {
    ValueType abstractType =
        new ValueType.Opaque("t", new ValueType.Abstract(new ValueType.Part(ElemType.I32)));
    assertEquals(
        abstractType,
        RandomCandidates.obstacle(ValueType.arrayOf(2, tuple(prim(ElemType.I8), abstractType))));
    assertNull(RandomCandidates.obstacle(tuple(prim(ElemType.I8))));
  }
}
