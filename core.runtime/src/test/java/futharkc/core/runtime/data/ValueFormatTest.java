package futharkc.core.runtime.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ValueFormatTest {
  private static String text(Value value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter writer = new ValueWriter(out);
    writer.text(value);
    writer.flush();
    return out.toString(StandardCharsets.UTF_8);
  }

  private static byte[] binary(Value value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ValueWriter writer = new ValueWriter(out);
    writer.binary(value);
    writer.flush();
    return out.toByteArray();
  }

  private static void assertSame(Value expected, Value actual) {
    if (expected instanceof ArrayValue e && actual instanceof ArrayValue a) {
      assertEquals(e.elemType(), a.elemType());
      assertArrayEquals(e.shape(), a.shape());
      for (int i = 0; i < e.size(); i++) {
        assertEquals(e.element(i), a.element(i), "element " + i);
      }
    } else {
      assertEquals(expected, actual);
    }
  }

  /** Returns random bits with a single NaN, since text does not distinguish NaNs. */
  private static long randomBits(Random random, ElemType type) {
    long bits = random.nextLong();
    if (random.nextInt(4) == 0) {
      bits >>= random.nextInt(64);
    }
    return switch (type) {
      case F16 -> (bits & 0x7fff) > 0x7c00 ? 0x7e00 : bits;
      case F32 -> Float.floatToIntBits(Float.intBitsToFloat((int) bits));
      case F64 -> Double.doubleToLongBits(Double.longBitsToDouble(bits));
      default -> bits;
    };
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIT")
  void randomValuesReadBack(ElemType type) throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      int rank = random.nextInt(4);
      Value value;
      if (rank == 0) {
        value = new Scalar(type, randomBits(random, type));
      } else {
        long[] shape = random.longs(rank, 0, i % 10 == 0 ? 40 : 5).toArray();
        int n = (int) ArrayValue.size(shape);
        ArrayValue array = new ArrayValue(type, shape, type.newArray(n));
        for (int j = 0; j < n; j++) {
          array.setElement(j, new Scalar(type, randomBits(random, type)));
        }
        value = array;
      }
      String text = text(value);
      assertSame(value, ValueReader.ofText(text).readAny());
      assertSame(value, ValueReader.ofText(text).read(type, rank));
      byte[] binary = binary(value);
      assertSame(value, new ValueReader(new ByteArrayInputStream(binary)).read(type, rank));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "I32, 42, 42i32",
    "I8, -0x80, -128i8",
    "I8, 0xff, -1i8",
    "I8, 32767i8, -1i8",
    "U16, -1u16, 65535u16",
    "U8, 0b1010_1010u8, 170u8",
    "U64, 18446744073709551615, 18446744073709551615u64",
    "I64, -9_223_372_036_854_775_808i64, -9223372036854775808i64",
    "F32, 1, 1.0f32",
    "F32, 1e10, 1.0e10f32",
    "F32, -f32.inf, -f32.inf",
    "F64, f64.nan, f64.nan",
    "F64, 0x1.8p3, 12.0f64",
    "F64, 1e-400, 0.0f64",
    "F64, .5, 0.5f64",
    "F16, 65504, 65504.0f16",
    "BOOL, true, true"
  })
  void literals(ElemType type, String literal, String printed) throws IOException {
    assertEquals(printed, text(ValueReader.ofText(literal).read(type, 0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "U8  | 2 | [\"ab\", \"cd\"] | [[97u8, 98u8], [99u8, 100u8]]",
        "U8  | 3 | [[\"a\"], [[98]]] | [[[97u8]], [[98u8]]]",
        "U8  | 2 | [[1, 2], \"ab\"] | [[1u8, 2u8], [97u8, 98u8]]",
        "I32 | 2 | [empty([0]i32), []] | empty([2][0]i32)",
        "I32 | 3 | [empty([0][3]i32), empty([0][3]i32)] | empty([2][0][3]i32)",
        "F32 | 3 | [[empty([0]f32)]] | empty([1][1][0]f32)",
      })
  void rowsMayBeStringsAndEmptyArrays(ElemType type, int rank, String text, String printed)
      throws IOException {
    assertEquals(printed, text(ValueReader.ofText(text).read(type, rank)));
    assertEquals(
        text.contains("[1, 2]"), !printed.equals(untyped(text)), "without a type: " + text);
  }

  private static String untyped(String text) {
    try {
      return text(ValueReader.ofText(text).readAny());
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "U8  | 2 | [\"ab\", \"c\"] | irregular",
        "U8  | 1 | [\"ab\"] | 2 dimensions",
        "U8  | 1 | [1, \"ab\"] | '\"'",
        "I32 | 2 | [\"ab\"] | row of type []i32",
        "I32 | 2 | [empty([0]i64)] | row of type []i32",
        "I32 | 2 | [empty([0]i32), [1]] | irregular",
        "I32 | 3 | [[[1]], empty([0]i32)] | row of type [][]i32",
      })
  void rowsThatDoNotFit(ElemType type, int rank, String text, String message) {
    IOException e =
        assertThrows(IOException.class, () -> ValueReader.ofText(text).read(type, rank));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @Test
  void floatsAreRoundedOnceWhereverTheDecimalDigitsLie() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < 2000; i++) {
      float f = Float.intBitsToFloat(random.nextInt(0x7f800000));
      float g = Math.nextUp(f);
      // The number is close to the middle between two neighbours.
      String middle =
          new java.math.BigDecimal(f)
              .add(new java.math.BigDecimal(g))
              .divide(java.math.BigDecimal.TWO)
              .round(new java.math.MathContext(5 + random.nextInt(20)))
              .toString();
      Value value = ValueReader.ofText(middle).read(ElemType.F32, 0);
      assertEquals(Scalar.f32(Float.parseFloat(middle)), value, middle);
    }
  }

  @Test
  void valuesOfUnknownTypeAndCommentsBetweenThem() throws IOException {
    ValueReader reader =
        ValueReader.ofText(
            "-- a comment\n"
                + "1 2.5 -3i8 [1u8, 2] --\n"
                + "[[true], [false],] \"a\\n"
                + "\" empty([0][2]f16)\n"
                + "--x");
    assertEquals(Scalar.i32(1), reader.readAny());
    assertEquals(Scalar.f64(2.5), reader.readAny());
    assertEquals(Scalar.i8((byte) -3), reader.readAny());
    assertEquals("[1u8, 2u8]", text(reader.readAny()));
    assertEquals("[[true], [false]]", text(reader.readAny()));
    assertFalse(reader.atEnd());
    assertEquals("[97u8, 10u8]", text(reader.readAny()));
    assertEquals("empty([0][2]f16)", text(reader.readAny()));
    assertTrue(reader.atEnd());
  }

  @Test
  void textAndBinaryMix() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("1i32 -- b\n ".getBytes(StandardCharsets.UTF_8));
    out.writeBytes(binary(ArrayValue.vector(ElemType.U16, new short[] {-1, 2})));
    out.writeBytes("\n3i64".getBytes(StandardCharsets.UTF_8));
    ValueReader reader = new ValueReader(new ByteArrayInputStream(out.toByteArray()));
    assertEquals(Scalar.i32(1), reader.read(ElemType.I32, 0));
    assertEquals("[65535u16, 2u16]", text(reader.read(ElemType.U16, 1)));
    assertEquals(Scalar.i64(3), reader.read(ElemType.I64, 0));
    assertTrue(reader.atEnd());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          I32 | 0 | 3000000000     | line 1, column 1: the number 3000000000 is out of the range of type i32
          U8  | 0 | -1             | line 1, column 1: the number -1 is out of the range of type u8
          I8  | 0 | 0x100          | line 1, column 1: the number 0x100 is out of the range of type i8
          U64 | 0 | 18446744073709551616 | line 1, column 1: the number 18446744073709551616 is out of the range of type u64
          I64 | 0 | 99999999999999999999i64 | line 1, column 1: the number 99999999999999999999i64 is out of the range of type i64
          I32 | 0 | 1i64           | line 1, column 1: expected a value of type i32, got '1i64' of type i64
          F32 | 0 | x              | line 1, column 1: expected a value of type f32, got 'x'
          I32 | 1 | [1, 2.0]       | line 1, column 5: expected a value of type i32, got '2.0'
          I32 | 2 | [[1, 2], [3]]  | line 1, column 12: irregular array: 1 elements in a row where others have 2
          I32 | 1 | [1 2]          | line 1, column 4: expected ',' or ']', got '2'
          I32 | 1 | [1,            | line 1, column 4: expected a value of type i32, got the end
          I32 | 2 | [1]            | line 1, column 2: expected a value of type [][]i32, got an array of 1 dimensions
          I32 | 1 | empty([0]i64)  | line 1, column 13: expected a value of type []i32, got one of type []i64
          I32 | 1 | empty([1]i32)  | line 1, column 10: an empty array must have a size of 0
          F64 | 0 | 1.5f           | line 1, column 1: expected a value of type f64, got '1.5f'
          """)
  void mistakesAreNamedWithTheirPosition(ElemType type, int rank, String data, String message) {
    ValueSyntaxException e =
        assertThrows(ValueSyntaxException.class, () -> ValueReader.ofText(data).read(type, rank));
    assertEquals(message, e.getMessage());
  }

  @Test
  void damagedBinaryData() throws IOException {
    byte[] good = binary(ArrayValue.vector(ElemType.I32, new int[] {1, 2, 3}));
    for (int n = 1; n < good.length; n++) {
      byte[] cut = java.util.Arrays.copyOf(good, n);
      assertThrows(
          ValueSyntaxException.class,
          () -> new ValueReader(new ByteArrayInputStream(cut)).read(ElemType.I32, 1));
    }
    assertThrows(
        ValueSyntaxException.class,
        () -> new ValueReader(new ByteArrayInputStream(good)).read(ElemType.F32, 1));
    byte[] huge = good.clone();
    huge[14] = 0x70;
    ValueSyntaxException e =
        assertThrows(
            ValueSyntaxException.class,
            () -> new ValueReader(new ByteArrayInputStream(huge)).readAny());
    assertTrue(
        String.valueOf(e.getMessage()).contains("more elements than one array can hold"),
        e.getMessage());
  }

  /** Tests data that is larger than the initial allocation, and so is read in several steps. */
  @Test
  void largeBinaryData() throws IOException {
    int n = (72 << 20) + 5;
    byte[] data = new byte[n];
    for (int i = 0; i < n; i += 1000) {
      data[i] = (byte) (i / 1000);
    }
    Value value = ArrayValue.vector(ElemType.U8, data);
    byte[] written = binary(value);
    assertArrayEquals(
        data,
        (byte[])
            ((ArrayValue) new ValueReader(new ByteArrayInputStream(written)).readAny()).data());
    byte[] claimed = java.util.Arrays.copyOf(written, 100);
    claimed[10] = 0x7f;
    ValueSyntaxException e =
        assertThrows(
            ValueSyntaxException.class,
            () -> new ValueReader(new ByteArrayInputStream(claimed)).readAny());
    assertTrue(String.valueOf(e.getMessage()).contains("the data ends"), e.getMessage());
  }

  @Test
  void messagesDoNotRepeatVeryLongTokens() {
    for (String token : new String[] {"9".repeat(100_000), "x".repeat(100_000)}) {
      IOException e =
          assertThrows(
              IOException.class,
              () ->
                  new ValueReader(new ByteArrayInputStream(token.getBytes(StandardCharsets.UTF_8)))
                      .read(ElemType.I64, 0));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.length() < 250, () -> message.length() + " characters");
      assertTrue(message.contains("(100000 characters)"), message);
    }
  }
}
