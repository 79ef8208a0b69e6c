package futharkc.pass.memorymerge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OrderTest {
  private static final int CHECKS = 200;

  /** Statement 2k + 1 checks that variable k is not negative. */
  private static Program checks() {
    String params =
        IntStream.range(0, CHECKS)
            .mapToObj(k -> "x_" + k + ": i64")
            .collect(Collectors.joining(", "));
    StringBuilder body = new StringBuilder();
    for (int k = 0; k < CHECKS; k++) {
      int c = CHECKS + 2 * k;
      body.append("  let {c_%d: bool} = sle_i64(0i64, x_%d)\n".formatted(c, k));
      body.append("  let {cert_%d: unit} = assert(c_%d, \"\")\n".formatted(c + 1, c));
    }
    return Parser.parse(
        "checks.fir",
        "#futhark-ir seq-mem v1\n\nfun main(%s) -> () next %d = {\n%s  in {}\n}\n"
            .formatted(params, 3 * CHECKS, body));
  }

  private static boolean knows(Order order, int at, int variable) {
    return order.before(at).provesNonNegative(Poly.of(new Name("x", variable)));
  }

  /** Of what moves up, more is known from then on; of what comes later by that, less. */
  @Test
  void whatIsKnownMovesWithStatements() {
    Program program = checks();
    FunDef f = program.functions().get("main");
    List<Stm> stms = f.body().stms();
    Order order = new Order(stms, Set.of(), Facts.of(f), new FunctionTable(f, program));
    for (int k = 1; k < CHECKS; k += 7) {
      assertTrue(knows(order, 2 * k, k - 1));
      assertFalse(knows(order, 2 * k, k));
    }
    int up = 150;
    List<Stm> now = new ArrayList<>(stms.subList(2 * up, 2 * up + 2));
    now.addAll(stms.subList(0, 2 * up));
    now.addAll(stms.subList(2 * up + 2, stms.size()));
    order.reorder(now, 0, stms.size());
    for (int k = 1; k < CHECKS; k += 7) {
      assertTrue(knows(order, 2 * k, up));
      assertEquals(k > up, knows(order, 2 * k, k - 1));
      assertFalse(knows(order, 2 * k, k));
    }
  }
}
