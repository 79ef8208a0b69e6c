package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.codegen.Backend;
import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.VectorChoice;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests of vector code on random programs of {@link OuterLoops}: the interpreter, lane by lane, and
 * the generated Java have the results of the program before all passes. The properties {@code
 * -Dfuzz.first=SEED} and {@code -Dfuzz.programs=N} select programs.
 */
final class VectorCodeTest {
  private static final long FIRST = Long.getLong("fuzz.first", 0);
  private static final long PROGRAMS = Long.getLong("fuzz.programs", 60);

  private final Compiler compiler = Compiler.create();

  @Test
  void vectorCodeKeepsResults() {
    String before = System.getProperty(VectorChoice.PROPERTY, "");
    System.setProperty(VectorChoice.PROPERTY, "always");
    int vectors = 0;
    try {
      for (long seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
        vectors += check(seed, OuterLoops.of(seed)) ? 1 : 0;
      }
    } finally {
      System.setProperty(VectorChoice.PROPERTY, before);
    }
    assertTrue(2L * vectors > PROGRAMS, "only " + vectors + " programs have vector code");
  }

  @Test
  void aLoopRunsVectorCodeAfterItsTraining() throws ReflectiveOperationException {
    String before = System.getProperty(VectorChoice.PROPERTY, "");
    System.setProperty(VectorChoice.PROPERTY, "true");
    System.setProperty(VectorChoice.AFTER, "0");
    try {
      Source source =
          Source.ofText(
              "sums.fut",
              "def main (xs: [4096]f32) = map (\\x -> loop y = x for _i < 100i32 do f32.sqrt (y +"
                  + " x)) xs");
      CompilerOptions options = CompilerOptions.DEFAULT.withPasses("+vectorise,-strip-mine");
      Ir end = compiler.optimise(source, options, Rep.MC_IMP).ir().program();
      FutharkProgram program = product(end).load();
      Value xs = new ArrayValue(ElemType.F32, new long[] {4096}, numbers());
      Value first = null;
      PrintStream none = new PrintStream(OutputStream.nullOutputStream());
      try (Context context = Context.of(program, none).threads(2).build()) {
        Class<?> choices =
            program.getClass().getClassLoader().loadClass("futhark.generated.Choices");
        Field field = choices.getDeclaredField("Vectors0");
        field.setAccessible(true);
        long last = System.nanoTime() + 20_000_000_000L;
        boolean isVector = false;
        while (!isVector && System.nanoTime() < last) {
          Value now = context.run(program.entryPoints()[0], xs);
          first = first == null ? now : first;
          assertTrue(RandomInputs.same(List.of(first), List.of(now)));
          isVector = ((VectorChoice) field.get(null)).isVector();
        }
        Value after = context.run(program.entryPoints()[0], xs);
        assertTrue(RandomInputs.same(List.of(Objects.requireNonNull(first)), List.of(after)));
        assumeTrue(isVector, "the JVM has not compiled the vector code in time");
      }
    } finally {
      System.setProperty(VectorChoice.PROPERTY, before);
      System.clearProperty(VectorChoice.AFTER);
    }
  }

  private static float[] numbers() {
    float[] xs = new float[4096];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = i;
    }
    return xs;
  }

  /** Checks a program; returns true if it has vector code. */
  private boolean check(long seed, String text) {
    Source source = Source.ofText("random.fut", text);
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1);
    Ir start = compiler.optimise(source, options.withPasses("none"), null).ir().program();
    Compiled end =
        compiler.optimise(
            source, options.withPasses("+vectorise{width=" + (16 << seed % 3) + "}"), Rep.MC_IMP);
    ImperativeProgram program = (ImperativeProgram) end.ir().program();
    boolean hasVectors =
        program.functions().stream()
            .anyMatch(f -> CodeSearch.anyStatement(f.body(), c -> c instanceof Code.VectorLoop));
    if (!hasVectors) {
      return false;
    }
    Random random = new Random(seed);
    List<Value> input = RandomInputs.of(11 + random.nextInt(40), 1 + random.nextInt(5), random);
    try {
      List<Value> wanted =
          Interpreter.run(start, "main", RandomInputs.copy(input), Options.DEFAULT);
      for (int chunks : List.of(1, 2, 3)) {
        Options lanes = Options.DEFAULT.withChunks(chunks).withBackwards(chunks == 2);
        compare(wanted, Interpreter.run(program, "main", RandomInputs.copy(input), lanes));
      }
      compare(wanted, executed(product(program), RandomInputs.copy(input)));
    } catch (RuntimeException | Error e) {
      fail("seed " + seed + ": " + e + "\n" + text, e);
    }
    return true;
  }

  private Backend.Product product(Ir program) {
    var multicore = compiler.registry().targets().get("multicore");
    return multicore.backend().compile(program, "p", multicore.target());
  }

  private static void compare(List<Value> wanted, List<Value> actual) {
    if (!RandomInputs.same(wanted, actual)) {
      throw new IllegalStateException(
          "expected:\n" + RandomInputs.text(wanted) + "got:\n" + RandomInputs.text(actual));
    }
  }

  private static List<Value> executed(Backend.Product product, List<Value> input) {
    FutharkProgram program = product.load();
    PrintStream none = new PrintStream(OutputStream.nullOutputStream());
    try (Context context = Context.of(program, none).threads(2).build()) {
      Value result = context.run(program.entryPoints()[0], input.toArray(new Value[0]));
      return List.of(Opaques.parts(result));
    }
  }
}
