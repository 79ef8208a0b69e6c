package futharkc.pass.gputhreads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.tests.kit.GoldenFiles;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class BarrierEliminationTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("golden/barrier-elimination", new BarrierEliminationPass());
  }

  /** The analysis visits each of the 121 statements of 30 nested loops at most twice. */
  @Test
  void nestsCostLinearTime() {
    List<Code> body = List.of(new Code.Barrier());
    for (int depth = 0; depth < 30; depth++) {
      Name step = new Name("i", depth);
      body =
          List.of(
              new Code.Barrier(),
              new Code.Strided(
                  step, Expr.i64(0), Expr.i64(9), Expr.i64(1), Code.Distribution.NONE, 0, body),
              new Code.Declare(new Name("x", 100 + depth), PrimType.I64, Expr.i64(depth)),
              new Code.Barrier());
    }
    AccessesSinceBarrier accesses = new AccessesSinceBarrier();
    BarrierElimination elimination = new BarrierElimination(accesses);
    elimination.kernel(body);
    assertEquals(60, elimination.removed());
    assertTrue(accesses.visits() <= 2 * 121, () -> accesses.visits() + " visits");
  }
}
