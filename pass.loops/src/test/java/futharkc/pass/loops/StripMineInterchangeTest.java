package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the loops that are strip-mined. */
class StripMineInterchangeTest {
  private static final Name I = new Name("i", 0);
  private static final Name J = new Name("j", 1);
  private static final Name SUM = new Name("sum", 2);
  private static final Name XS = new Name("xs", 3);
  private static final Name OUT = new Name("out", 4);
  private static final Name N = new Name("n", 5);

  /** Returns a loop whose iterations combine n values of an array and store the result. */
  private static Code.For loop(BinOp.Kind kind, PrimType type, Poly at, Expr bound) {
    Expr sum = new Expr.Var(SUM, type);
    Name y = new Name("y", 7);
    Code inner =
        new Code.For(
            J,
            PrimType.I64,
            Expr.i64(0),
            bound,
            List.of(
                new Code.Declare(y, type, new Expr.Load(XS, type, at)),
                new Code.Assign(
                    SUM, new Expr.Binary(new BinOp(kind, type), new Expr.Var(y, type), sum))));
    return new Code.For(
        I,
        PrimType.I64,
        Expr.i64(0),
        Expr.i64(N),
        List.of(
            new Code.Declare(SUM, type, new Expr.Load(XS, type, Poly.of(I))),
            inner,
            new Code.Store(OUT, type, Poly.of(I), sum)));
  }

  private static boolean write(Code.For loop, Name privateBlock, List<Code> out) {
    return write(loop, new TestLoopContext(privateBlock), out);
  }

  private static boolean write(Code.For loop, TestLoopContext around, List<Code> out) {
    List<Code> now = StripMineInterchange.rewrite(TestLoopContext.independent(loop), around);
    if (now != null) {
      out.addAll(now);
    }
    return now != null;
  }

  @Test
  void aLoopWhoseOrderMayMatterStays() {
    Code.For loop = loop(BinOp.Kind.FDIV, PrimType.F32, Poly.of(J), Expr.i64(N));
    assertEquals(null, StripMineInterchange.rewrite(loop, new TestLoopContext(J)));
  }

  @Test
  void theInnerLoopMovesOutOfTheStrip() {
    List<Code> out = new ArrayList<>();
    Code.For loop = loop(BinOp.Kind.FDIV, PrimType.F32, Poly.of(J), Expr.i64(N));
    assertTrue(write(loop, J, out));
    Code.If choice = (Code.If) out.get(1);
    Code.For strips = (Code.For) choice.otherwise().get(1);
    assertEquals(4, strips.body().size(), "the length, what is before, the loop, what is behind");
    Code.For inner = (Code.For) strips.body().get(2);
    assertEquals(J, inner.index());
    assertEquals(2, inner.body().size(), "one load for all iterations, and these");
    Code.For step = (Code.For) inner.body().get(1);
    assertEquals(3, step.body().size(), "load, compute and store the sum of an iteration");
  }

  @Test
  void whatVectorsDoNotDoIsLeftAlone() {
    List<Code> out = new ArrayList<>();
    Poly j = Poly.of(J);
    assertFalse(write(loop(BinOp.Kind.FADD, PrimType.F32, j, Expr.i64(N)), J, out), "fast");
    assertFalse(write(loop(BinOp.Kind.FDIV, PrimType.F16, j, Expr.i64(N)), J, out), "no vectors");
    assertFalse(write(loop(BinOp.Kind.FPOW, PrimType.F32, j, Expr.i64(N)), J, out), "function");
    assertFalse(write(loop(BinOp.Kind.FDIV, PrimType.F32, j, Expr.i64(I)), J, out), "triangular");
    Poly row = Poly.of(N).times(Poly.of(I)).plus(j);
    assertFalse(write(loop(BinOp.Kind.FDIV, PrimType.F32, row, Expr.i64(N)), J, out), "gather");
    assertFalse(write(loop(BinOp.Kind.FDIV, PrimType.F32, j, Expr.i64(N)), XS, out), "private");
    assertEquals(List.of(), out);
  }

  /** Returns a loop whose iterations multiply a 16-bit value n times modulo a constant. */
  private static Code.For modular(long modulus) {
    Name y = new Name("y", 7);
    Expr factor =
        new Expr.Convert(
            new ConvOp(ConvOp.Kind.ZEXT, PrimType.I16, PrimType.I32),
            new Expr.Var(SUM, PrimType.I16));
    Expr product =
        new Expr.Binary(
            new BinOp(BinOp.Kind.MUL, PrimType.I32), factor, new Expr.Var(y, PrimType.I32));
    Expr rest =
        new Expr.Binary(
            new BinOp(BinOp.Kind.UMOD, PrimType.I32),
            product,
            new Expr.Const(PrimValue.ofInt(PrimType.I32, modulus)));
    Code inner =
        new Code.For(
            J,
            PrimType.I64,
            Expr.i64(0),
            Expr.i64(N),
            List.of(
                new Code.Declare(y, PrimType.I32, new Expr.Load(XS, PrimType.I32, Poly.of(J))),
                new Code.Assign(
                    SUM,
                    new Expr.Convert(
                        new ConvOp(ConvOp.Kind.ZEXT, PrimType.I32, PrimType.I16), rest))));
    Expr sum = new Expr.Var(SUM, PrimType.I16);
    return new Code.For(
        I,
        PrimType.I64,
        Expr.i64(0),
        Expr.i64(N),
        List.of(
            new Code.Declare(SUM, PrimType.I16, new Expr.Load(OUT, PrimType.I16, Poly.of(I))),
            inner,
            new Code.Store(OUT, PrimType.I16, Poly.of(I), sum)));
  }

  @Test
  void narrowIntegersAreIntsInTheLanes() {
    List<Code> out = new ArrayList<>();
    TestLoopContext around = new TestLoopContext(J);
    assertTrue(write(modular(65537), around, out));
    assertEquals(List.of(PrimType.I32), around.made());
    Code.If choice = (Code.If) out.get(1);
    Code.For strips = (Code.For) choice.otherwise().get(1);
    Code.For first = (Code.For) strips.body().get(1);
    assertTrue(((Code.Store) first.body().get(1)).value() instanceof Expr.Convert, "to an int");
    Code.For inner = (Code.For) strips.body().get(2);
    Code.For step = (Code.For) inner.body().get(1);
    assertTrue(((Code.Store) step.body().get(2)).value() instanceof Expr.Var, "as it is");
    Code.For last = (Code.For) strips.body().get(3);
    assertTrue(((Code.Declare) last.body().get(0)).value() instanceof Expr.Convert, "cut");
    assertFalse(write(modular(65536), J, out), "cheap");
    assertFalse(write(modular(65539), J, out), "no vectors");
  }
}
