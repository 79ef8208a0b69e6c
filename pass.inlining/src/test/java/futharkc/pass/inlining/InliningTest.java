package futharkc.pass.inlining;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class InliningTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/inlining", new InliningPass());
  }

  /**
   * Returns a chain of functions, each of which calls the previous one; the last is an entry point.
   */
  private static Program chain(int length, String body) {
    StringBuilder text = new StringBuilder("#futhark-ir soacs v1\n");
    for (int i = 0; i <= length; i++) {
      if (i == length) {
        text.append("entry \"main\" (\"x\": i32) -> i32\n");
      }
      text.append("fun f").append(i).append("(x_1: i32) -> (y_2: i32) next 20 = {\n");
      String call = i == 0 ? "add_i32(x_1, 1i32)" : "apply f" + (i - 1) + "(x_1)";
      text.append(body.formatted(call)).append("}\n");
    }
    return Parser.parse("chain", text.toString());
  }

  private static Program inlined(Program p) {
    return GoldenFiles.run(new InliningPass(), p, Map.of());
  }

  @Test
  void longChainsOfCallsTakeTimeInProportion() {
    String body =
        """
        let {ok_3: bool} = sle_i32(0i32, x_1)
        let {c_4: unit} = assert(ok_3, "negative", @"a.fut":2:3-9)
        let {z_5: i32} = cert{c_4} %s
        in {z_5}
        """;
    Program p = assertTimeout(ofSeconds(60), () -> inlined(chain(5_000, body)));
    assertEquals(1, p.functions().size());
    FunDef main = p.functions().values().iterator().next();
    assertEquals(2 * 5_000 + 3, main.body().stms().size());
    int longest =
        main.body().stms().stream()
            .mapToInt(s -> s.exp() instanceof BasicOp.Assert a ? a.trace().size() : 0)
            .max()
            .orElse(0);
    assertEquals(101, longest);
  }

  @Test
  void callsStayWhereBodiesWouldNestVeryDeep() {
    String body =
        """
        let {ok_3: bool} = sle_i32(0i32, x_1)
        let {z_4: i32} = if ok_3 then {let {w_5: i32} = %s in {w_5}} else {in {x_1}}
        in {z_4}
        """;
    Program p = inlined(chain(1000, body));
    assertEquals(11, p.functions().size(), p.functions().keySet()::toString);
  }
}
