package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.io.OutputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of all conversions between primitive types, at the limits of both types. The values are
 * constants, which the compiler folds, and arguments, which the interpreter and compiled code
 * convert. The test computes expected values with arbitrary precision. A float outside of an
 * integer type's range has an unspecified result, which must be equal in all configurations.
 */
final class ConversionsTest {
  private static final List<ElemType> TYPES =
      Arrays.stream(ElemType.values()).filter(t -> t != ElemType.UNIT).toList();

  @Test
  void everyConversionIsTheSameEverywhereAndAsDefined() {
    Compiler compiler = Compiler.create();
    Source source = Source.ofText("conversions.fut", program());
    Map<String, FutharkProgram> ways = new LinkedHashMap<>();
    ways.put(
        "interpreter",
        compiler.interpreted(
            compiler.optimise(source, CompilerOptions.DEFAULT, null).program(), "conversions"));
    for (String target : List.of("c", "multicore")) {
      ways.put(
          target, compiler.compile(source, CompilerOptions.DEFAULT.withTarget(target)).instance());
    }
    List<String> wrong = new ArrayList<>();
    int[] compared = {0};
    Map<String, String> unspecified = new LinkedHashMap<>();
    ways.forEach(
        (way, program) -> {
          try (Context context =
              Context.of(program, new PrintStream(OutputStream.nullOutputStream()))
                  .threads(2)
                  .build()) {
            for (EntryPoint entry : program.entryPoints()) {
              boolean constant = entry.name().startsWith("constant");
              ElemType from = type(entry.name().substring(entry.name().indexOf('_') + 1));
              List<Scalar> edges = edges(from);
              Value[] arguments =
                  constant ? new Value[] {Scalar.i64(0)} : new Value[] {array(from, edges)};
              Value[] results = Opaques.unpack((OpaqueValue) context.run(entry, arguments));
              for (int t = 0; t < TYPES.size(); t++) {
                ElemType to = TYPES.get(t);
                for (int i = 0; i < edges.size(); i++) {
                  String what = to.text() + "." + from.text() + " " + literal(edges.get(i));
                  String actual = literal(((ArrayValue) results[t]).element(i));
                  Scalar expected = converted(edges.get(i), to);
                  String wanted =
                      expected == null
                          ? unspecified.computeIfAbsent(what, w -> actual)
                          : literal(expected);
                  compared[0]++;
                  if (!actual.equals(wanted)) {
                    wrong.add(
                        way
                            + ", "
                            + entry.name()
                            + ": "
                            + what
                            + " = "
                            + actual
                            + ", not "
                            + wanted);
                  }
                }
              }
            }
          }
        });
    assertTrue(wrong.isEmpty(), () -> wrong.size() + " wrong:\n" + String.join("\n", wrong));
    assertTrue(compared[0] > 10_000, () -> "only " + compared[0] + " compared");
  }

  private static String program() {
    StringBuilder text = new StringBuilder();
    for (ElemType from : TYPES) {
      List<String> types = TYPES.stream().map(t -> "[]" + t.text()).toList();
      String result = "(" + String.join(", ", types) + ")";
      List<String> constants = new ArrayList<>();
      List<String> maps = new ArrayList<>();
      for (ElemType to : TYPES) {
        String f = to.text() + "." + from.text();
        List<String> elements = edges(from).stream().map(x -> f + " (" + literal(x) + ")").toList();
        constants.add("[" + String.join(", ", elements) + "]");
        maps.add("map " + f + " xs");
      }
      text.append("entry constant_" + from.text() + " (_: i64) : " + result + " =\n  (");
      text.append(String.join(",\n   ", constants) + ")\n");
      text.append("entry dynamic_" + from.text() + " (xs: []" + from.text() + ") : " + result);
      text.append(" =\n  (" + String.join(", ", maps) + ")\n");
    }
    return text.toString();
  }

  private static ElemType type(String text) {
    return TYPES.stream().filter(t -> t.text().equals(text)).findFirst().orElseThrow();
  }

  private static ArrayValue array(ElemType type, List<Scalar> elements) {
    ArrayValue array = ArrayValue.vector(type, type.newArray(elements.size()));
    for (int i = 0; i < elements.size(); i++) {
      array.setElement(i, elements.get(i));
    }
    return array;
  }

  // --- Values at the limits of the types

  private static List<Scalar> edges(ElemType type) {
    if (type == ElemType.BOOL) {
      return List.of(new Scalar(type, 0), new Scalar(type, 1));
    }
    return type.isFloat() ? floatEdges(type) : integerEdges(type);
  }

  private static List<Scalar> integerEdges(ElemType type) {
    Set<BigInteger> values = new TreeSet<>();
    for (int bits : new int[] {0, 7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64}) {
      for (int d = -2; d <= 2; d++) {
        BigInteger x = BigInteger.TWO.pow(bits).add(BigInteger.valueOf(d));
        values.add(x);
        values.add(x.negate());
      }
    }
    // Values that f16 rounds to infinity, and f32 and f64 ties near the limits of i64.
    for (long x : new long[] {65519, 65520, (1L << 62) + (1L << 38) + 1, 3_000_000_000L}) {
      values.add(BigInteger.valueOf(x));
    }
    for (int bit : new int[] {10, 39, 40}) {
      BigInteger tie = BigInteger.TWO.pow(63).add(BigInteger.TWO.pow(bit));
      values.add(tie);
      values.add(tie.add(BigInteger.ONE));
    }
    List<Scalar> edges = new ArrayList<>();
    for (BigInteger x : values) {
      Scalar s = wrapped(x, type);
      if (exact(s).toBigIntegerExact().equals(x)) {
        edges.add(s);
      }
    }
    return edges;
  }

  private static List<Scalar> floatEdges(ElemType type) {
    Set<Double> values = new LinkedHashSet<>();
    for (double x : new double[] {0, 0.5, 1, 1.5, 2.5, 100.7, 65504, 65519.99, 65520, 3e9}) {
      values.add(x);
    }
    for (int bits : new int[] {7, 8, 15, 16, 31, 32, 63, 64}) {
      double x = Math.scalb(1.0, bits);
      values.addAll(List.of(x, x - 1, x - 0.5, x + 0.5, Math.nextDown(x), Math.nextUp(x)));
      values.add((double) Math.nextDown((float) x));
      values.add((double) Math.nextUp((float) x));
    }
    for (double x : new double[] {16777217, 0x1p-24, 0x1p-25, 0x1.8p-25, 1e-30, 1e30, 1e300}) {
      values.add(x);
    }
    values.addAll(List.of((double) Float.MAX_VALUE, (double) Float.MIN_VALUE));
    values.addAll(List.of(Double.MAX_VALUE, Double.MIN_VALUE, Math.nextUp(Float.MAX_VALUE * 1.0)));
    values.add(Double.POSITIVE_INFINITY);
    values.add(Double.NaN);
    Set<Scalar> edges = new LinkedHashSet<>();
    for (double x : values) {
      edges.add(rounded(x, type));
      if (!Double.isNaN(x)) {
        edges.add(rounded(-x, type));
      }
    }
    return List.copyOf(edges);
  }

  private static Scalar rounded(double x, ElemType type) {
    return switch (type) {
      case F16 -> new Scalar(type, Float.floatToFloat16((float) x));
      case F32 -> new Scalar(type, Float.floatToRawIntBits((float) x));
      default -> new Scalar(type, Double.doubleToRawLongBits(x));
    };
  }

  private static double asDouble(Scalar s) {
    return switch (s.type()) {
      case F16 -> Float.float16ToFloat(s.asShort());
      case F32 -> s.asFloat();
      default -> s.asDouble();
    };
  }

  private static String literal(Scalar s) {
    String type = s.type().text();
    if (s.type() == ElemType.BOOL) {
      return Boolean.toString(s.asBoolean());
    }
    if (!s.type().isFloat()) {
      return exact(s).toBigIntegerExact() + type;
    }
    double x = asDouble(s);
    if (Double.isNaN(x)) {
      return type + ".nan";
    }
    if (Double.isInfinite(x)) {
      return (x < 0 ? "-" : "") + type + ".inf";
    }
    String digits = s.type() == ElemType.F64 ? Double.toString(x) : Float.toString((float) x);
    return digits.replace('E', 'e') + type;
  }

  // --- Expected values

  /** Returns the exact value of an integer or finite float. */
  private static BigDecimal exact(Scalar s) {
    if (s.type().isFloat()) {
      return new BigDecimal(asDouble(s));
    }
    BigInteger signed = BigInteger.valueOf(s.bits());
    BigInteger all = BigInteger.TWO.pow(8 * s.type().bytes());
    BigInteger unsigned = signed.mod(all);
    boolean negative = !s.type().isUnsigned() && unsigned.testBit(8 * s.type().bytes() - 1);
    return new BigDecimal(negative ? unsigned.subtract(all) : unsigned);
  }

  private static Scalar wrapped(BigInteger x, ElemType type) {
    return new Scalar(
        type,
        switch (type.bytes()) {
          case 1 -> x.byteValue();
          case 2 -> x.shortValue();
          case 4 -> x.intValue();
          default -> x.longValue();
        });
  }

  /** Returns the result of a conversion, or null if it is unspecified. */
  private static @Nullable Scalar converted(Scalar a, ElemType to) {
    ElemType from = a.type();
    boolean finite = !from.isFloat() || Double.isFinite(asDouble(a));
    if (to == ElemType.BOOL) {
      boolean isTrue = from == ElemType.BOOL ? a.asBoolean() : !finite || exact(a).signum() != 0;
      return new Scalar(to, isTrue ? 1 : 0);
    }
    if (from == ElemType.BOOL) {
      BigInteger one = a.asBoolean() ? BigInteger.ONE : BigInteger.ZERO;
      return to.isFloat() ? rounded(one.doubleValue(), to) : wrapped(one, to);
    }
    if (to.isFloat()) {
      if (!finite) {
        return rounded(asDouble(a), to);
      }
      if (from.isFloat() && exact(a).signum() == 0) {
        return rounded(asDouble(a), to);
      }
      return nearest(exact(a), to);
    }
    if (!finite) {
      return wrapped(BigInteger.ZERO, to);
    }
    if (!from.isFloat()) {
      // The conversion extends with zeros if either type is unsigned.
      boolean extends0 = from.isUnsigned() || to.isUnsigned();
      BigInteger x = exact(a).toBigIntegerExact();
      return wrapped(extends0 ? x.mod(BigInteger.TWO.pow(8 * from.bytes())) : x, to);
    }
    BigInteger x = exact(a).setScale(0, RoundingMode.DOWN).toBigIntegerExact();
    Scalar result = wrapped(x, to);
    return exact(result).toBigIntegerExact().equals(x) ? result : null;
  }

  /** Returns the nearest float, with ties to even. */
  private static Scalar nearest(BigDecimal x, ElemType to) {
    if (to == ElemType.F64) {
      return rounded(x.doubleValue(), to);
    }
    if (to == ElemType.F32) {
      return new Scalar(to, Float.floatToRawIntBits(x.floatValue()));
    }
    // The candidates are the neighbours of the double-rounded value; infinity stands for the next
    // power of two.
    BigDecimal size = x.abs();
    int guess = Float.floatToFloat16(size.floatValue());
    int best = Math.min(guess, 0x7c00);
    for (int h = Math.max(0, guess - 1); h <= Math.min(0x7c00, guess + 1); h++) {
      int closer = size.subtract(half(h)).abs().compareTo(size.subtract(half(best)).abs());
      if (closer < 0 || closer == 0 && (h & 1) == 0) {
        best = h;
      }
    }
    return new Scalar(to, (short) (x.signum() < 0 ? best | 0x8000 : best));
  }

  private static BigDecimal half(int bits) {
    return bits == 0x7c00
        ? new BigDecimal(65536)
        : new BigDecimal(Float.float16ToFloat((short) bits));
  }
}
