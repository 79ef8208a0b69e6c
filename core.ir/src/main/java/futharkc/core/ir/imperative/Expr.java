package futharkc.core.ir.imperative;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.UnOp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scalar expression of the imperative language. Expressions are total and have no side effects.
 */
public sealed interface Expr {
  /** Returns the type of the value. */
  PrimType type();

  /**
   * Returns the value as a polynomial if the expression is an i64 constant, variable or polynomial,
   * otherwise null.
   */
  default @Nullable Poly poly() {
    return switch (this) {
      case Const c -> c.type() == PrimType.I64 ? Poly.of(c.value().asLong()) : null;
      case Var v -> v.type() == PrimType.I64 ? Poly.of(v.name()) : null;
      case Index i -> i.poly();
      case Binary b -> null;
      case Unary u -> null;
      case Compare c -> null;
      case Convert c -> null;
      case Apply a -> null;
      case Load l -> null;
      case Capacity c -> null;
      case Tuning t -> null;
    };
  }

  /**
   * Returns the value as a polynomial if the expression is built from i64 constants, variables and
   * polynomials by sums, differences and products, otherwise null.
   */
  default @Nullable Poly sum() {
    if (!(this instanceof Binary b) || b.type() != PrimType.I64) {
      return poly();
    }
    Poly left = b.left().sum();
    Poly right = b.right().sum();
    if (left == null || right == null) {
      return null;
    }
    return switch (b.op().kind()) {
      case ADD -> left.plus(right);
      case SUB -> left.minus(right);
      case MUL -> left.times(right);
      default -> null;
    };
  }

  /** Returns the value of an expression that is known to be a polynomial. */
  default Poly polynomial() {
    Poly p = poly();
    if (p == null) {
      throw new IllegalStateException(this + " is not a polynomial");
    }
    return p;
  }

  /** A constant. */
  record Const(PrimValue value) implements Expr {
    @Override
    public PrimType type() {
      return value.type();
    }
  }

  /** A variable. */
  record Var(Name name, PrimType type) implements Expr {}

  /** The i64 value of a polynomial over i64 variables. */
  record Index(Poly poly) implements Expr {
    @Override
    public PrimType type() {
      return PrimType.I64;
    }
  }

  /** A binary operation. */
  record Binary(BinOp op, Expr left, Expr right) implements Expr {
    @Override
    public PrimType type() {
      return op.type();
    }
  }

  /** A unary operation. */
  record Unary(UnOp op, Expr operand) implements Expr {
    @Override
    public PrimType type() {
      return op.type();
    }
  }

  /** A comparison. */
  record Compare(CmpOp op, Expr left, Expr right) implements Expr {
    @Override
    public PrimType type() {
      return PrimType.BOOL;
    }
  }

  /** A conversion. */
  record Convert(ConvOp op, Expr operand) implements Expr {
    @Override
    public PrimType type() {
      return op.to();
    }
  }

  /** A call of a scalar function. */
  record Apply(PrimFun fun, List<Expr> args) implements Expr {
    @Override
    public PrimType type() {
      return fun.result();
    }
  }

  /** The element of a block at an offset, which is in range. */
  record Load(Name block, PrimType type, Poly index) implements Expr {}

  /**
   * The number of elements that a block can hold: at least the size of its allocation. On a CPU, a
   * guard by the capacity lets the JVM omit its own bounds checks. In GPU programs, the host's own
   * code has the capacities of device blocks.
   */
  record Capacity(Name block, PrimType elem) implements Expr {
    @Override
    public PrimType type() {
      return PrimType.I64;
    }
  }

  /** The value of a tuning parameter. */
  record Tuning(String name, Expr defaultValue) implements Expr {
    @Override
    public PrimType type() {
      return PrimType.I64;
    }
  }

  /** Returns zero or false. */
  static Expr zero(PrimType type) {
    return new Const(PrimValue.zero(type));
  }

  static Expr i64(long value) {
    return new Const(PrimValue.i64(value));
  }

  static Expr i64(Name name) {
    return new Var(name, PrimType.I64);
  }

  static Expr bool(boolean value) {
    return new Const(PrimValue.of(value));
  }

  /** Returns the i64 comparison {@code a < b}. */
  static Expr less(Expr a, Expr b) {
    return new Compare(new CmpOp(CmpOp.Kind.SLT, PrimType.I64), a, b);
  }

  /** Returns the i64 comparison {@code a <= b}. */
  static Expr atMost(Expr a, Expr b) {
    return new Compare(new CmpOp(CmpOp.Kind.SLE, PrimType.I64), a, b);
  }

  /** Returns the conjunction of two conditions. */
  static Expr and(Expr a, Expr b) {
    return new Binary(new BinOp(BinOp.Kind.LOG_AND, PrimType.BOOL), a, b);
  }

  /** Returns the disjunction of two conditions. */
  static Expr or(Expr a, Expr b) {
    return new Binary(new BinOp(BinOp.Kind.LOG_OR, PrimType.BOOL), a, b);
  }

  /** Returns the conjunction of the conditions in order, or true if there are none. */
  static Expr all(List<Expr> conditions) {
    return conditions.stream().reduce(Expr::and).orElse(bool(true));
  }

  /** Returns a binary i64 operation. */
  static Expr binary(BinOp.Kind kind, Expr a, Expr b) {
    return new Binary(new BinOp(kind, PrimType.I64), a, b);
  }
}
