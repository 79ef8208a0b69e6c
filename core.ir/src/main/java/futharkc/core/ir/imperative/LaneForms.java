package futharkc.core.ir.imperative;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The expressions with a vector form: vector operations of the JVM give, in each lane, the bits of
 * the scalar operation. The verifier, the pass that makes vector code and the printer of Java share
 * this definition.
 *
 * @param lanes the lane variables in scope, with the index
 * @param index the index of the {@link Code.VectorLoop}
 */
public record LaneForms(Set<Name> lanes, Name index) {
  /** Tests whether a variable of the type may have a value in each lane. */
  public static boolean hasVectors(PrimType type) {
    return switch (type) {
      case I32, I64, F32, F64, BOOL -> true;
      case I8, I16, F16, UNIT -> false;
    };
  }

  /** Tests whether an expression depends on the lane. */
  public boolean varies(Expr e) {
    return switch (e) {
      case Expr.Const _, Expr.Capacity _ -> false;
      case Expr.Var v -> lanes.contains(v.name());
      case Expr.Index i -> i.poly().mentions(lanes);
      case Expr.Binary b -> varies(b.left()) || varies(b.right());
      case Expr.Unary u -> varies(u.operand());
      case Expr.Compare c -> varies(c.left()) || varies(c.right());
      case Expr.Convert c -> varies(c.operand());
      case Expr.Apply a -> a.args().stream().anyMatch(this::varies);
      case Expr.Load l -> l.index().mentions(lanes);
      case Expr.Tuning t -> varies(t.defaultValue());
    };
  }

  /**
   * Tests whether a polynomial is the loop's index plus a value that is the same in all lanes: the
   * lanes have consecutive values.
   */
  public boolean isConsecutive(Poly p) {
    return !p.minus(Poly.of(index)).mentions(lanes);
  }

  /** Returns the operand if the expression is the 32-bit index of a lane, otherwise null. */
  public @Nullable Expr narrowed(Expr.Convert c) {
    boolean narrows =
        c.op().from() == PrimType.I64
            && c.op().to() == PrimType.I32
            && (c.op().kind() == ConvOp.Kind.SEXT || c.op().kind() == ConvOp.Kind.ZEXT);
    Poly p = narrows ? c.operand().poly() : null;
    return p != null && isConsecutive(p) ? c.operand() : null;
  }

  /**
   * Tests whether an expression of a lane statement has a vector form.
   *
   * @param isMasked true if only some lanes may read memory: then a load reads an element in each
   *     lane
   */
  public boolean isLegal(Expr e, boolean isMasked) {
    return isLegal(e) && !(isMasked && CodeSearch.anyPartOf(e, this::needsAllLanes));
  }

  private boolean needsAllLanes(Expr e) {
    return e instanceof Expr.Load l && (l.type() == PrimType.BOOL || !varies(l));
  }

  private boolean isLegal(Expr e) {
    if (!hasVectors(e.type())) {
      return false;
    }
    return !varies(e) ? isLegalInAllLanes(e) : isLegalInLanes(e);
  }

  /** An expression that is the same in all lanes is evaluated once. */
  private static boolean isLegalInAllLanes(Expr e) {
    return !CodeSearch.anyPartOf(e, p -> p instanceof Expr.Tuning || p instanceof Expr.Capacity);
  }

  private boolean isLegalInLanes(Expr e) {
    return switch (e) {
      case Expr.Const _, Expr.Capacity _, Expr.Tuning _ -> false;
      case Expr.Var _ -> true;
      case Expr.Index i -> isConsecutive(i.poly());
      case Expr.Load l -> isConsecutive(l.index());
      case Expr.Unary u -> isLegal(u.op()) && isLegal(u.operand());
      case Expr.Compare c -> isLegal(c.op()) && isLegal(c.left()) && isLegal(c.right());
      case Expr.Convert c ->
          narrowed(c) != null || isLegal(c.op(), c.operand()) && isLegal(c.operand());
      case Expr.Binary b -> isLegal(b) && isLegal(b.left()) && isLegal(b.right());
      case Expr.Apply a -> isLegal(a.fun()) && a.args().stream().allMatch(this::isLegal);
    };
  }

  private static boolean isLegal(PrimFun f) {
    boolean isExact = f.kind() == PrimFun.Kind.SQRT || f.kind() == PrimFun.Kind.ISNAN;
    return isExact && f.type().isFloat() && f.type() != PrimType.F16 || usesDoubles(f);
  }

  /**
   * Tests whether a function of f32 computes with f64, of which vectors have half as many lanes.
   */
  public static boolean usesDoubles(PrimFun f) {
    return f.type() == PrimType.F32
        && (f.kind() == PrimFun.Kind.SIN || f.kind() == PrimFun.Kind.COS);
  }

  private static boolean isLegal(UnOp op) {
    return switch (op.kind()) {
      case NEG, NOT -> true;
      case ABS -> op.type().isFloat();
      case SSIGNUM, USIGNUM, FSIGNUM -> false;
    };
  }

  private static boolean isLegal(CmpOp op) {
    return switch (op.kind()) {
      case EQ, SLT, SLE, ULT, ULE, FLT, FLE -> hasVectors(op.type());
      case LLT, LLE -> false;
    };
  }

  private static boolean isLegal(ConvOp op, Expr operand) {
    return switch (op.kind()) {
      case SEXT, ZEXT, FPCONV -> hasVectors(op.from()) && hasVectors(op.to());
      case SITOFP -> op.from() == PrimType.I32 && op.to() != PrimType.F16;
      // The printer names the operand twice.
      case FPTOSI ->
          op.from() == PrimType.F32 && op.to() == PrimType.I32 && operand instanceof Expr.Var;
      case BTOI, BTOF -> hasVectors(op.to());
      case FPTOUI, UITOFP, ITOB, FTOB -> false;
    };
  }

  /** Tests an operator. The operands are tested elsewhere. */
  private static boolean isLegal(Expr.Binary b) {
    BinOp op = b.op();
    return switch (op.kind()) {
      case ADD, SUB, MUL, AND, OR, XOR, SMIN, SMAX, LOG_AND, LOG_OR -> true;
      case FADD, FSUB, FMUL, FDIV -> op.type() != PrimType.F16;
      // The printer names the operands twice.
      case FMIN, FMAX -> isAtom(b.left()) && isAtom(b.right());
      case FPOW ->
          op.type() != PrimType.F16
              && b.left() instanceof Expr.Var
              && b.right() instanceof Expr.Const c
              && c.value().asDouble() == 2;
      case SHL, LSHR, ASHR -> isConstant(b.right(), 0, op.type().bits() - 1);
      case SDIV, UDIV, SMOD, UMOD ->
          isConstant(b.right(), 1, Long.MAX_VALUE)
              && Long.bitCount(((Expr.Const) b.right()).value().asLong()) == 1;
      case UMIN, UMAX, SDIV_UP, UDIV_UP, SQUOT, SREM, FMOD, POW -> false;
    };
  }

  private static boolean isAtom(Expr e) {
    return e instanceof Expr.Var || e instanceof Expr.Const;
  }

  private static boolean isConstant(Expr e, long from, long to) {
    return e instanceof Expr.Const c && c.value().asLong() >= from && c.value().asLong() <= to;
  }
}
