package futharkc.core.ir.build;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Folding;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import java.util.List;

/**
 * Arithmetic at any type, for derivatives. Integers wrap. For booleans, the sum is "or" and the
 * product is "and". Zeros and ones are folded: zero times any value is zero, including infinities.
 */
public final class Arithmetic {
  private Arithmetic() {}

  public static SubExp zero(PrimType t) {
    return SubExp.of(PrimValue.zero(t));
  }

  public static SubExp one(PrimType t) {
    return SubExp.of(PrimValue.one(t));
  }

  /** Returns a number of a numeric type. */
  public static SubExp number(PrimType t, double value) {
    return SubExp.of(t.isFloat() ? PrimValue.ofFloat(t, value) : PrimValue.ofInt(t, (long) value));
  }

  public static boolean isZero(SubExp e) {
    return e instanceof SubExp.Const c && c.value().isZero();
  }

  public static boolean isOne(SubExp e) {
    return e instanceof SubExp.Const c && c.value().isOne();
  }

  private static boolean isMinusOne(SubExp e) {
    return e instanceof SubExp.Const c
        && (c.value().type().isFloat()
            ? c.value().asDouble() == -1
            : c.value().type().isInt() && c.value().asLong() == -1);
  }

  public static BinOp addition(PrimType t) {
    if (t == PrimType.BOOL) {
      return new BinOp(BinOp.Kind.LOG_OR, t);
    }
    return new BinOp(t.isFloat() ? BinOp.Kind.FADD : BinOp.Kind.ADD, t);
  }

  public static SubExp plus(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isZero(a)) {
      return b;
    }
    if (isZero(b)) {
      return a;
    }
    return binary(e, addition(t), a, b);
  }

  public static SubExp minus(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isZero(b)) {
      return a;
    }
    if (isZero(a)) {
      return negate(e, t, b);
    }
    return binary(e, new BinOp(t.isFloat() ? BinOp.Kind.FSUB : BinOp.Kind.SUB, t), a, b);
  }

  public static SubExp times(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isZero(a) || isZero(b)) {
      return zero(t);
    }
    if (isOne(a)) {
      return b;
    }
    if (isOne(b)) {
      return a;
    }
    if (t == PrimType.BOOL) {
      return binary(e, new BinOp(BinOp.Kind.LOG_AND, t), a, b);
    }
    if (isMinusOne(a)) {
      return negate(e, t, b);
    }
    if (isMinusOne(b)) {
      return negate(e, t, a);
    }
    return binary(e, new BinOp(t.isFloat() ? BinOp.Kind.FMUL : BinOp.Kind.MUL, t), a, b);
  }

  /** Divides floats, or integers with rounding towards zero. Integer divisors must not be zero. */
  public static SubExp over(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isOne(b)) {
      return a;
    }
    return binary(e, new BinOp(t.isFloat() ? BinOp.Kind.FDIV : BinOp.Kind.SQUOT, t), a, b);
  }

  public static SubExp negate(Emitter e, PrimType t, SubExp a) {
    if (a instanceof SubExp.Const c
        && Folding.unOp(new UnOp(UnOp.Kind.NEG, t), c.value()) != null) {
      PrimValue v = Folding.unOp(new UnOp(UnOp.Kind.NEG, t), c.value());
      if (v != null) {
        return SubExp.of(v);
      }
    }
    return unary(e, UnOp.Kind.NEG, t, a);
  }

  public static SubExp binary(Emitter e, BinOp op, SubExp a, SubExp b) {
    if (a instanceof SubExp.Const x && b instanceof SubExp.Const y) {
      PrimValue v = Folding.binOp(op, x.value(), y.value());
      if (v != null) {
        return SubExp.of(v);
      }
    }
    return e.let("t", Type.prim(op.type()), new BasicOp.BinOpExp(op, a, b));
  }

  public static SubExp binary(Emitter e, BinOp.Kind kind, PrimType t, SubExp a, SubExp b) {
    return binary(e, new BinOp(kind, t), a, b);
  }

  public static SubExp unary(Emitter e, UnOp.Kind kind, PrimType t, SubExp a) {
    return e.let("t", Type.prim(t), new BasicOp.UnOpExp(new UnOp(kind, t), a));
  }

  public static SubExp compare(Emitter e, CmpOp.Kind kind, PrimType t, SubExp a, SubExp b) {
    CmpOp op = new CmpOp(kind, t);
    if (a instanceof SubExp.Const x && b instanceof SubExp.Const y) {
      return SubExp.of(Folding.cmpOp(op, x.value(), y.value()));
    }
    return e.let("c", Type.BOOL, new BasicOp.CmpOpExp(op, a, b));
  }

  public static SubExp convert(Emitter e, ConvOp op, SubExp a) {
    if (isZero(a)) {
      return zero(op.to());
    }
    if (a instanceof SubExp.Const c) {
      PrimValue v = Folding.convOp(op, c.value());
      if (v != null) {
        return SubExp.of(v);
      }
    }
    return e.let("t", Type.prim(op.to()), new BasicOp.ConvOpExp(op, a));
  }

  public static SubExp call(Emitter e, PrimFun.Kind kind, PrimType t, SubExp... args) {
    PrimFun f = new PrimFun(kind, t);
    return e.let("t", Type.prim(f.result()), new BasicOp.PrimFunExp(f, List.of(args)));
  }

  /** Adds two i64 values. The next two methods subtract and multiply. */
  public static SubExp add(Emitter e, SubExp a, SubExp b) {
    return plus(e, PrimType.I64, a, b);
  }

  public static SubExp sub(Emitter e, SubExp a, SubExp b) {
    return minus(e, PrimType.I64, a, b);
  }

  public static SubExp mul(Emitter e, SubExp a, SubExp b) {
    return times(e, PrimType.I64, a, b);
  }

  /** Tests {@code 0 <= i < n} for i64 values. */
  public static SubExp inRange(Emitter e, SubExp i, SubExp n) {
    SubExp low = compare(e, CmpOp.Kind.SLE, PrimType.I64, SubExp.i64(0), i);
    SubExp high = compare(e, CmpOp.Kind.SLT, PrimType.I64, i, n);
    return times(e, PrimType.BOOL, low, high);
  }

  // Arrays

  /** Returns the zero of any type. */
  public static SubExp zeros(Emitter e, Type t) {
    SubExp zero = zero(t.elemPrim());
    return t instanceof Type.Array a
        ? e.let("zeros", t.withoutMem(), new BasicOp.Replicate(a.shape(), zero))
        : zero;
  }

  /** Adds two values of one type elementwise. The result is a fresh array. */
  public static SubExp sum(Emitter e, SubExp a, SubExp b) {
    if (!(e.type(a) instanceof Type.Array t)) {
      return plus(e, e.type(a).elemPrim(), a, b);
    }
    return e.map(
            "sum", t.outerSize(), List.of(a, b), (in, x) -> List.of(sum(in, x.get(0), x.get(1))))
        .get(0);
  }

  /** Returns a reduction that sums values, elementwise for arrays. */
  public static Soac.Reduce summing(Emitter e, Type t) {
    Lambda op =
        e.lambda("s", List.of(t, t), (in, x) -> List.of(addition(in, t, x.get(0), x.get(1))));
    return new Soac.Reduce(true, op, List.of(zeros(e, t)));
  }

  /** Adds two values without folding. */
  private static SubExp addition(Emitter e, Type t, SubExp a, SubExp b) {
    if (!(t instanceof Type.Prim p)) {
      return sum(e, a, b);
    }
    return e.let("sum", t, new BasicOp.BinOpExp(addition(p.prim()), a, b));
  }
}
