package futharkc.pass.memorymerge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StatementOrderTest {
  private static final int CHECKS = 200;

  /** Returns a program whose statement 2k + 1 checks that variable k is not negative. */
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

  private static boolean knows(StatementOrder order, int at, int variable) {
    return order.before(at).provesNonNegative(Poly.of(new Name("x", variable)));
  }

  /**
   * Tests that facts follow moved statements: a moved check holds earlier, and statements that it
   * passes keep their facts.
   */
  @Test
  void whatIsKnownMovesWithStatements() {
    Program program = checks();
    FunDef f = program.functions().get("main");
    List<Stm> stms = f.body().stms();
    StatementOrder order =
        new StatementOrder(stms, Set.of(), Facts.of(f), new FunctionMemory(f, program));
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

  /** Tests queries after moves of adjacent statements. */
  @Test
  void whatIsAskedForIsOfTheOrderOfNow() {
    Program program = checks();
    FunDef f = program.functions().get("main");
    StatementOrder order =
        new StatementOrder(f.body().stms(), Set.of(), Facts.of(f), new FunctionMemory(f, program));
    Random random = new Random(3);
    List<Stm> model = new ArrayList<>(f.body().stms());
    for (int step = 0; step < 1000; step++) {
      int from = random.nextInt(model.size());
      int to = Math.max(0, from - random.nextInt(20));
      if (isCheck(model.get(from)) && to <= from - 1) {
        to = Math.max(to, condition(model, from) + 1);
      }
      List<Stm> now = new ArrayList<>(model);
      now.add(to, now.remove(from));
      order.reorder(now, to, from + 1);
      model = now;
      for (int k = 0; k < 5; k++) {
        int at = Math.clamp(from + random.nextInt(-30, 30), 0, model.size() - 1);
        int other = Math.clamp(at + random.nextInt(-20, 20), 0, model.size() - 1);
        Stm s = model.get(other);
        Name bound = s.names().get(0);
        assertEquals(other, order.bound(bound));
        if (isCheck(s)) {
          assertEquals(other < at, knows(order, at, variable(s)), "step " + step);
        } else {
          assertEquals(other >= at || check(model, bound) > at, order.isNeededAfter(at, bound));
        }
      }
    }
  }

  private static boolean isCheck(Stm s) {
    return s.names().get(0).base().equals("cert");
  }

  /** Returns the number of the variable that a check concerns. */
  private static int variable(Stm check) {
    return (check.names().get(0).tag() - 1 - CHECKS) / 2;
  }

  private static int condition(List<Stm> stms, int check) {
    int tag = stms.get(check).names().get(0).tag() - 1;
    int at = check - 1;
    while (at >= 0 && stms.get(at).names().get(0).tag() != tag) {
      at--;
    }
    return at;
  }

  private static int check(List<Stm> stms, Name condition) {
    int at = 0;
    while (stms.get(at).names().get(0).tag() != condition.tag() + 1) {
      at++;
    }
    return at;
  }
}
