package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Printer;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.DeviceActivity;
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
 * Random programs of which the host does much, lowered to kernels, with and without {@code
 * read-batching} and {@code speculative-launch}: the same results and errors, as many reads, and no
 * more waits. {@code -Dreads.first=SEED} and {@code -Dreads.programs=N} try others.
 */
final class HostReadTimingTest {
  private static final long FIRST = Long.getLong("reads.first", 0);
  private static final long PROGRAMS = Long.getLong("reads.programs", 60);

  private final Compiler compiler = Compiler.create();
  private int runs;
  private int results;
  private long waitsBefore;
  private long waitsAfter;

  /** The number of kernels that loops launch after their last iteration. */
  private long speculated;

  /** A result or an error, and what the device was used for. */
  private record Outcome(@Nullable List<Value> result, String error, DeviceActivity activity) {}

  @Test
  void batchesKeepResultsAndErrors() {
    for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      String text = HostPrograms.of(seed, 9);
      try {
        check(seed, text);
      } catch (RuntimeException | Error e) {
        throw new IllegalStateException("seed " + seed + "\n" + text, e);
      }
    }
    String counts =
        "%d of %d runs have results; %d waits became %d; %d kernels after the end of a loop"
            .formatted(results, runs, waitsBefore, waitsAfter, speculated);
    System.out.println(counts);
    assertTrue(2L * results > runs, counts);
    assertTrue(10L * waitsAfter < 9L * waitsBefore, counts);
    assertTrue(speculated > 0, counts);
  }

  private void check(long seed, String text) {
    Random random = new Random(~seed);
    String passes = seed % 2 == 0 ? "default,-migration" : "default";
    boolean isSpeculative = seed % 4 > 1;
    Ir without = compiled(text, passes + ",-read-batching,-speculative-launch");
    Ir with =
        compiled(text, passes + (isSpeculative ? ",+speculative-launch" : ",-speculative-launch"));
    for (int i = 0; i < 3; i++) {
      List<Value> input = input(random);
      Outcome expected = run(without, input);
      Outcome got = run(with, input);
      runs++;
      boolean same =
          expected.result == null || got.result == null
              ? expected.result == got.result && expected.error.equals(got.error)
              : RandomInputs.same(expected.result, got.result);
      if (expected.result != null && got.result != null) {
        results++;
        waitsBefore += expected.activity.waits();
        waitsAfter += got.activity.waits();
        same &= got.activity.waits() <= expected.activity.waits();
        long elements = got.activity.elements() - expected.activity.elements();
        // A read that shares the wait for the condition of a loop takes place once more.
        same &= isSpeculative ? elements >= 0 : elements == 0;
        speculated += got.activity.launches() - expected.activity.launches();
      }
      if (!same) {
        fail(
            "input %s\nexpected %s\ngot %s\n%s"
                .formatted(RandomInputs.text(input), expected, got, Printer.print(with)));
      }
    }
  }

  private Ir compiled(String text, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1).withPasses(passes);
    return compiler
        .optimise(Source.ofText("random.fut", text), options, Rep.GPU_IMP)
        .ir()
        .program();
  }

  private static Outcome run(Ir program, List<Value> input) {
    Interpreter interpreter = new Interpreter(program, Options.DEFAULT);
    try {
      return new Outcome(interpreter.call("main", input), "", interpreter.activity());
    } catch (FutharkError e) {
      return new Outcome(null, e.getMessage(), interpreter.activity());
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
