package futharkc.backend.interpreter;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.UnOp;
import futharkc.core.runtime.Convert;
import futharkc.core.runtime.F16;
import futharkc.core.runtime.F32;
import futharkc.core.runtime.F64;
import futharkc.core.runtime.I64;

/**
 * The scalar operators on 64-bit values: integers are sign-extended, floats are their bits
 * sign-extended, booleans are 0 or 1.
 */
final class ScalarOps {
  private ScalarOps() {}

  /** An operator of one operand. */
  interface Unary {
    long apply(long a);
  }

  /** An operator of two operands. */
  interface Binary {
    long apply(long a, long b);
  }

  static float f32(long bits) {
    return Float.intBitsToFloat((int) bits);
  }

  static double f64(long bits) {
    return Double.longBitsToDouble(bits);
  }

  static long bits(float x) {
    return Float.floatToRawIntBits(x);
  }

  static long bits(double x) {
    return Double.doubleToRawLongBits(x);
  }

  /** Returns the bits of a constant. */
  static long bits(PrimValue v) {
    return switch (v.type()) {
      case F16 -> Float.floatToFloat16((float) v.asDouble());
      case F32 -> bits((float) v.asDouble());
      case F64, I8, I16, I32, I64, BOOL, UNIT -> v.bits();
    };
  }

  /** Wraps an integer to the range of its type. */
  static long wrap(PrimType t, long v) {
    return switch (t) {
      case I8 -> (byte) v;
      case I16 -> (short) v;
      case I32 -> (int) v;
      default -> v;
    };
  }

  private static Binary wrapped(PrimType t, Binary f) {
    return switch (t) {
      case I8 -> (a, b) -> (byte) f.apply(a, b);
      case I16 -> (a, b) -> (short) f.apply(a, b);
      case I32 -> (a, b) -> (int) f.apply(a, b);
      default -> f;
    };
  }

  static Binary binary(BinOp op) {
    return switch (op.type()) {
      case I8, I16, I32, I64 -> integer(op.kind(), op.type());
      case F16 -> half(op.kind());
      case F32 -> single(op.kind());
      case F64 -> dbl(op.kind());
      case BOOL ->
          switch (op.kind()) {
            case LOG_AND, AND -> (a, b) -> a & b;
            case LOG_OR, OR -> (a, b) -> a | b;
            case XOR -> (a, b) -> a ^ b;
            default -> throw new IllegalArgumentException("no operator " + op);
          };
      case UNIT -> throw new IllegalArgumentException("no operator " + op);
    };
  }

  @SuppressWarnings("NarrowCalculation") // 32-bit operations wrap around.
  private static Binary integer(BinOp.Kind kind, PrimType t) {
    int bits = t.bits();
    long mask = bits == 64 ? -1 : (1L << bits) - 1;
    boolean i32 = t == PrimType.I32;
    return switch (kind) {
      case ADD -> i32 ? (a, b) -> (int) a + (int) b : wrapped(t, (a, b) -> a + b);
      case SUB -> i32 ? (a, b) -> (int) a - (int) b : wrapped(t, (a, b) -> a - b);
      case MUL -> i32 ? (a, b) -> (int) a * (int) b : wrapped(t, (a, b) -> a * b);
      case SDIV -> wrapped(t, I64::sdiv);
      case SDIV_UP -> wrapped(t, (a, b) -> b == 0 ? 0 : Math.ceilDiv(a, b));
      case SMOD -> wrapped(t, I64::smod);
      case SQUOT -> wrapped(t, I64::squot);
      case SREM -> wrapped(t, I64::srem);
      case UDIV -> wrapped(t, (a, b) -> I64.udiv(a & mask, b & mask));
      case UDIV_UP ->
          wrapped(
              t,
              (a, b) -> {
                long q = I64.udiv(a & mask, b & mask);
                return b != 0 && I64.umod(a & mask, b & mask) != 0 ? q + 1 : q;
              });
      case UMOD -> wrapped(t, (a, b) -> I64.umod(a & mask, b & mask));
      case SMIN -> Math::min;
      case SMAX -> Math::max;
      case UMIN -> I64::umin;
      case UMAX -> I64::umax;
      case SHL -> wrapped(t, (a, b) -> outside(b & mask, bits) ? 0 : a << b);
      case LSHR -> wrapped(t, (a, b) -> outside(b & mask, bits) ? 0 : (a & mask) >>> b);
      case ASHR -> (a, b) -> outside(b & mask, bits) ? a >> 63 : a >> b;
      case AND -> (a, b) -> a & b;
      case OR -> (a, b) -> a | b;
      case XOR -> (a, b) -> a ^ b;
      case POW -> wrapped(t, (a, b) -> I64.pow(a, b & mask));
      default -> throw new IllegalArgumentException("no operator " + kind + " of integers");
    };
  }

  private static boolean outside(long shift, int bits) {
    return shift < 0 || shift >= bits;
  }

  private static Binary half(BinOp.Kind kind) {
    return switch (kind) {
      case FADD -> (a, b) -> F16.add((short) a, (short) b);
      case FSUB -> (a, b) -> F16.sub((short) a, (short) b);
      case FMUL -> (a, b) -> F16.mul((short) a, (short) b);
      case FDIV -> (a, b) -> F16.div((short) a, (short) b);
      case FMOD -> (a, b) -> F16.mod((short) a, (short) b);
      case FPOW -> (a, b) -> F16.pow((short) a, (short) b);
      case FMIN -> (a, b) -> F16.min((short) a, (short) b);
      case FMAX -> (a, b) -> F16.max((short) a, (short) b);
      default -> throw new IllegalArgumentException("no operator " + kind + " of floats");
    };
  }

  private static Binary single(BinOp.Kind kind) {
    return switch (kind) {
      case FADD -> (a, b) -> bits(f32(a) + f32(b));
      case FSUB -> (a, b) -> bits(f32(a) - f32(b));
      case FMUL -> (a, b) -> bits(f32(a) * f32(b));
      case FDIV -> (a, b) -> bits(f32(a) / f32(b));
      case FMOD -> (a, b) -> bits(F32.mod(f32(a), f32(b)));
      case FPOW -> (a, b) -> bits(F32.pow(f32(a), f32(b)));
      case FMIN -> (a, b) -> bits(F32.min(f32(a), f32(b)));
      case FMAX -> (a, b) -> bits(F32.max(f32(a), f32(b)));
      default -> throw new IllegalArgumentException("no operator " + kind + " of floats");
    };
  }

  private static Binary dbl(BinOp.Kind kind) {
    return switch (kind) {
      case FADD -> (a, b) -> bits(f64(a) + f64(b));
      case FSUB -> (a, b) -> bits(f64(a) - f64(b));
      case FMUL -> (a, b) -> bits(f64(a) * f64(b));
      case FDIV -> (a, b) -> bits(f64(a) / f64(b));
      case FMOD -> (a, b) -> bits(F64.mod(f64(a), f64(b)));
      case FPOW -> (a, b) -> bits(F64.pow(f64(a), f64(b)));
      case FMIN -> (a, b) -> bits(F64.min(f64(a), f64(b)));
      case FMAX -> (a, b) -> bits(F64.max(f64(a), f64(b)));
      default -> throw new IllegalArgumentException("no operator " + kind + " of floats");
    };
  }

  static Binary compare(CmpOp op) {
    return switch (op.kind()) {
      case EQ ->
          switch (op.type()) {
            case F16 -> (a, b) -> bool(F16.eq((short) a, (short) b));
            case F32 -> (a, b) -> bool(f32(a) == f32(b));
            case F64 -> (a, b) -> bool(f64(a) == f64(b));
            default -> (a, b) -> bool(a == b);
          };
      case ULT -> (a, b) -> bool(Long.compareUnsigned(a, b) < 0);
      case ULE -> (a, b) -> bool(Long.compareUnsigned(a, b) <= 0);
      case SLT, LLT -> (a, b) -> bool(a < b);
      case SLE, LLE -> (a, b) -> bool(a <= b);
      case FLT ->
          switch (op.type()) {
            case F16 -> (a, b) -> bool(F16.lt((short) a, (short) b));
            case F32 -> (a, b) -> bool(f32(a) < f32(b));
            default -> (a, b) -> bool(f64(a) < f64(b));
          };
      case FLE ->
          switch (op.type()) {
            case F16 -> (a, b) -> bool(F16.le((short) a, (short) b));
            case F32 -> (a, b) -> bool(f32(a) <= f32(b));
            default -> (a, b) -> bool(f64(a) <= f64(b));
          };
    };
  }

  private static long bool(boolean b) {
    return b ? 1 : 0;
  }

  static Unary unary(UnOp op) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case NEG ->
          switch (t) {
            case F16 -> a -> F16.neg((short) a);
            case F32 -> a -> bits(-f32(a));
            case F64 -> a -> bits(-f64(a));
            default -> a -> wrap(t, -a);
          };
      case NOT -> t == PrimType.BOOL ? a -> a ^ 1 : a -> ~a;
      case ABS ->
          switch (t) {
            case F16 -> a -> F16.abs((short) a);
            case F32 -> a -> bits(Math.abs(f32(a)));
            case F64 -> a -> bits(Math.abs(f64(a)));
            default -> a -> wrap(t, Math.abs(a));
          };
      case SSIGNUM -> Long::signum;
      case USIGNUM -> a -> a == 0 ? 0 : 1;
      case FSIGNUM ->
          switch (t) {
            case F16 -> a -> F16.signum((short) a);
            case F32 -> a -> bits(F32.signum(f32(a)));
            default -> a -> bits(F64.signum(f64(a)));
          };
    };
  }

  static Unary convert(ConvOp op) {
    PrimType from = op.from();
    PrimType to = op.to();
    long mask = from.bits() == 64 ? -1 : (1L << from.bits()) - 1;
    return switch (op.kind()) {
      case ZEXT -> a -> wrap(to, a & mask);
      case SEXT -> a -> wrap(to, a);
      case FPCONV -> floatToFloat(from, to);
      case FPTOUI -> floatToInt(from, to, true);
      case FPTOSI -> floatToInt(from, to, false);
      case UITOFP ->
          switch (to) {
            case F16 -> a -> Convert.u64ToF16(a & mask);
            case F32 -> a -> bits(Convert.u64ToF32(a & mask));
            default -> a -> bits(Convert.u64ToF64(a & mask));
          };
      case SITOFP ->
          switch (to) {
            case F16 -> a -> Convert.i64ToF16(a);
            case F32 -> a -> bits((float) a);
            default -> a -> bits((double) a);
          };
      case BTOI -> a -> a;
      case ITOB -> a -> bool(a != 0);
      case BTOF ->
          switch (to) {
            case F16 -> a -> Convert.boolToF16(a != 0);
            case F32 -> a -> bits((float) a);
            default -> a -> bits((double) a);
          };
      case FTOB ->
          switch (from) {
            case F16 -> a -> bool(Convert.f16ToBool((short) a));
            case F32 -> a -> bool(f32(a) != 0);
            default -> a -> bool(f64(a) != 0);
          };
    };
  }

  private static Unary floatToFloat(PrimType from, PrimType to) {
    return switch (from) {
      case F16 ->
          switch (to) {
            case F16 -> a -> a;
            case F32 -> a -> bits(Convert.f16ToF32((short) a));
            default -> a -> bits(Convert.f16ToF64((short) a));
          };
      case F32 ->
          switch (to) {
            case F16 -> a -> Convert.f32ToF16(f32(a));
            case F32 -> a -> a;
            default -> a -> bits((double) f32(a));
          };
      default ->
          switch (to) {
            case F16 -> a -> Convert.f64ToF16(f64(a));
            case F32 -> a -> bits((float) f64(a));
            default -> a -> a;
          };
    };
  }

  private static Unary floatToInt(PrimType from, PrimType to, boolean unsigned) {
    return switch (from) {
      case F16 ->
          a ->
              wrap(
                  to,
                  unsigned && to == PrimType.I64
                      ? Convert.f16ToU64((short) a)
                      : Convert.f16ToI64((short) a));
      case F32 ->
          switch (to) {
            case I8 -> a -> unsigned ? Convert.f32ToU8(f32(a)) : Convert.f32ToI8(f32(a));
            case I16 -> a -> unsigned ? Convert.f32ToU16(f32(a)) : Convert.f32ToI16(f32(a));
            case I32 -> a -> unsigned ? Convert.f32ToU32(f32(a)) : Convert.f32ToI32(f32(a));
            default -> a -> unsigned ? Convert.f32ToU64(f32(a)) : Convert.f32ToI64(f32(a));
          };
      default ->
          switch (to) {
            case I8 -> a -> unsigned ? Convert.f64ToU8(f64(a)) : Convert.f64ToI8(f64(a));
            case I16 -> a -> unsigned ? Convert.f64ToU16(f64(a)) : Convert.f64ToI16(f64(a));
            case I32 -> a -> unsigned ? Convert.f64ToU32(f64(a)) : Convert.f64ToI32(f64(a));
            default -> a -> unsigned ? Convert.f64ToU64(f64(a)) : Convert.f64ToI64(f64(a));
          };
    };
  }
}
