package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Folding;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.symbolic.Bounds;
import futharkc.core.ir.symbolic.ValueRange;
import org.jspecify.annotations.Nullable;

/** Rules on scalars. */
final class ScalarRules {
  private ScalarRules() {}

  /** Returns an operation with the same value, or null. */
  static @Nullable BasicOp simplify(BasicOp op, Simplifier in) {
    return switch (op) {
      case BasicOp.BinOpExp x -> binOp(x, in);
      case BasicOp.CmpOpExp x -> cmpOp(x, in);
      case BasicOp.UnOpExp x -> unOp(x, in);
      case BasicOp.ConvOpExp x -> convOp(x, in);
      default -> null;
    };
  }

  private static BasicOp be(SubExp e) {
    return new BasicOp.SubExpOp(e);
  }

  private static BasicOp be(PrimValue v) {
    return be(SubExp.of(v));
  }

  private static @Nullable BasicOp binOp(BasicOp.BinOpExp x, Simplifier in) {
    SubExp a = x.left();
    SubExp b = x.right();
    if (a instanceof SubExp.Const ca && b instanceof SubExp.Const cb) {
      PrimValue v = Folding.binOp(x.op(), ca.value(), cb.value());
      if (v != null) {
        return be(v);
      }
    }
    if (a instanceof SubExp.Const && !(b instanceof SubExp.Const) && mayBeSwapped(x.op(), in)) {
      return new BasicOp.BinOpExp(x.op(), b, a);
    }
    return ofEqualDerivative(x) || in.mayChangeDerivatives() ? binOp(x, a, b, in) : null;
  }

  /**
   * Tests whether an operation with its operands swapped has the same value, bit for bit, and the
   * same derivative. The minimum of two zeros is the first one, and the minimum of equal operands
   * has the derivative of the first one.
   */
  static boolean mayBeSwapped(BinOp op, Simplifier in) {
    return switch (op.kind()) {
      case FMIN, FMAX -> false;
      case SMIN, SMAX, UMIN, UMAX -> in.mayChangeDerivatives();
      default -> op.isCommutative();
    };
  }

  /**
   * Tests whether the rules below preserve an operation's derivative. Bitwise operations,
   * remainders and conjunctions have a derivative of zero even if they return one of their
   * operands.
   */
  private static boolean ofEqualDerivative(BasicOp.BinOpExp x) {
    return switch (x.op().kind()) {
      case AND, OR, XOR, SMOD, SREM, UMOD -> false;
      case LOG_AND -> isTrue(x.right()) || isFalse(x.right());
      case LOG_OR -> isFalse(x.right());
      default -> true;
    };
  }

  private static @Nullable BasicOp binOp(BasicOp.BinOpExp x, SubExp a, SubExp b, Simplifier in) {
    PrimType t = x.op().type();
    boolean same = a.equals(b);
    boolean bZero = isZero(b);
    boolean bOne = isOne(b);
    return switch (x.op().kind()) {
      case ADD -> bZero ? be(a) : addConstants(x, in);
      // x - 0 = x, x - x = 0, (x + y) - y = x, (x + y) - x = y
      case SUB -> {
        if (bZero) {
          yield be(a);
        }
        if (same) {
          yield be(PrimValue.zero(t));
        }
        if (b instanceof SubExp.Const c && c.value().bits() != Long.MIN_VALUE) {
          yield new BasicOp.BinOpExp(
              new BinOp(BinOp.Kind.ADD, t), a, SubExp.of(PrimValue.ofInt(t, -c.value().asLong())));
        }
        if (in.expOf(a) instanceof BasicOp.BinOpExp y
            && y.op().equals(new BinOp(BinOp.Kind.ADD, t))) {
          if (y.right().equals(b)) {
            yield be(y.left());
          }
          if (y.left().equals(b)) {
            yield be(y.right());
          }
        }
        yield null;
      }
      // x * 0 = 0, x * 1 = x
      case MUL -> bZero ? be(b) : bOne ? be(a) : byConstants(x, in);
      case FADD -> null;
      case FSUB -> bZero && !isNegativeZero(b) ? be(a) : null;
      case FMUL -> bOne ? be(a) : null;
      // x / 2^k = x * 2^-k, bit for bit
      case FDIV -> {
        if (bOne) {
          yield be(a);
        }
        yield b instanceof SubExp.Const c && isPowerOfTwo(c.value())
            ? new BasicOp.BinOpExp(
                new BinOp(BinOp.Kind.FMUL, t),
                a,
                SubExp.of(PrimValue.ofFloat(t, 1 / c.value().asDouble())))
            : null;
      }
      case SDIV, SQUOT, UDIV, SDIV_UP, UDIV_UP ->
          bOne ? be(a) : isZero(a) && isNonZero(b) ? be(a) : null;
      case SMOD, SREM, UMOD ->
          bOne ? be(PrimValue.zero(t)) : isZero(a) && isNonZero(b) ? be(a) : null;
      case SMIN, SMAX, UMIN, UMAX -> same ? be(a) : byConstants(x, in);
      case FMIN, FMAX -> same ? be(a) : null;
      case SHL, LSHR, ASHR -> bZero || isZero(a) ? be(a) : null;
      case AND -> bZero ? be(b) : same || isAllOnes(b) ? be(a) : byConstants(x, in);
      case OR -> bZero || same ? be(a) : isAllOnes(b) ? be(b) : byConstants(x, in);
      case XOR -> bZero ? be(a) : same ? be(PrimValue.zero(t)) : byConstants(x, in);
      // 2 ** x = 1 << x
      case POW -> {
        if (bOne) {
          yield be(a);
        }
        if (bZero) {
          yield be(PrimValue.one(t));
        }
        yield a.isInt(2) && in.mayChangeDerivatives()
            ? new BasicOp.BinOpExp(new BinOp(BinOp.Kind.SHL, t), SubExp.of(PrimValue.one(t)), b)
            : null;
      }
      case FPOW -> bOne ? be(a) : null;
      case LOG_AND ->
          isTrue(b) || same
              ? be(a)
              : isFalse(b) ? be(b) : areOpposite(a, b, in) ? be(PrimValue.FALSE) : null;
      case LOG_OR ->
          isFalse(b) || same
              ? be(a)
              : isTrue(b) ? be(b) : areOpposite(a, b, in) ? be(PrimValue.TRUE) : null;
      case FMOD -> null;
    };
  }

  /** Tests whether a float is a power of two, and neither it nor its inverse is subnormal. */
  private static boolean isPowerOfTwo(PrimValue v) {
    int most =
        switch (v.type()) {
          case F16 -> 14;
          case F32 -> Float.MAX_EXPONENT - 1;
          default -> Double.MAX_EXPONENT - 1;
        };
    double size = Math.abs(v.asDouble());
    int exponent = Math.getExponent(size);
    return Math.abs(exponent) <= most && size == Math.scalb(1.0, exponent);
  }

  /**
   * Tests whether one condition is the negation of the other: x and not x, or x < y and y <= x on
   * integers.
   */
  private static boolean areOpposite(SubExp a, SubExp b, Simplifier in) {
    if (isNot(a, b, in) || isNot(b, a, in)) {
      return true;
    }
    return in.expOf(a) instanceof BasicOp.CmpOpExp x
        && in.expOf(b) instanceof BasicOp.CmpOpExp y
        && x.op().type().equals(y.op().type())
        && x.left().equals(y.right())
        && x.right().equals(y.left())
        && (x.op().kind() == CmpOp.Kind.SLT && y.op().kind() == CmpOp.Kind.SLE
            || x.op().kind() == CmpOp.Kind.SLE && y.op().kind() == CmpOp.Kind.SLT);
  }

  private static boolean isNot(SubExp a, SubExp b, Simplifier in) {
    return in.expOf(a) instanceof BasicOp.UnOpExp x
        && x.op().kind() == UnOp.Kind.NOT
        && x.operand().equals(b);
  }

  /**
   * Combines constants: (x * c) * d = x * (c * d), and the same for other associative operators on
   * integers.
   */
  private static @Nullable BasicOp byConstants(BasicOp.BinOpExp x, Simplifier in) {
    if (!(x.right() instanceof SubExp.Const d)
        || !(in.expOf(x.left()) instanceof BasicOp.BinOpExp y)
        || !y.op().equals(x.op())
        || !(y.right() instanceof SubExp.Const c)) {
      return null;
    }
    PrimValue both = Folding.binOp(x.op(), c.value(), d.value());
    return both == null ? null : new BasicOp.BinOpExp(x.op(), y.left(), SubExp.of(both));
  }

  private static @Nullable BasicOp addConstants(BasicOp.BinOpExp x, Simplifier in) {
    BasicOp constants = byConstants(x, in);
    if (constants != null) {
      return constants;
    }
    // (x - y) + y = x
    if (in.expOf(x.left()) instanceof BasicOp.BinOpExp y
        && y.op().equals(new BinOp(BinOp.Kind.SUB, x.op().type()))
        && y.right().equals(x.right())) {
      return be(y.left());
    }
    return null;
  }

  private static @Nullable BasicOp cmpOp(BasicOp.CmpOpExp x, Simplifier in) {
    SubExp a = x.left();
    SubExp b = x.right();
    if (a instanceof SubExp.Const ca && b instanceof SubExp.Const cb) {
      return be(Folding.cmpOp(x.op(), ca.value(), cb.value()));
    }
    PrimType t = x.op().type();
    if (a.equals(b) && !t.isFloat()) {
      return switch (x.op().kind()) {
        case EQ, SLE, ULE, LLE -> be(PrimValue.TRUE);
        case SLT, ULT, LLT -> be(PrimValue.FALSE);
        case FLT, FLE -> null;
      };
    }
    // The derivative of a comparison is zero.
    if (x.op().kind() == CmpOp.Kind.EQ && t == PrimType.BOOL && in.mayChangeDerivatives()) {
      if (isTrue(b)) {
        return be(a);
      }
      if (isTrue(a)) {
        return be(b);
      }
      if (isFalse(b)) {
        return new BasicOp.UnOpExp(new UnOp(UnOp.Kind.NOT, t), a);
      }
      if (isFalse(a)) {
        return new BasicOp.UnOpExp(new UnOp(UnOp.Kind.NOT, t), b);
      }
    }
    PrimValue known =
        t.isInt() ? compareRanges(x.op().kind(), in.range(a, t), in.range(b, t)) : null;
    if (known != null) {
      return be(known);
    }
    return t == PrimType.I64 ? compareByBounds(x, in) : null;
  }

  private static @Nullable PrimValue compareRanges(CmpOp.Kind kind, ValueRange a, ValueRange b) {
    boolean signed = kind == CmpOp.Kind.SLT || kind == CmpOp.Kind.SLE;
    if (kind != CmpOp.Kind.EQ && !signed && !(a.isNonNegative() && b.isNonNegative())) {
      return null;
    }
    return switch (kind) {
      case EQ -> a.isBelow(b) || b.isBelow(a) ? PrimValue.FALSE : null;
      case SLT, ULT -> a.isBelow(b) ? PrimValue.TRUE : b.high() <= a.low() ? PrimValue.FALSE : null;
      case SLE, ULE -> b.isBelow(a) ? PrimValue.FALSE : a.high() <= b.low() ? PrimValue.TRUE : null;
      case FLT, FLE, LLT, LLE -> null;
    };
  }

  private static @Nullable BasicOp compareByBounds(BasicOp.CmpOpExp x, Simplifier in) {
    Poly a = in.poly(x.left());
    Poly b = in.poly(x.right());
    Bounds bounds = in.bounds();
    return switch (x.op().kind()) {
      case SLT ->
          bounds.provesLess(a, b)
              ? be(PrimValue.TRUE)
              : bounds.provesNonNegative(a.minus(b)) ? be(PrimValue.FALSE) : null;
      case SLE ->
          bounds.provesNonNegative(b.minus(a))
              ? be(PrimValue.TRUE)
              : bounds.provesLess(b, a) ? be(PrimValue.FALSE) : null;
      case EQ ->
          a.equals(b)
              ? be(PrimValue.TRUE)
              : bounds.provesLess(a, b) || bounds.provesLess(b, a) ? be(PrimValue.FALSE) : null;
      case ULT, ULE ->
          bounds.provesNonNegative(a) && bounds.provesNonNegative(b)
              ? new BasicOp.CmpOpExp(
                  new CmpOp(
                      x.op().kind() == CmpOp.Kind.ULT ? CmpOp.Kind.SLT : CmpOp.Kind.SLE,
                      PrimType.I64),
                  x.left(),
                  x.right())
              : null;
      case FLT, FLE, LLT, LLE -> null;
    };
  }

  private static @Nullable BasicOp unOp(BasicOp.UnOpExp x, Simplifier in) {
    if (x.operand() instanceof SubExp.Const c) {
      PrimValue v = Folding.unOp(x.op(), c.value());
      if (v != null) {
        return be(v);
      }
    }
    Exp inner = in.expOf(x.operand());
    // not (not x) = x, -(-x) = x
    if (inner instanceof BasicOp.UnOpExp y
        && y.op().equals(x.op())
        && (x.op().kind() == UnOp.Kind.NOT || x.op().kind() == UnOp.Kind.NEG)) {
      return be(y.operand());
    }
    // not (a < b) = b <= a on integers
    if (x.op().kind() == UnOp.Kind.NOT && inner instanceof BasicOp.CmpOpExp y) {
      CmpOp.@Nullable Kind negated =
          switch (y.op().kind()) {
            case SLT -> CmpOp.Kind.SLE;
            case SLE -> CmpOp.Kind.SLT;
            case ULT -> CmpOp.Kind.ULE;
            case ULE -> CmpOp.Kind.ULT;
            case LLT -> CmpOp.Kind.LLE;
            case LLE -> CmpOp.Kind.LLT;
            case EQ, FLT, FLE -> null;
          };
      if (negated != null) {
        SubExp less = y.right();
        SubExp more = y.left();
        return new BasicOp.CmpOpExp(new CmpOp(negated, y.op().type()), less, more);
      }
    }
    return null;
  }

  private static @Nullable BasicOp convOp(BasicOp.ConvOpExp x, Simplifier in) {
    ConvOp op = x.op();
    if (x.operand() instanceof SubExp.Const c) {
      PrimValue v = Folding.convOp(op, c.value());
      if (v != null) {
        return be(v);
      }
    }
    boolean resize = op.kind() == ConvOp.Kind.SEXT || op.kind() == ConvOp.Kind.ZEXT;
    if (resize && op.from() == op.to()) {
      return be(x.operand());
    }
    // Narrowing of a widened value of the narrow type.
    if (resize
        && in.expOf(x.operand()) instanceof BasicOp.ConvOpExp y
        && (y.op().kind() == ConvOp.Kind.SEXT || y.op().kind() == ConvOp.Kind.ZEXT)
        && y.op().from() == op.to()
        && y.op().from().bits() < y.op().to().bits()) {
      return be(y.operand());
    }
    BasicOp wide = op.kind() == ConvOp.Kind.SEXT ? ofNarrowed(x, in) : null;
    if (wide != null) {
      return wide;
    }
    return in.expOf(x.operand()) instanceof BasicOp.ConvOpExp y ? ofWidened(op, y) : null;
  }

  /**
   * Removes the widening of a narrowed number that is known to fit. The number may have a constant
   * added in the narrow type.
   */
  private static @Nullable BasicOp ofNarrowed(BasicOp.ConvOpExp x, Simplifier in) {
    SubExp number = narrowed(x.operand(), x.op(), in);
    if (number != null) {
      return be(number);
    }
    if (!(in.expOf(x.operand()) instanceof BasicOp.BinOpExp sum)
        || sum.op().kind() != BinOp.Kind.ADD
        || !(sum.right() instanceof SubExp.Const c)) {
      return null;
    }
    SubExp wide = narrowed(sum.left(), x.op(), in);
    if (wide == null) {
      return null;
    }
    ValueRange of = in.range(wide, x.op().to());
    ValueRange all = ValueRange.of(x.op().from());
    BinOp add = new BinOp(BinOp.Kind.ADD, x.op().to());
    return ValueRange.binary(add, of, ValueRange.of(c.value())).isIn(all)
        ? new BasicOp.BinOpExp(
            add, wide, SubExp.of(PrimValue.ofInt(x.op().to(), c.value().asLong())))
        : null;
  }

  /** Returns the number of the wider type that was narrowed without loss; null if there is none. */
  private static @Nullable SubExp narrowed(SubExp e, ConvOp wider, Simplifier in) {
    return in.expOf(e) instanceof BasicOp.ConvOpExp y
            && y.op().kind() == ConvOp.Kind.SEXT
            && y.op().from() == wider.to()
            && y.op().to() == wider.from()
            && in.range(y.operand(), wider.to()).isIn(ValueRange.of(wider.from()))
        ? y.operand()
        : null;
  }

  /** Replaces a conversion of a widened value by a conversion of the narrow value. */
  private static @Nullable BasicOp ofWidened(ConvOp op, BasicOp.ConvOpExp widened) {
    ConvOp.Kind inner = widened.op().kind();
    boolean signed = inner == ConvOp.Kind.SEXT;
    if (!signed && inner != ConvOp.Kind.ZEXT) {
      return null;
    }
    PrimType from = widened.op().from();
    if (from.bits() >= widened.op().to().bits()) {
      return null;
    }
    ConvOp.@Nullable Kind kind =
        switch (op.kind()) {
          case SEXT -> inner;
          case ZEXT -> !signed || op.to().bits() <= op.from().bits() ? inner : null;
          case SITOFP -> signed ? op.kind() : ConvOp.Kind.UITOFP;
          case UITOFP -> signed ? null : op.kind();
          default -> null;
        };
    return kind == null
        ? null
        : new BasicOp.ConvOpExp(new ConvOp(kind, from, op.to()), widened.operand());
  }

  static boolean isZero(SubExp e) {
    return e instanceof SubExp.Const c && c.value().type() != PrimType.UNIT && c.value().isZero();
  }

  private static boolean isNegativeZero(SubExp e) {
    return e instanceof SubExp.Const c && c.value().bits() == Long.MIN_VALUE;
  }

  private static boolean isNonZero(SubExp e) {
    return e instanceof SubExp.Const c && !c.value().isZero();
  }

  private static boolean isOne(SubExp e) {
    return e instanceof SubExp.Const c && c.value().isOne();
  }

  private static boolean isAllOnes(SubExp e) {
    return e instanceof SubExp.Const c && c.value().type().isInt() && c.value().bits() == -1;
  }

  static boolean isTrue(SubExp e) {
    return e.equals(SubExp.TRUE);
  }

  static boolean isFalse(SubExp e) {
    return e.equals(SubExp.FALSE);
  }
}
