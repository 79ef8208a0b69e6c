package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Legality;

/** Verification of imperative expressions: types and usability of variables. */
final class ExprCheck {
  private final CodeScope scope;
  private final Rep rep;
  private boolean hasCapacities = true;

  /** True in the expressions of lane statements. */
  private boolean inLanes;

  ExprCheck(Rep rep, CodeScope scope) {
    this.rep = rep;
    this.scope = scope;
  }

  /** Sets whether the code that follows may use capacities of blocks. */
  void allowCapacities(boolean allowed) {
    hasCapacities = allowed;
  }

  /** Checks an expression of a required type. */
  void expr(Expr e, PrimType type, String what) {
    PrimType actual = expr(e);
    require(actual == type, what + " is " + actual + ", not " + type);
  }

  void index(Poly p) {
    for (Name n : p.names()) {
      scalar(n, PrimType.I64);
    }
  }

  CodeScope.Declared scalar(Name n, PrimType type) {
    CodeScope.Declared d = scope.use(Code.Variable.scalar(n, type));
    require(
        inLanes || d.kind() != CodeScope.Kind.LANES,
        n + ", a lane variable, is used in a statement on scalars");
    return d;
  }

  /** Checks expressions of a lane statement, in which lane variables are legal. */
  void inLanes(Runnable check) {
    inLanes = true;
    check.run();
    inLanes = false;
  }

  CodeScope.Declared block(Name n, PrimType elem) {
    return scope.use(Code.Variable.block(n, elem));
  }

  void operand(Code.Operand o) {
    switch (o) {
      case Code.Operand.Scalar s -> expr(s.value());
      case Code.Operand.Block b -> block(b.name(), b.elem());
    }
  }

  /** Checks an expression and returns its type. */
  PrimType expr(Expr e) {
    require(Legality.allows(rep, e), "this expression is not part of " + rep);
    switch (e) {
      case Expr.Const c -> {}
      case Expr.Var v -> scalar(v.name(), v.type());
      case Expr.Index i -> index(i.poly());
      case Expr.Binary b -> {
        require(ScalarTypes.fits(b.op()), "there is no operator " + b.op());
        operand(b.left(), b.op().type(), b.op());
        operand(b.right(), b.op().type(), b.op());
      }
      case Expr.Unary u -> {
        require(ScalarTypes.fits(u.op()), "there is no operator " + u.op());
        operand(u.operand(), u.op().type(), u.op());
      }
      case Expr.Compare c -> {
        require(ScalarTypes.fits(c.op()), "there is no comparison " + c.op());
        operand(c.left(), c.op().type(), c.op());
        operand(c.right(), c.op().type(), c.op());
      }
      case Expr.Convert c -> {
        require(ScalarTypes.fits(c.op()), "there is no conversion " + c.op());
        operand(c.operand(), c.op().from(), c.op());
      }
      case Expr.Apply a -> {
        require(ScalarTypes.fits(a.fun()), "there is no function " + a.fun());
        int arity = a.fun().kind().arity;
        require(
            a.args().size() == arity,
            a.fun() + " takes " + arity + " operands, not " + a.args().size());
        for (int i = 0; i < arity; i++) {
          operand(a.args().get(i), a.fun().operand(i), a.fun());
        }
      }
      case Expr.Load l -> {
        block(l.block(), l.type());
        index(l.index());
      }
      case Expr.Capacity c -> {
        require(hasCapacities, "a capacity is used in a kernel or a statement on copies");
        block(c.block(), c.elem());
      }
      case Expr.Tuning t -> expr(t.defaultValue(), PrimType.I64, "the default of " + t.name());
    }
    return e.type();
  }

  private void operand(Expr e, PrimType type, Object op) {
    expr(e, type, "an operand of " + op);
  }
}
