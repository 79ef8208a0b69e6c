package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Folding;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.UnOp;
import java.util.List;

/**
 * The arithmetic of derivatives at any type. Integers wrap; of booleans, the sum is "or" and the
 * product "and". Zeros and ones are folded as they arise: what is zero times anything is zero, even
 * if that is infinite.
 */
final class Arithmetic {
  private Arithmetic() {}

  static SubExp zero(PrimType t) {
    return SubExp.of(PrimValue.zero(t));
  }

  static SubExp one(PrimType t) {
    return SubExp.of(PrimValue.one(t));
  }

  /** A number of a numeric type. */
  static SubExp number(PrimType t, double value) {
    return SubExp.of(t.isFloat() ? PrimValue.ofFloat(t, value) : PrimValue.ofInt(t, (long) value));
  }

  static boolean isZero(SubExp e) {
    return e instanceof SubExp.Const c && c.value().isZero();
  }

  static boolean isOne(SubExp e) {
    return e instanceof SubExp.Const c && c.value().isOne();
  }

  private static boolean isMinusOne(SubExp e) {
    return e instanceof SubExp.Const c
        && (c.value().type().isFloat()
            ? c.value().asDouble() == -1
            : c.value().type().isInt() && c.value().asLong() == -1);
  }

  static BinOp addition(PrimType t) {
    if (t == PrimType.BOOL) return new BinOp(BinOp.Kind.LOG_OR, t);
    return new BinOp(t.isFloat() ? BinOp.Kind.FADD : BinOp.Kind.ADD, t);
  }

  static SubExp plus(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isZero(a)) return b;
    if (isZero(b)) return a;
    return binary(e, addition(t), a, b);
  }

  static SubExp minus(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isZero(b)) return a;
    if (isZero(a)) return negate(e, t, b);
    return binary(e, new BinOp(t.isFloat() ? BinOp.Kind.FSUB : BinOp.Kind.SUB, t), a, b);
  }

  static SubExp times(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isZero(a) || isZero(b)) return zero(t);
    if (isOne(a)) return b;
    if (isOne(b)) return a;
    if (t == PrimType.BOOL) return binary(e, new BinOp(BinOp.Kind.LOG_AND, t), a, b);
    if (isMinusOne(a)) return negate(e, t, b);
    if (isMinusOne(b)) return negate(e, t, a);
    return binary(e, new BinOp(t.isFloat() ? BinOp.Kind.FMUL : BinOp.Kind.MUL, t), a, b);
  }

  /** Of floats, or of integers rounding towards zero, which must not be divided by zero. */
  static SubExp over(Emitter e, PrimType t, SubExp a, SubExp b) {
    if (isOne(b)) return a;
    return binary(e, new BinOp(t.isFloat() ? BinOp.Kind.FDIV : BinOp.Kind.SQUOT, t), a, b);
  }

  static SubExp negate(Emitter e, PrimType t, SubExp a) {
    if (a instanceof SubExp.Const c
        && Folding.unOp(new UnOp(UnOp.Kind.NEG, t), c.value()) != null) {
      PrimValue v = Folding.unOp(new UnOp(UnOp.Kind.NEG, t), c.value());
      if (v != null) return SubExp.of(v);
    }
    return unary(e, UnOp.Kind.NEG, t, a);
  }

  static SubExp binary(Emitter e, BinOp op, SubExp a, SubExp b) {
    if (a instanceof SubExp.Const x && b instanceof SubExp.Const y) {
      PrimValue v = Folding.binOp(op, x.value(), y.value());
      if (v != null) return SubExp.of(v);
    }
    return e.let("t", Type.prim(op.type()), new BasicOp.BinOpExp(op, a, b));
  }

  static SubExp binary(Emitter e, BinOp.Kind kind, PrimType t, SubExp a, SubExp b) {
    return binary(e, new BinOp(kind, t), a, b);
  }

  static SubExp unary(Emitter e, UnOp.Kind kind, PrimType t, SubExp a) {
    return e.let("t", Type.prim(t), new BasicOp.UnOpExp(new UnOp(kind, t), a));
  }

  static SubExp compare(Emitter e, CmpOp.Kind kind, PrimType t, SubExp a, SubExp b) {
    CmpOp op = new CmpOp(kind, t);
    if (a instanceof SubExp.Const x && b instanceof SubExp.Const y) {
      return SubExp.of(Folding.cmpOp(op, x.value(), y.value()));
    }
    return e.let("c", Type.BOOL, new BasicOp.CmpOpExp(op, a, b));
  }

  static SubExp convert(Emitter e, ConvOp op, SubExp a) {
    if (isZero(a)) return zero(op.to());
    if (a instanceof SubExp.Const c) {
      PrimValue v = Folding.convOp(op, c.value());
      if (v != null) return SubExp.of(v);
    }
    return e.let("t", Type.prim(op.to()), new BasicOp.ConvOpExp(op, a));
  }

  static SubExp call(Emitter e, PrimFun.Kind kind, PrimType t, SubExp... args) {
    PrimFun f = new PrimFun(kind, t);
    return e.let("t", Type.prim(f.result()), new BasicOp.PrimFunExp(f, List.of(args)));
  }

  /** An i64 sum, product or difference. */
  static SubExp add(Emitter e, SubExp a, SubExp b) {
    return plus(e, PrimType.I64, a, b);
  }

  static SubExp sub(Emitter e, SubExp a, SubExp b) {
    return minus(e, PrimType.I64, a, b);
  }

  static SubExp mul(Emitter e, SubExp a, SubExp b) {
    return times(e, PrimType.I64, a, b);
  }

  /** Whether {@code 0 <= i < n}, of i64. */
  static SubExp inRange(Emitter e, SubExp i, SubExp n) {
    SubExp low = compare(e, CmpOp.Kind.SLE, PrimType.I64, SubExp.i64(0), i);
    SubExp high = compare(e, CmpOp.Kind.SLT, PrimType.I64, i, n);
    return times(e, PrimType.BOOL, low, high);
  }

  // Arrays

  /** The zero of any type. */
  static SubExp zeros(Emitter e, Type t) {
    SubExp zero = zero(t.elemPrim());
    return t instanceof Type.Array a
        ? e.let("zeros", t.withoutMem(), new BasicOp.Replicate(a.shape(), zero))
        : zero;
  }

  /** The sum of two values of one type, element by element: a fresh array. */
  static SubExp sum(Emitter e, SubExp a, SubExp b) {
    if (!(e.type(a) instanceof Type.Array t)) return plus(e, e.type(a).elemPrim(), a, b);
    return e.map(
            "sum", t.outerSize(), List.of(a, b), (in, x) -> List.of(sum(in, x.get(0), x.get(1))))
        .get(0);
  }
}
