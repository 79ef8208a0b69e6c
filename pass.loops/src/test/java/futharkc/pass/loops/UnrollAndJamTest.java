package futharkc.pass.loops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the loops whose iterations are interleaved. */
class UnrollAndJamTest {
  private static final Name I = new Name("i", 0);
  private static final Name J = new Name("j", 1);
  private static final Name SUM = new Name("sum", 2);
  private static final Name XS = new Name("xs", 3);
  private static final Name OUT = new Name("out", 4);
  private static final Name N = new Name("n", 5);

  /** Returns a loop whose iterations combine n elements and store the result. */
  private static Code.For loop(BinOp.Kind kind, Expr bound) {
    Expr x = new Expr.Load(XS, PrimType.F32, Poly.of(N).times(Poly.of(I)).plus(Poly.of(J)));
    Expr sum = new Expr.Var(SUM, PrimType.F32);
    Expr step = new Expr.Binary(new BinOp(kind, PrimType.F32), sum, x);
    Code inner =
        new Code.For(J, PrimType.I64, Expr.i64(0), bound, List.of(new Code.Assign(SUM, step)));
    return new Code.For(
        I,
        PrimType.I64,
        Expr.i64(0),
        Expr.i64(N),
        List.of(
            new Code.Declare(SUM, PrimType.F32, new Expr.Load(XS, PrimType.F32, Poly.of(I))),
            inner,
            new Code.Store(OUT, PrimType.F32, Poly.of(I), sum)));
  }

  private static List<Code> write(Code.For loop, Name privateBlock) {
    return write(TestLoopContext.independent(loop), loop, new TestLoopContext(privateBlock));
  }

  /** Returns the replacement of the first loop; if there is none, the second, equal loop. */
  private static List<Code> write(Code.For known, Code.For loop, TestLoopContext around) {
    List<Code> now = UnrollAndJam.rewrite(known, around, true);
    return now == null ? List.of(loop) : now;
  }

  @Test
  void chainsOfSeveralIterationsShareOneInnerLoop() {
    List<Code> out = write(loop(BinOp.Kind.FADD, Expr.i64(N)), J);
    assertEquals(3, out.size());
    Code.For groups = (Code.For) out.get(1);
    assertEquals(9, groups.body().size(), "four sums, one loop, four stores");
    assertEquals(4, ((Code.For) groups.body().get(4)).body().size());
  }

  @Test
  void divisionsInnerBoundsThatDifferAndPrivateBlocksAreLeftAlone() {
    Code.For divides = loop(BinOp.Kind.FDIV, Expr.i64(N));
    assertSame(divides, write(divides, J).get(0));
    Code.For triangular = loop(BinOp.Kind.FADD, Expr.i64(I));
    assertSame(triangular, write(triangular, J).get(0));
    Code.For shared = loop(BinOp.Kind.FADD, Expr.i64(N));
    assertSame(shared, write(shared, OUT).get(0));
    assertEquals(3, write(shared, XS).size(), "private blocks that are only read");
  }

  @Test
  void chainsInsideAnotherLoopAndConditionalsAreInterleavedToo() {
    Code.For loop = loop(BinOp.Kind.FADD, Expr.i64(N));
    Name best = new Name("best", 6);
    Name k = new Name("k", 7);
    Expr sum = new Expr.Var(SUM, PrimType.F32);
    Expr less =
        new Expr.Compare(
            new CmpOp(CmpOp.Kind.FLT, PrimType.F32), sum, new Expr.Var(best, PrimType.F32));
    Code same = new Code.Assign(best, new Expr.Var(SUM, PrimType.F32));
    Code outer =
        new Code.For(
            k,
            PrimType.I64,
            Expr.i64(0),
            Expr.i64(3),
            List.of(
                new Code.Scope(List.of(loop.body().get(0), loop.body().get(1))),
                new Code.If(less, List.of(new Code.Assign(best, sum)), List.of(same))));
    Code first = new Code.Declare(best, PrimType.F32, new Expr.Load(XS, PrimType.F32, Poly.of(I)));
    List<Code> out =
        write(new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), List.of(first, outer)), J);
    Code.For overK = (Code.For) ((Code.For) out.get(1)).body().get(4);
    assertEquals(9, overK.body().size(), "one scope, four masks, four choices");
    Code.Scope sums = (Code.Scope) overK.body().get(0);
    assertEquals(5, sums.body().size(), "four sums, one loop");
    assertEquals(4, ((Code.For) sums.body().get(4)).body().size());
    Name lastBest = ((Code.Declare) ((Code.For) out.get(1)).body().get(3)).name();
    assertEquals(lastBest, ((Code.Assign) overK.body().get(8)).name());
  }

  /**
   * Returns a loop whose iterations sum, for each j, the exponential of a value that a conditional
   * chooses.
   */
  private static Code.For choosing(Expr cond, PrimType type) {
    Name pick = new Name("pick", 10);
    Expr exp =
        new Expr.Apply(new PrimFun(PrimFun.Kind.EXP, type), List.of(new Expr.Var(pick, type)));
    Expr sum = new Expr.Binary(new BinOp(BinOp.Kind.FADD, type), new Expr.Var(SUM, type), exp);
    Code inner =
        overJ(
            new Code.Declare(pick, type, null),
            new Code.If(
                cond,
                List.of(new Code.Assign(pick, new Expr.Load(XS, type, Poly.of(J)))),
                List.of(new Code.Assign(pick, new Expr.Load(XS, type, Poly.of(0))))),
            new Code.Assign(SUM, sum));
    Code first = new Code.Declare(SUM, type, new Expr.Load(XS, type, Poly.of(I)));
    Code store = new Code.Store(OUT, type, Poly.of(I), new Expr.Var(SUM, type));
    return new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), List.of(first, inner, store));
  }

  @Test
  void whatIsTheSameInAllIterationsIsDoneOnce() {
    Expr same = Expr.less(Expr.i64(J), Expr.i64(N));
    List<Code> out = write(choosing(same, PrimType.F32), J);
    Code.For inner = (Code.For) ((Code.For) out.get(1)).body().get(4);
    assertEquals(6, inner.body().size(), "one variable, one conditional, four sums");
    Code.For differs = choosing(Expr.less(Expr.i64(I), Expr.i64(J)), PrimType.F32);
    assertSame(differs, write(differs, J).get(0));
    Code.For isLong = choosing(same, PrimType.F64);
    assertSame(isLong, write(isLong, J).get(0), "a function that takes long");
  }

  @Test
  void whatDoesNotCarryIsLeftAlone() {
    Name t = new Name("t", 8);
    Code inner =
        overJ(
            new Code.Declare(t, PrimType.F32, null),
            new Code.Assign(t, new Expr.Load(XS, PrimType.F32, Poly.of(J))),
            new Code.Store(
                OUT, PrimType.F32, Poly.of(I).plus(Poly.of(J)), new Expr.Var(t, PrimType.F32)));
    Code.For loop = new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), List.of(inner));
    assertSame(loop, write(loop, J).get(0));
  }

  private static boolean isIndependent(Code.For loop, Name... same) {
    List<Name> stored = stored(loop, same);
    return !stored.isEmpty() && stored.equals(stored.stream().sorted(BY_TAG).toList());
  }

  /** Tests whether the first parts of iterations are interleaved while stores stay in order. */
  private static boolean isInOrder(Code.For loop, Name... same) {
    List<Name> stored = stored(loop, same);
    List<Name> once = stored.subList(0, stored.size() / 4);
    return !stored.isEmpty()
        && stored.equals(Stream.of(once, once, once, once).flatMap(List::stream).toList());
  }

  private static final Comparator<Name> BY_TAG = Comparator.comparing(Name::tag);

  /**
   * Returns the blocks that four iterations store to, in order; an empty list if the loop stays.
   */
  private static List<Name> stored(Code.For loop, Name... same) {
    List<Code> out = UnrollAndJam.rewrite(loop, new TestLoopContext(null, same), true);
    List<Name> stored = new ArrayList<>();
    if (out != null) {
      stored(((Code.For) out.get(1)).body(), stored);
    }
    return stored;
  }

  private static void stored(List<Code> code, List<Name> stored) {
    for (Code c : code) {
      if (c instanceof Code.Store s) {
        stored.add(s.block());
      }
      if (c instanceof Code.If i) {
        stored(i.then(), stored);
      }
    }
  }

  @Test
  void iterationsOfSequentialLoopsAreIndependentIfNothingReadsWhatTheyStoreAndElseInOrder() {
    Code.For loop = loop(BinOp.Kind.FADD, Expr.i64(N));
    assertTrue(isIndependent(loop));
    assertTrue(stored(loop, XS, OUT).isEmpty(), "the block that is read, by another name");
    Name other = new Name("other", 11);
    Expr sum = new Expr.Var(SUM, PrimType.F32);
    Code store = new Code.Store(other, PrimType.F32, Poly.of(0), sum);
    assertTrue(isIndependent(with(loop, store)));
    assertTrue(isInOrder(with(loop, store), other, OUT), "two stores to one block");
    assertTrue(isInOrder(with(loop, store, store)), "two stores to one block");
    Expr cond = Expr.less(Expr.i64(I), Expr.i64(3));
    Code either = new Code.If(cond, List.of(store), List.of(store));
    assertTrue(isIndependent(with(loop, either)), "each copy does all of it");
    assertTrue(isInOrder(with(loop, either, store)), "a store behind it");
    Code inner = overJ(store);
    assertTrue(stored(with(loop, inner)).isEmpty(), "a store in an inner loop");
    Expr read = new Expr.Load(other, PrimType.F32, Poly.of(I));
    Code first = new Code.Declare(new Name("y", 12), PrimType.F32, read);
    assertTrue(isInOrder(with(loop, first, store)), "a load of what is stored");
    Name total = new Name("total", 9);
    Code carry = new Code.Assign(total, sum);
    assertTrue(stored(with(loop, carry)).isEmpty(), "a scalar that is carried");
  }

  private static Code.For overJ(Code... body) {
    return new Code.For(J, PrimType.I64, Expr.i64(0), Expr.i64(N), List.of(body));
  }

  private static Code.For with(Code.For loop, Code... more) {
    List<Code> body = new ArrayList<>(loop.body());
    body.addAll(List.of(more));
    return new Code.For(loop.index(), loop.type(), loop.from(), loop.to(), body);
  }

  @Test
  void whatHasToBeInOrderFollowsAllTheCopies() {
    Name total = new Name("total", 9);
    Code.For loop = loop(BinOp.Kind.FADD, Expr.i64(N));
    Expr sum = new Expr.Var(SUM, PrimType.F32);
    Expr add =
        new Expr.Binary(
            new BinOp(BinOp.Kind.FADD, PrimType.F32), new Expr.Var(total, PrimType.F32), sum);
    Code accumulate = new Code.Scope(List.of(new Code.Assign(total, add)));
    List<Code> body = List.of(loop.body().get(0), loop.body().get(1), accumulate);
    Code.For all = new Code.For(I, PrimType.I64, Expr.i64(0), Expr.i64(N), body);
    List<Code> out = write(TestLoopContext.independent(all, 2), all, new TestLoopContext(J));
    List<Code> group = ((Code.For) out.get(1)).body();
    assertEquals(9, group.size(), "four sums, one loop, four times the total");
    for (int k = 0; k < 4; k++) {
      Name part = ((Code.Declare) group.get(k)).name();
      Code.Assign a = (Code.Assign) ((Code.Scope) group.get(5 + k)).body().get(0);
      assertEquals(total, a.name());
      assertEquals(new Expr.Var(part, PrimType.F32), ((Expr.Binary) a.value()).right());
    }
    assertSame(all, write(TestLoopContext.independent(all), all, new TestLoopContext(J)).get(0));
  }
}
