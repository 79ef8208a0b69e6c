package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A promotion of narrow integers: a variable of 8 or 16 bits becomes a 32-bit variable whose upper
 * bits are undefined. The lower bits of sums, products and similar operations depend only on lower
 * bits, so the upper bits are cleared only where a value is extended. The JVM vectorises such code,
 * but not code that truncates each result.
 */
final class IntegerPromotion {
  private IntegerPromotion() {}

  /** Tests whether a type is an integer of 8, 16 or 32 bits. */
  static boolean isOne(PrimType t) {
    return t == PrimType.I8 || t == PrimType.I16 || t == PrimType.I32;
  }

  /** Tests whether a value consists of variables, constants and operations that can be promoted. */
  static boolean fits(Expr e) {
    if (!isOne(e.type())) {
      return false;
    }
    return switch (e) {
      case Expr.Const c -> true;
      case Expr.Var v -> true;
      case Expr.Binary b -> fits(b) && fits(b.left());
      case Expr.Convert c -> fits(c.operand());
      default -> false;
    };
  }

  private static boolean fits(Expr.Binary b) {
    PrimType t = b.op().type();
    return switch (b.op().kind()) {
      case ADD, SUB, MUL, AND, OR, XOR -> fits(b.right());
      case SHL -> isBelow(t.bits(), b.right());
      case LSHR, ASHR -> t == PrimType.I32 && isBelow(32, b.right());
      case UMOD -> isFermat(b);
      default -> false;
    };
  }

  private static boolean isBelow(long limit, Expr e) {
    return e instanceof Expr.Const c && c.value().asLong() >= 0 && c.value().asLong() < limit;
  }

  /**
   * Tests whether an expression is a remainder of ints by a power of two plus one, at least 2^16 +
   * 1.
   */
  static boolean isFermat(Expr.Binary b) {
    if (b.op().kind() != BinOp.Kind.UMOD || b.op().type() != PrimType.I32) {
      return false;
    }
    if (!(b.right() instanceof Expr.Const c)) {
      return false;
    }
    long power = c.value().asLong() - 1;
    return power >= 1 << 16 && power <= 1 << 30 && Long.bitCount(power) == 1;
  }

  /**
   * Promotes declarations and assignments.
   *
   * @param wide the promoted variables, besides those that the code declares
   */
  static List<Code> widen(List<Code> code, Set<Name> wide) {
    List<Code> out = new ArrayList<>();
    for (Code c : code) {
      switch (c) {
        case Code.Declare d when d.value() != null -> {
          out.add(new Code.Declare(d.name(), PrimType.I32, widen(d.value(), wide)));
          wide.add(d.name());
        }
        case Code.Assign a -> out.add(new Code.Assign(a.name(), widen(a.value(), wide)));
        default -> throw new IllegalStateException("cannot be widened: " + c);
      }
    }
    return out;
  }

  /** Returns an int whose lower bits equal a narrow value. */
  private static Expr widen(Expr e, Set<Name> wide) {
    return switch (e) {
      case Expr.Const c -> constant(c.value().asLong());
      case Expr.Var v -> wide.contains(v.name()) ? new Expr.Var(v.name(), PrimType.I32) : extend(v);
      case Expr.Binary b -> {
        Expr left = widen(b.left(), wide);
        Expr right = widen(b.right(), wide);
        yield new Expr.Binary(new BinOp(b.op().kind(), PrimType.I32), left, right);
      }
      case Expr.Convert c -> {
        Expr x = widen(c.operand(), wide);
        int bits = c.op().from().bits();
        if (c.op().to().bits() <= bits) {
          yield x;
        }
        if (c.op().kind() == ConvOp.Kind.ZEXT) {
          yield binary(BinOp.Kind.AND, x, constant((1L << bits) - 1));
        }
        Expr shift = constant(32 - bits);
        yield binary(BinOp.Kind.ASHR, binary(BinOp.Kind.SHL, x, shift), shift);
      }
      default -> throw new IllegalStateException("cannot be widened: " + e);
    };
  }

  /** Returns a value of a narrow type, extended to an int. */
  static Expr extend(Expr e) {
    return convert(e, PrimType.I32);
  }

  /** Returns an integer truncated or extended to a type. */
  static Expr convert(Expr e, PrimType to) {
    if (e.type() == to) {
      return e;
    }
    return new Expr.Convert(new ConvOp(ConvOp.Kind.SEXT, e.type(), to), e);
  }

  private static Expr binary(BinOp.Kind kind, Expr a, Expr b) {
    return new Expr.Binary(new BinOp(kind, PrimType.I32), a, b);
  }

  private static Expr constant(long value) {
    return new Expr.Const(PrimValue.ofInt(PrimType.I32, value));
  }
}
