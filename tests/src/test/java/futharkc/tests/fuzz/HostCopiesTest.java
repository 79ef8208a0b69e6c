package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A comparison of random host programs with and without the pass {@code host-copies}, whose times
 * are set so that the host always runs the code that can run on copies: results and messages are
 * the same. The properties {@code -Dfuzz.first=SEED} and {@code -Dfuzz.programs=N} select programs.
 */
final class HostCopiesTest {
  private static final long FIRST = Long.getLong("fuzz.first", 0);
  private static final long PROGRAMS = Long.getLong("fuzz.programs", 60);

  private static final String ALWAYS =
      "host-copies{wait-ns=1,compile-ns=1,copy-ns=1,bytes-per-ns=1000,device-ns=1000000,write-ns=1000000}";

  private final Compiler compiler = Compiler.create();
  private int runs;
  private int results;
  private int changed;

  /** A result or an error. */
  private record Outcome(@Nullable List<Value> result, String error) {}

  @Test
  void copiesKeepResultsAndErrors() {
    for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      String text = HostPrograms.of(seed, 9);
      try {
        check(seed, text);
      } catch (RuntimeException | Error e) {
        throw new IllegalStateException("seed " + seed + "\n" + text, e);
      }
    }
    String counts =
        "%d of %d runs have results; %d of %d programs have statements on copies"
            .formatted(results, runs, changed, PROGRAMS);
    System.out.println(counts);
    assertTrue(2L * results > runs, counts);
    assertTrue(5L * changed > PROGRAMS, counts);
  }

  private void check(long seed, String text) {
    Random random = new Random(~seed);
    String passes = seed % 2 == 0 ? "default,-migration" : "default";
    ImperativeProgram without = compiled(text, passes + ",-host-copies");
    ImperativeProgram with = compiled(text, passes + ",+" + ALWAYS);
    if (with.functions().stream()
        .anyMatch(f -> CodeSearch.anyStatement(f.body(), c -> c instanceof Code.OnCopies))) {
      changed++;
    }
    for (int i = 0; i < 3; i++) {
      List<Value> input = input(random);
      Outcome expected = run(without, input);
      Outcome got = run(with, input);
      runs++;
      boolean same =
          expected.result == null || got.result == null
              ? expected.result == got.result && expected.error.equals(got.error)
              : RandomInputs.same(expected.result, got.result);
      results += expected.result == null ? 0 : 1;
      if (!same) {
        fail(
            "input %s\nexpected %s\ngot %s\n%s"
                .formatted(RandomInputs.text(input), expected, got, Printer.print(with)));
      }
    }
  }

  private ImperativeProgram compiled(String text, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1).withPasses(passes);
    return (ImperativeProgram)
        compiler.optimise(Source.ofText("random.fut", text), options, Rep.GPU_IMP).ir().program();
  }

  private static Outcome run(ImperativeProgram program, List<Value> input) {
    try {
      return new Outcome(new Interpreter(program, Options.DEFAULT).call("main", input), "");
    } catch (FutharkError e) {
      return new Outcome(null, e.getMessage());
    }
  }

  private static List<Value> input(Random random) {
    List<Value> out = new ArrayList<>();
    for (int k = 0; k < 2; k++) {
      out.add(new ArrayValue(ElemType.I64, new long[] {8}, random.longs(8, -9, 20).toArray()));
    }
    out.add(Scalar.i64(random.nextInt(-5, 12)));
    return out;
  }
}
