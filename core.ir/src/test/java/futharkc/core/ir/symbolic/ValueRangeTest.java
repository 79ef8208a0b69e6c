package futharkc.core.ir.symbolic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Folding;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ValueRangeTest {
  private static final List<PrimType> INTEGERS =
      List.of(PrimType.I8, PrimType.I16, PrimType.I32, PrimType.I64);

  private final Random random = new Random(11);

  private long number(PrimType t) {
    return switch (random.nextInt(4)) {
      case 0 -> PrimValue.ofInt(t, random.nextInt(-4, 5)).asLong();
      case 1 -> PrimValue.ofInt(t, ValueRange.of(t).low() + random.nextInt(3)).asLong();
      case 2 -> PrimValue.ofInt(t, ValueRange.of(t).high() - random.nextInt(3)).asLong();
      default -> PrimValue.ofInt(t, random.nextLong() >> random.nextInt(64)).asLong();
    };
  }

  private ValueRange range(PrimType t) {
    long a = number(t);
    long b = random.nextInt(3) == 0 ? a : number(t);
    return new ValueRange(Math.min(a, b), Math.max(a, b));
  }

  private PrimValue in(ValueRange i, PrimType t) {
    long v =
        switch (random.nextInt(3)) {
          case 0 -> i.low();
          case 1 -> i.high();
          default -> {
            long x = number(t);
            yield x < i.low() ? i.low() : Math.min(x, i.high());
          }
        };
    return PrimValue.ofInt(t, v);
  }

  private static void holds(ValueRange i, PrimValue v, String what) {
    assertTrue(i.low() <= v.asLong() && v.asLong() <= i.high(), what + " = " + v + " not in " + i);
  }

  @Test
  void resultsAreInTheRange() {
    int known = 0;
    for (BinOp.Kind kind : BinOp.Kind.values()) {
      for (PrimType t : INTEGERS) {
        for (int k = 0; k < 2000; k++) {
          BinOp op = new BinOp(kind, t);
          ValueRange a = range(t);
          ValueRange b = range(t);
          ValueRange result = ValueRange.binary(op, a, b);
          if (!result.equals(ValueRange.of(t))) {
            known++;
          }
          for (int n = 0; n < 10; n++) {
            PrimValue x = in(a, t);
            PrimValue y = in(b, t);
            PrimValue v = Folding.binOp(op, x, y);
            if (v != null) {
              holds(result, v, op + " " + x + " " + y + " of " + a + " and " + b);
            }
          }
        }
      }
    }
    assertTrue(known > 40_000, "only " + known + " results are less than a type");
  }

  @Test
  void conversionsAreInTheRange() {
    for (ConvOp.Kind kind : List.of(ConvOp.Kind.SEXT, ConvOp.Kind.ZEXT)) {
      for (PrimType from : INTEGERS) {
        for (PrimType to : INTEGERS) {
          ConvOp op = new ConvOp(kind, from, to);
          for (int k = 0; k < 2000; k++) {
            ValueRange a = range(from);
            PrimValue x = in(a, from);
            PrimValue v = Folding.convOp(op, x);
            if (v != null) {
              holds(ValueRange.converted(op, a), v, op + " " + x + " of " + a);
            }
          }
        }
      }
    }
  }

  private static ValueRange binary(BinOp.Kind kind, PrimType t, ValueRange a, ValueRange b) {
    return ValueRange.binary(new BinOp(kind, t), a, b);
  }

  @Test
  void rangesAreTight() {
    ValueRange any = ValueRange.of(PrimType.I32);
    ValueRange ten = new ValueRange(10, 10);
    assertEquals(new ValueRange(0, 9), binary(BinOp.Kind.UMOD, PrimType.I32, any, ten));
    assertEquals(new ValueRange(0, 9), binary(BinOp.Kind.SMOD, PrimType.I32, any, ten));
    assertEquals(new ValueRange(-9, 9), binary(BinOp.Kind.SREM, PrimType.I32, any, ten));
    assertEquals(new ValueRange(0, 10), binary(BinOp.Kind.AND, PrimType.I32, any, ten));
    assertEquals(new ValueRange(0, 15), binary(BinOp.Kind.OR, PrimType.I32, ten, ten));
    assertEquals(
        new ValueRange(0, 0xffff_ffffL / 10), binary(BinOp.Kind.UDIV, PrimType.I32, any, ten));
    assertEquals(
        new ValueRange(-214748365, 214748364), binary(BinOp.Kind.SDIV, PrimType.I32, any, ten));
    assertEquals(
        new ValueRange(-214748364, 214748364), binary(BinOp.Kind.SQUOT, PrimType.I32, any, ten));
    assertEquals(new ValueRange(0, (1 << 22) - 1), binary(BinOp.Kind.LSHR, PrimType.I32, any, ten));
    assertEquals(
        new ValueRange(0, 0xffff_ffffL),
        ValueRange.converted(new ConvOp(ConvOp.Kind.ZEXT, PrimType.I32, PrimType.I64), any));
  }
}
