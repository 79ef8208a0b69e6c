package futharkc.core.ir.liveness;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.text.Parser;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class DeadCodeTest {
  /** A depth at which an algorithm exponential in the loop depth does not terminate. */
  private static final int DEPTH = 40;

  /** Returns nested loops whose second results are unused. */
  private static Body loops(String innermost) {
    StringBuilder text = new StringBuilder("#futhark-ir seq v1\n");
    text.append("fun f(n_0: i64, a_1: i32, b_2: i32) -> (r_3: i32) = {\n");
    for (int d = 0; d < DEPTH; d++) {
      int t = 10 * d;
      text.append("let {a_%d: i32, b_%d: i32} = loop".formatted(t + 14, t + 15))
          .append(" {a_%d: i32 = a_%d, ".formatted(t + 11, t + 1))
          .append("b_%d: i32 = b_%d}".formatted(t + 12, t + 2))
          .append(" for i_%d: i64 < n_0 do {\n".formatted(t + 13));
    }
    int t = 10 * DEPTH;
    text.append("let {a_%d: i32} = ".formatted(t + 14));
    text.append(innermost.formatted(t + 1, t + 2)).append("\n");
    for (int d = DEPTH; d > 0; d--) {
      text.append("in {a_%d, b_%d}}\n".formatted(10 * d + 14, 10 * d + 2));
    }
    text.append("in {a_14}}\n");
    return Objects.requireNonNull(Parser.parse("f", text.toString()).functions().get("f")).body();
  }

  @Test
  void nestedLoopsTakeLinearTime() {
    Body needed = loops("add_i32(a_%d, b_%d)");
    assertTimeoutPreemptively(ofSeconds(20), () -> assertSame(needed, new DeadCode().body(needed)));
  }

  @Test
  void unusedParametersOfNestedLoopsAreRemoved() {
    Body unneeded = loops("add_i32(a_%d, a_%1$d)");
    Body left = assertTimeoutPreemptively(ofSeconds(20), () -> new DeadCode().body(unneeded));
    int depth = 0;
    while (left.stms().get(0).exp() instanceof Exp.Loop l) {
      assertEquals(1, l.params().size());
      left = l.body();
      depth++;
    }
    assertEquals(DEPTH, depth);
  }
}
