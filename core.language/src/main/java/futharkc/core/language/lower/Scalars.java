package futharkc.core.language.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import futharkc.core.language.ScalarOp;
import futharkc.core.language.syntax.PrimType;
import java.util.List;

/**
 * The lowering of scalar operations on source types. The operators of the representation encode the
 * signedness that source types carry.
 */
final class Scalars {
  private final Emit emit;

  Scalars(Emit emit) {
    this.emit = emit;
  }

  /** Emits an operation on values of type {@code t}. */
  SubExp apply(ScalarOp op, PrimType t, List<SubExp> args) {
    futharkc.core.ir.PrimType ir = Ty.ir(t);
    return switch (op) {
      case ADD -> bin(t.isFloat() ? BinOp.Kind.FADD : BinOp.Kind.ADD, t, args);
      case SUB -> bin(t.isFloat() ? BinOp.Kind.FSUB : BinOp.Kind.SUB, t, args);
      case MUL -> bin(t.isFloat() ? BinOp.Kind.FMUL : BinOp.Kind.MUL, t, args);
      case DIV -> divide(BinOp.Kind.SDIV, BinOp.Kind.UDIV, BinOp.Kind.FDIV, t, args);
      case MOD -> divide(BinOp.Kind.SMOD, BinOp.Kind.UMOD, BinOp.Kind.FMOD, t, args);
      case QUOT -> divide(BinOp.Kind.SQUOT, BinOp.Kind.UDIV, BinOp.Kind.FDIV, t, args);
      case REM -> divide(BinOp.Kind.SREM, BinOp.Kind.UMOD, BinOp.Kind.FMOD, t, args);
      case POW -> power(t, args);
      case MIN -> bin(signed(t, BinOp.Kind.SMIN, BinOp.Kind.UMIN, BinOp.Kind.FMIN), t, args);
      case MAX -> bin(signed(t, BinOp.Kind.SMAX, BinOp.Kind.UMAX, BinOp.Kind.FMAX), t, args);
      case NEG -> emit.unOp(UnOp.Kind.NEG, ir, args.get(0));
      case ABS -> t.isUnsigned() ? args.get(0) : emit.unOp(UnOp.Kind.ABS, ir, args.get(0));
      case SGN ->
          emit.unOp(
              t.isFloat()
                  ? UnOp.Kind.FSIGNUM
                  : t.isUnsigned() ? UnOp.Kind.USIGNUM : UnOp.Kind.SSIGNUM,
              ir,
              args.get(0));
      case HIGHEST -> SubExp.of(highest(t));
      case LOWEST -> SubExp.of(lowest(t));
      case AND -> bin(t == PrimType.BOOL ? BinOp.Kind.LOG_AND : BinOp.Kind.AND, t, args);
      case OR -> bin(t == PrimType.BOOL ? BinOp.Kind.LOG_OR : BinOp.Kind.OR, t, args);
      case XOR -> t == PrimType.BOOL ? emit.not(eq(t, args)) : bin(BinOp.Kind.XOR, t, args);
      case NOT -> emit.unOp(UnOp.Kind.NOT, ir, args.get(0));
      case SHL -> bin(BinOp.Kind.SHL, t, args);
      case SHR -> bin(t.isUnsigned() ? BinOp.Kind.LSHR : BinOp.Kind.ASHR, t, args);
      case LSHR -> bin(BinOp.Kind.LSHR, t, args);
      case POPC -> emit.primFun(PrimFun.Kind.POPC, ir, args);
      case CLZ -> emit.primFun(PrimFun.Kind.CLZ, ir, args);
      case CTZ -> emit.primFun(PrimFun.Kind.CTZ, ir, args);
      case MUL_HI ->
          emit.primFun(t.isUnsigned() ? PrimFun.Kind.UMUL_HI : PrimFun.Kind.SMUL_HI, ir, args);
      case EQ -> eq(t, args);
      case NEQ -> emit.not(eq(t, args));
      case LT -> less(t, args.get(0), args.get(1));
      case LE -> lessOrEqual(t, args.get(0), args.get(1));
      case GT -> less(t, args.get(1), args.get(0));
      case GE -> lessOrEqual(t, args.get(1), args.get(0));
      case LOGAND -> emit.and(args.get(0), args.get(1));
      case LOGOR -> emit.or(args.get(0), args.get(1));
      case NAN -> SubExp.of(PrimValue.ofFloat(ir, Double.NaN));
      case SQRT,
          RSQRT,
          CBRT,
          HYPOT,
          EXP,
          LOG,
          LOG2,
          LOG10,
          LOG1P,
          SIN,
          COS,
          TAN,
          ASIN,
          ACOS,
          ATAN,
          ATAN2,
          SINH,
          COSH,
          TANH,
          ASINH,
          ACOSH,
          ATANH,
          SINPI,
          COSPI,
          TANPI,
          ASINPI,
          ACOSPI,
          ATANPI,
          ATAN2PI,
          GAMMA,
          LGAMMA,
          ERF,
          ERFC,
          FMA,
          CEIL,
          FLOOR,
          ROUND,
          ISINF,
          ISNAN,
          NEXTAFTER,
          COPYSIGN,
          LDEXP,
          TO_BITS,
          FROM_BITS ->
          emit.primFun(PrimFun.Kind.valueOf(op.name()), ir, args);
    };
  }

  /** Emits the conversion {@code conv_FROM_TO}. */
  SubExp convert(PrimType from, PrimType to, SubExp a) {
    futharkc.core.ir.PrimType x = Ty.ir(from);
    futharkc.core.ir.PrimType y = Ty.ir(to);
    if (from == PrimType.BOOL) {
      if (to == PrimType.BOOL) {
        return a;
      }
      return emit.conv(to.isFloat() ? ConvOp.Kind.BTOF : ConvOp.Kind.BTOI, x, y, a);
    }
    if (to == PrimType.BOOL) {
      return emit.conv(from.isFloat() ? ConvOp.Kind.FTOB : ConvOp.Kind.ITOB, x, y, a);
    }
    if (from.isFloat()) {
      ConvOp.Kind toInteger = to.isUnsigned() ? ConvOp.Kind.FPTOUI : ConvOp.Kind.FPTOSI;
      return emit.conv(to.isFloat() ? ConvOp.Kind.FPCONV : toInteger, x, y, a);
    }
    if (to.isFloat()) {
      return emit.conv(from.isUnsigned() ? ConvOp.Kind.UITOFP : ConvOp.Kind.SITOFP, x, y, a);
    }
    boolean signed = from.isSigned() && to.isSigned();
    return emit.conv(signed ? ConvOp.Kind.SEXT : ConvOp.Kind.ZEXT, x, y, a);
  }

  /** Converts an integer to i64. */
  SubExp toI64(PrimType from, SubExp a) {
    return convert(from, PrimType.I64, a);
  }

  private SubExp bin(BinOp.Kind kind, PrimType t, List<SubExp> args) {
    return emit.binOp(kind.toString(), kind, Ty.ir(t), args.get(0), args.get(1));
  }

  private static BinOp.Kind signed(PrimType t, BinOp.Kind s, BinOp.Kind u, BinOp.Kind f) {
    return t.isFloat() ? f : t.isUnsigned() ? u : s;
  }

  private SubExp divide(BinOp.Kind s, BinOp.Kind u, BinOp.Kind f, PrimType t, List<SubExp> args) {
    BinOp.Kind kind = signed(t, s, u, f);
    if (t.isFloat()) {
      return bin(kind, t, args);
    }
    SubExp divisor = args.get(1);
    List<Name> certs =
        emit.check(
            emit.not(emit.cmp(CmpOp.Kind.EQ, Ty.ir(t), divisor, emit.prim(Ty.ir(t), 0))),
            () -> List.of(Emit.text("division by zero")));
    return emit.binOp(kind.toString(), kind, Ty.ir(t), args.get(0), divisor, certs);
  }

  private SubExp power(PrimType t, List<SubExp> args) {
    if (t.isFloat()) {
      return bin(BinOp.Kind.FPOW, t, args);
    }
    SubExp exponent = args.get(1);
    List<Name> certs =
        t.isUnsigned()
            ? List.of()
            : emit.check(
                lessOrEqual(t, emit.prim(Ty.ir(t), 0), exponent),
                () -> List.of(Emit.text("Negative exponent")));
    return emit.binOp("pow", BinOp.Kind.POW, Ty.ir(t), args.get(0), exponent, certs);
  }

  private SubExp eq(PrimType t, List<SubExp> args) {
    return emit.cmp(CmpOp.Kind.EQ, Ty.ir(t), args.get(0), args.get(1));
  }

  private SubExp less(PrimType t, SubExp a, SubExp b) {
    CmpOp.Kind kind =
        t == PrimType.BOOL
            ? CmpOp.Kind.LLT
            : t.isFloat() ? CmpOp.Kind.FLT : t.isUnsigned() ? CmpOp.Kind.ULT : CmpOp.Kind.SLT;
    return emit.cmp(kind, Ty.ir(t), a, b);
  }

  private SubExp lessOrEqual(PrimType t, SubExp a, SubExp b) {
    CmpOp.Kind kind =
        t == PrimType.BOOL
            ? CmpOp.Kind.LLE
            : t.isFloat() ? CmpOp.Kind.FLE : t.isUnsigned() ? CmpOp.Kind.ULE : CmpOp.Kind.SLE;
    return emit.cmp(kind, Ty.ir(t), a, b);
  }

  private static PrimValue highest(PrimType t) {
    futharkc.core.ir.PrimType ir = Ty.ir(t);
    if (t.isFloat()) {
      return PrimValue.ofFloat(ir, Double.POSITIVE_INFINITY);
    }
    return PrimValue.ofInt(ir, t.isUnsigned() ? -1 : (1L << (t.bits() - 1)) - 1);
  }

  private static PrimValue lowest(PrimType t) {
    futharkc.core.ir.PrimType ir = Ty.ir(t);
    if (t.isFloat()) {
      return PrimValue.ofFloat(ir, Double.NEGATIVE_INFINITY);
    }
    return PrimValue.ofInt(ir, t.isUnsigned() ? 0 : -1L << (t.bits() - 1));
  }
}
