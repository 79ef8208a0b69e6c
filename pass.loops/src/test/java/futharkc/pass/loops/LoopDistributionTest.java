package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the loops that are distributed around their while-loops. */
class LoopDistributionTest {
  private static final Name I = new Name("i", 0);
  private static final Name X = new Name("x", 1);
  private static final Name GO = new Name("go", 2);
  private static final Name XS = new Name("xs", 3);
  private static final Name OUT = new Name("out", 4);
  private static final Name N = new Name("n", 5);
  private static final Name Y = new Name("y", 8);
  private static final Name ROW = new Name("row", 9);
  private static final Expr VALUE = new Expr.Var(X, PrimType.F64);

  private static final Code DECLARE =
      new Code.Declare(X, PrimType.F64, new Expr.Load(XS, PrimType.F64, Poly.of(I)));
  private static final Code GOES =
      new Code.Declare(GO, PrimType.BOOL, new Expr.Const(PrimValue.TRUE));
  private static final Code WHILE =
      new Code.While(
          GO,
          List.of(
              new Code.Assign(
                  X, new Expr.Binary(new BinOp(BinOp.Kind.FMUL, PrimType.F64), VALUE, VALUE)),
              new Code.Assign(
                  GO,
                  new Expr.Compare(
                      new CmpOp(CmpOp.Kind.FLT, PrimType.F64),
                      VALUE,
                      new Expr.Load(XS, PrimType.F64, Poly.of(0))))));

  /** Returns a store of a value after repeated logarithms. */
  private static Code store(Name block, Expr value, int logs) {
    Expr e = value;
    for (int k = 0; k < logs; k++) {
      e = new Expr.Apply(new PrimFun(PrimFun.Kind.LOG, PrimType.F64), List.of(e));
    }
    return new Code.Store(block, PrimType.F64, Poly.of(I), e);
  }

  private static Code.For loop(Code... body) {
    return new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), List.of(body));
  }

  /**
   * Tests whether the loop is distributed.
   *
   * @param same variables that may name the same block
   */
  private static boolean write(Code.For loop, List<Code> out, Name... same) {
    List<Code> now = LoopDistribution.rewrite(loop, new TestLoopContext(null, same));
    if (now != null) {
      out.addAll(now);
    }
    return now != null;
  }

  @Test
  void whatFollowsIsALoopOfItsOwn() {
    List<Code> out = new ArrayList<>();
    Code unread = new Code.Declare(Y, PrimType.BOOL, new Expr.Var(GO, PrimType.BOOL));
    assertTrue(write(loop(DECLARE, GOES, WHILE, unread, store(OUT, VALUE, 3)), out));
    Code.For strips = (Code.For) out.get(1);
    assertEquals(4, strips.body().size(), "where the strip begins and ends, and two loops");
    Code.For first = (Code.For) strips.body().get(2);
    assertEquals(List.of(DECLARE, GOES, WHILE), first.body().subList(0, 3));
    Poly inStrip = Poly.of(I).minus(Poly.of(((Code.Declare) strips.body().get(0)).name()));
    assertEquals(
        List.of(new Code.Store(TestLoopContext.EXPANDED, PrimType.F64, inStrip, VALUE)),
        first.body().subList(3, first.body().size()),
        "one element: nothing reads the other variable");
    Code.For second = (Code.For) strips.body().get(3);
    assertNotEquals(I, second.index());
    assertEquals(2, second.body().size());
    Code.Store last = (Code.Store) second.body().get(1);
    assertEquals(Poly.of(second.index()), last.index());
    assertEquals(
        TestLoopContext.EXPANDED,
        ((Expr.Load) ((Code.Declare) second.body().get(0)).value()).block(),
        "from the block");
  }

  @Test
  void whatPrecedesIsALoopOfItsOwn() {
    Expr log =
        new Expr.Apply(
            new PrimFun(PrimFun.Kind.LOG, PrimType.F64),
            List.of(new Expr.Load(XS, PrimType.F64, Poly.of(I))));
    Code start = new Code.Declare(Y, PrimType.F64, log);
    Code named = new Code.Declare(X, PrimType.F64, new Expr.Var(Y, PrimType.F64));
    List<Code> out = new ArrayList<>();
    assertTrue(write(loop(start, named, GOES, WHILE, store(OUT, VALUE, 0)), out));
    Code.For strips = (Code.For) out.get(1);
    assertEquals(4, strips.body().size(), "where the strip begins and ends, and two loops");
    Code.For first = (Code.For) strips.body().get(2);
    assertNotEquals(I, first.index());
    assertEquals(2, first.body().size(), "the logarithm, and its element");
    Code.Declare copy = (Code.Declare) first.body().get(0);
    assertEquals(
        new Expr.Var(copy.name(), PrimType.F64), ((Code.Store) first.body().get(1)).value());
    Code.For second = (Code.For) strips.body().get(3);
    assertEquals(I, second.index());
    assertEquals(Y, ((Code.Declare) second.body().get(0)).name(), "from the block");
    assertEquals(List.of(named, GOES, WHILE), second.body().subList(1, 4));

    out.clear();
    Expr both = Expr.binary(BinOp.Kind.FADD, VALUE, new Expr.Var(Y, PrimType.F64));
    assertTrue(write(loop(start, named, GOES, WHILE, store(OUT, both, 3)), out));
    Code.For three = (Code.For) out.get(1);
    assertEquals(5, three.body().size(), "and three loops");
    Code.For last = (Code.For) three.body().get(4);
    assertEquals(3, last.body().size(), "two elements of two parts");

    out.clear();
    Code unset = new Code.Declare(ROW, PrimType.F64, null);
    assertFalse(write(loop(unset, start, named, GOES, WHILE), out), "a variable without a value");
    Code back = store(XS, VALUE, 0);
    assertFalse(write(loop(start, named, GOES, WHILE, back), out), "overwritten by what follows");
    assertEquals(List.of(), out);
  }

  @Test
  void thePartsShareNothingElseThatChanges() {
    List<Code> out = new ArrayList<>();
    Code local = store(ROW, VALUE, 0);
    Expr row = new Expr.Load(ROW, PrimType.F64, Poly.of(I));
    Code end = store(OUT, VALUE, 3);
    assertFalse(write(loop(DECLARE, local, GOES, WHILE, store(OUT, row, 3)), out), "read behind");
    assertFalse(write(loop(DECLARE, GOES, WHILE, store(XS, VALUE, 3)), out), "overwritten behind");
    Code.For two = loop(DECLARE, local, GOES, WHILE, end);
    assertFalse(write(two, out, ROW, OUT), "the same block by another name");
    assertTrue(write(two, new ArrayList<>()), "another block");

    Expr total = new Expr.Var(Y, PrimType.F64);
    Code sum = new Code.Assign(Y, VALUE);
    assertFalse(
        write(loop(DECLARE, sum, GOES, WHILE, store(OUT, total, 3)), out), "carried to behind");
    Code use = new Code.Store(ROW, PrimType.F64, Poly.of(I), total);
    assertFalse(write(loop(DECLARE, use, GOES, WHILE, sum, end), out), "carried from behind");
    assertTrue(write(loop(DECLARE, use, sum, GOES, WHILE, end), new ArrayList<>()), "in one part");
    Code shrink = new Code.Assign(N, Expr.i64(0));
    assertFalse(write(loop(DECLARE, shrink, GOES, WHILE, end), out), "the bound");
    assertEquals(List.of(), out);
  }

  @Test
  void whatDoesNotPayOrFitIsLeftAlone() {
    List<Code> out = new ArrayList<>();
    Code end = store(OUT, VALUE, 3);
    assertFalse(write(loop(DECLARE, GOES, end), out), "no while-loop");
    assertFalse(write(loop(DECLARE, GOES, WHILE, store(OUT, VALUE, 0)), out), "cheap");
    Code block = new Code.DeclareBlock(ROW, PrimType.F64, XS);
    assertFalse(
        write(loop(block, DECLARE, GOES, WHILE, store(ROW, VALUE, 3)), out), "a block of its own");
    Code swap = new Code.SetBlock(OUT, PrimType.F64, XS);
    assertFalse(write(loop(swap, DECLARE, GOES, WHILE, end), out), "another block each time");
    Code call = new Code.Call(List.of(), "f", List.of());
    assertFalse(write(loop(DECLARE, GOES, WHILE, call, end), out), "a call");
    Code fills = new Code.Call(List.of(), "f", List.of(new Code.Operand.Block(OUT, PrimType.F64)));
    Code read = store(ROW, new Expr.Load(OUT, PrimType.F64, Poly.of(I)), 3);
    assertFalse(write(loop(fills, DECLARE, GOES, WHILE, read), out), "a call may write");
    assertEquals(List.of(), out);
  }
}
