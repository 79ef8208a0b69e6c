package futharkc.core.codegen.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Expr;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The quotients that a list of statements has computed so far. The remainder of the same division
 * is what the quotient leaves: a product and a difference instead of another division. (Of a
 * division by a constant, which takes no division instruction, it is not.)
 */
final class Quotients {
  private final Map<BasicOp.BinOpExp, Name> known = new HashMap<>();

  /** Says that a name is the result of an operation. */
  void add(Name name, BasicOp.BinOpExp x) {
    known.put(x, name);
  }

  /** A remainder, if the quotient is known. */
  @Nullable Expr remainder(BasicOp.BinOpExp x, Expr left, Expr right) {
    BinOp.Kind quotient =
        switch (x.op().kind()) {
          case SMOD -> BinOp.Kind.SDIV;
          case UMOD -> BinOp.Kind.UDIV;
          case SREM -> BinOp.Kind.SQUOT;
          default -> null;
        };
    if (quotient == null || x.right() instanceof SubExp.Const) return null;
    Name q =
        known.get(new BasicOp.BinOpExp(new BinOp(quotient, x.op().type()), x.left(), x.right()));
    if (q == null) return null;
    Expr product =
        new Expr.Binary(
            new BinOp(BinOp.Kind.MUL, x.op().type()), new Expr.Var(q, x.op().type()), right);
    return new Expr.Binary(new BinOp(BinOp.Kind.SUB, x.op().type()), left, product);
  }
}
