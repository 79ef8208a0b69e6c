package futharkc.core.ir.imperative;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of dead code elimination in imperative code. */
class DeadCodeTest {
  private static final Name BLOCK = new Name("xs", 0);
  private static final Name N = new Name("n", 1);
  private static final Name A = new Name("a", 2);
  private static final Name B = new Name("b", 3);
  private static final Name C = new Name("c", 4);
  private static final Name I = new Name("i", 5);

  private static Code declare(Name n, Name value) {
    return new Code.Declare(n, PrimType.I64, Expr.i64(value));
  }

  private static Code assign(Name n, Name by) {
    BinOp op = new BinOp(BinOp.Kind.ADD, PrimType.I64);
    return new Code.Assign(n, new Expr.Binary(op, Expr.i64(by), Expr.i64(1)));
  }

  private static Code store(Name value) {
    return new Code.Store(BLOCK, PrimType.I64, Poly.of(0), Expr.i64(value));
  }

  private static Code loop(Code... body) {
    return new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), List.of(body));
  }

  private static void assertLeft(List<Code> left, List<Name> wanted, Code... code) {
    assertEquals(left, DeadCode.without(List.of(code), wanted));
  }

  @Test
  void copiesOfCopies() {
    assertLeft(List.of(store(N)), List.of(), declare(A, N), declare(B, A), store(N));
    assertLeft(List.of(declare(A, N), declare(B, A)), List.of(B), declare(A, N), declare(B, A));
  }

  @Test
  void branches() {
    Code both = new Code.Declare(A, PrimType.I64, null);
    Expr cond = new Expr.Var(C, PrimType.BOOL);
    assertLeft(
        List.of(new Code.If(cond, List.of(store(N)), List.of())),
        List.of(),
        both,
        new Code.If(cond, List.of(assign(A, N), store(N)), List.of(assign(A, N))));
    assertLeft(
        List.of(),
        List.of(),
        both,
        new Code.If(cond, List.of(assign(A, N)), List.of(assign(A, N))));
  }

  @Test
  void valuesForTheNextIterationStay() {
    Code code = loop(store(A), assign(A, N));
    assertLeft(List.of(declare(A, N), code), List.of(), declare(A, N), code);
  }

  @Test
  void declarationsAreLocalToAnIteration() {
    assertLeft(List.of(loop(store(N))), List.of(), loop(declare(A, N), store(N), declare(B, A)));
  }
}
