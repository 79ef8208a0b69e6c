package futharkc.core.codegen.lower;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.imperative.Expr;
import org.junit.jupiter.api.Test;

/** Which remainders take no division of their own. */
class QuotientsTest {
  private static final Name A = new Name("a", 0);
  private static final Name B = new Name("b", 1);
  private static final Name Q = new Name("q", 2);

  private static BasicOp.BinOpExp op(BinOp.Kind kind, SubExp right) {
    return new BasicOp.BinOpExp(new BinOp(kind, PrimType.I32), SubExp.of(A), right);
  }

  private static Expr var(Name n) {
    return new Expr.Var(n, PrimType.I32);
  }

  @Test
  void theRemainderIsWhatTheQuotientLeaves() {
    Quotients quotients = new Quotients();
    quotients.add(Q, op(BinOp.Kind.SDIV, SubExp.of(B)));
    Expr left =
        new Expr.Binary(
            new BinOp(BinOp.Kind.SUB, PrimType.I32),
            var(A),
            new Expr.Binary(new BinOp(BinOp.Kind.MUL, PrimType.I32), var(Q), var(B)));
    assertEquals(left, quotients.remainder(op(BinOp.Kind.SMOD, SubExp.of(B)), var(A), var(B)));
  }

  @Test
  void otherRoundingOperandsAndConstantsAreLeftAlone() {
    Quotients quotients = new Quotients();
    SubExp seven = SubExp.of(PrimValue.ofInt(PrimType.I32, 7));
    quotients.add(Q, op(BinOp.Kind.SQUOT, SubExp.of(B)));
    quotients.add(Q, op(BinOp.Kind.SDIV, SubExp.of(A)));
    quotients.add(Q, op(BinOp.Kind.SDIV, seven));
    assertNull(quotients.remainder(op(BinOp.Kind.SMOD, SubExp.of(B)), var(A), var(B)));
    assertNull(quotients.remainder(op(BinOp.Kind.SMOD, seven), var(A), var(B)));
  }
}
