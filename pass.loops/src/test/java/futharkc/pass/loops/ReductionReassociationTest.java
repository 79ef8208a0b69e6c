package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ReductionOperator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the loops that get partial accumulators. */
class ReductionReassociationTest {
  private static final Name I = new Name("i", 0);
  private static final Name SUM = new Name("s", 1);
  private static final Name XS = new Name("xs", 2);
  private static final Name N = new Name("n", 3);
  private static final Name X = new Name("x", 4);
  private static final Name LEFT = new Name("l", 5);
  private static final Name RIGHT = new Name("r", 6);

  private static Code.For loop(List<Code> elements, List<ReductionOperator> operators) {
    List<Code> body = new java.util.ArrayList<>(elements);
    body.add(new Code.Assign(SUM, Expr.binary(BinOp.Kind.ADD, Expr.i64(SUM), Expr.i64(X))));
    Code.Order order = new Code.Order.Sequential(elements.size(), operators);
    return new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), 0, order, body);
  }

  private static final List<ReductionOperator> SUMS =
      List.of(
          new ReductionOperator(
              List.of(Code.Variable.scalar(SUM, PrimType.I64)),
              List.of(Expr.i64(0)),
              List.of(LEFT),
              List.of(RIGHT),
              List.of(),
              List.of(Expr.binary(BinOp.Kind.ADD, Expr.i64(LEFT), Expr.i64(RIGHT))),
              true));

  private static final Code ELEMENT =
      new Code.Declare(X, PrimType.I64, new Expr.Load(XS, PrimType.I64, Poly.of(I)));

  @Test
  void aSimpleReductionGetsThem() {
    assertNotNull(
        ReductionReassociation.rewrite(loop(List.of(ELEMENT), SUMS), new TestLoopContext(null)));
  }

  @Test
  void aLoopThatIsNoReductionStays() {
    assertNull(
        ReductionReassociation.rewrite(
            loop(List.of(ELEMENT), List.of()), new TestLoopContext(null)));
  }

  @Test
  void elementsThatTakeMoreThanDeclarationsStay() {
    Code store = new Code.Store(XS, PrimType.I64, Poly.of(I), Expr.i64(N));
    List<Code> elements = List.of(ELEMENT, store);
    assertNull(ReductionReassociation.rewrite(loop(elements, SUMS), new TestLoopContext(null)));
  }
}
