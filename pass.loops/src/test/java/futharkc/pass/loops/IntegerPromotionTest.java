package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Folding;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of narrow integers that are computed in 32 bits. */
class IntegerPromotionTest {
  private static final List<PrimType> TYPES = List.of(PrimType.I8, PrimType.I16, PrimType.I32);
  private static final List<BinOp.Kind> WRAPPING =
      List.of(
          BinOp.Kind.ADD,
          BinOp.Kind.SUB,
          BinOp.Kind.MUL,
          BinOp.Kind.AND,
          BinOp.Kind.OR,
          BinOp.Kind.XOR);

  private final Random random = new Random(1);
  private final Map<Name, PrimValue> values = new HashMap<>();

  private Expr constant(PrimType t, long value) {
    return new Expr.Const(PrimValue.ofInt(t, value));
  }

  private Expr random(PrimType t, int depth) {
    int choice = depth == 0 ? random.nextInt(2) : 2 + random.nextInt(4);
    return switch (choice) {
      case 0 -> constant(t, random.nextInt() >> random.nextInt(32));
      case 1 -> {
        Name n = new Name("x", values.size());
        values.put(n, PrimValue.ofInt(t, random.nextInt()));
        yield new Expr.Var(n, t);
      }
      case 2 -> {
        PrimType from = TYPES.get(random.nextInt(3));
        ConvOp.Kind kind = random.nextBoolean() ? ConvOp.Kind.ZEXT : ConvOp.Kind.SEXT;
        yield new Expr.Convert(new ConvOp(kind, from, t), random(from, depth - 1));
      }
      case 3 -> {
        BinOp.Kind kind = BinOp.Kind.SHL;
        if (t == PrimType.I32 && random.nextBoolean()) {
          kind = random.nextBoolean() ? BinOp.Kind.LSHR : BinOp.Kind.ASHR;
        }
        Expr by = constant(t, random.nextInt(t.bits()));
        yield new Expr.Binary(new BinOp(kind, t), random(t, depth - 1), by);
      }
      case 4 -> {
        if (t != PrimType.I32) {
          yield random(t, depth - 1);
        }
        Expr by = constant(t, (1 << 16 + random.nextInt(15)) + 1);
        yield new Expr.Binary(new BinOp(BinOp.Kind.UMOD, t), random(t, depth - 1), by);
      }
      default -> {
        BinOp op = new BinOp(WRAPPING.get(random.nextInt(WRAPPING.size())), t);
        yield new Expr.Binary(op, random(t, depth - 1), random(t, depth - 1));
      }
    };
  }

  private static PrimValue value(Expr e, Map<Name, PrimValue> values) {
    return switch (e) {
      case Expr.Const c -> c.value();
      case Expr.Var v -> {
        PrimValue x = values.get(v.name());
        assertEquals(x.type(), v.type());
        yield x;
      }
      case Expr.Binary b ->
          known(Folding.binOp(b.op(), value(b.left(), values), value(b.right(), values)));
      case Expr.Convert c -> known(Folding.convOp(c.op(), value(c.operand(), values)));
      default -> throw new AssertionError(e);
    };
  }

  private static PrimValue known(@Nullable PrimValue v) {
    if (v == null) {
      throw new AssertionError("no value");
    }
    return v;
  }

  @Test
  void lowerBitsAreThoseOfTheNarrowValue() {
    for (int round = 0; round < 5000; round++) {
      values.clear();
      PrimType t = TYPES.get(random.nextInt(3));
      Expr e = random(t, 1 + random.nextInt(5));
      assertTrue(IntegerPromotion.fits(e), e::toString);
      Set<Name> wide = new HashSet<>();
      Map<Name, PrimValue> widened = new HashMap<>(values);
      for (Map.Entry<Name, PrimValue> v : values.entrySet()) {
        if (random.nextBoolean()) {
          continue;
        }
        wide.add(v.getKey());
        long garbage = (long) random.nextInt() << v.getValue().type().bits();
        long lower = v.getValue().asLong() & (1L << v.getValue().type().bits()) - 1;
        int filled = (int) (garbage | lower);
        widened.put(v.getKey(), PrimValue.ofInt(PrimType.I32, filled));
      }
      Name result = new Name("result", -1);
      Code.Declare d =
          (Code.Declare)
              IntegerPromotion.widen(List.of(new Code.Declare(result, t, e)), wide).get(0);
      assertEquals(PrimType.I32, d.type());
      PrimValue whole = value(d.value(), widened);
      assertEquals(
          value(e, values),
          Folding.convOp(new ConvOp(ConvOp.Kind.SEXT, PrimType.I32, t), whole),
          e::toString);
    }
  }

  @Test
  void whatUpperBitsChangeDoesNotFit() {
    Expr x = new Expr.Var(new Name("x", 0), PrimType.I16);
    BinOp right = new BinOp(BinOp.Kind.LSHR, PrimType.I16);
    assertFalse(IntegerPromotion.fits(new Expr.Binary(right, x, constant(PrimType.I16, 1))));
    BinOp mod = new BinOp(BinOp.Kind.UMOD, PrimType.I16);
    assertFalse(IntegerPromotion.fits(new Expr.Binary(mod, x, constant(PrimType.I16, 257))));
    Expr y = new Expr.Var(new Name("y", 0), PrimType.I32);
    BinOp left = new BinOp(BinOp.Kind.SHL, PrimType.I32);
    assertFalse(IntegerPromotion.fits(new Expr.Binary(left, y, constant(PrimType.I32, 32))));
    assertFalse(IntegerPromotion.fits(new Expr.Binary(left, y, y)));
    assertFalse(IntegerPromotion.fits(new Expr.Binary(left, y, constant(PrimType.I32, -1))));
    BinOp down = new BinOp(BinOp.Kind.ASHR, PrimType.I32);
    assertFalse(IntegerPromotion.fits(new Expr.Binary(down, y, y)));
    BinOp leftShort = new BinOp(BinOp.Kind.SHL, PrimType.I16);
    assertFalse(IntegerPromotion.fits(new Expr.Binary(leftShort, x, constant(PrimType.I16, 20))));
  }

  @Test
  void otherValuesDoNotFit() {
    Expr y = new Expr.Var(new Name("y", 0), PrimType.I32);
    Expr load = new Expr.Load(new Name("ys", 1), PrimType.I32, Poly.ZERO);
    Expr wide = new Expr.Var(new Name("z", 2), PrimType.I64);
    ConvOp cut = new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, PrimType.I32);
    BinOp sum = new BinOp(BinOp.Kind.ADD, PrimType.I32);
    assertTrue(IntegerPromotion.fits(new Expr.Binary(sum, y, y)));
    assertFalse(IntegerPromotion.fits(load));
    assertFalse(IntegerPromotion.fits(wide));
    assertFalse(IntegerPromotion.fits(new Expr.Convert(cut, wide)));
    assertFalse(IntegerPromotion.fits(new Expr.Binary(sum, y, load)));
    assertFalse(IntegerPromotion.fits(new Expr.Binary(sum, load, y)));
    BinOp quotient = new BinOp(BinOp.Kind.SDIV, PrimType.I32);
    assertFalse(IntegerPromotion.fits(new Expr.Binary(quotient, y, y)));
  }
}
