package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.codegen.java.HotSpot;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Memory;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests of the number of blocks that small programs allocate after memory merging. A comment {@code
 * -- allocations: c 1, multicore 1, cuda 1} states the expected numbers. A comment {@code -- call:
 * ENTRY VALUES} states a call; the interpreter runs it in both orders of indices and reports writes
 * over live arrays.
 */
final class MergedMemoryTest {
  private static final String CALL = "-- call: ";

  /** Migration allocates an array of one element for each scalar that stays on the device. */
  private static final String WITHOUT_MIGRATION = "-migration";

  private static final String ALLOCATIONS = "-- allocations: ";
  private static final Map<String, Rep> TARGETS =
      new TreeMap<>(Map.of("c", Rep.SEQ_MEM, "multicore", Rep.MC_MEM, "cuda", Rep.GPU_MEM));

  private final Compiler compiler = Compiler.create();

  @TestFactory
  Stream<DynamicTest> programs() throws IOException {
    Path dir = Path.of("src/test/resources/futharkc/tests/memory");
    try (Stream<Path> files = Files.list(dir)) {
      List<Path> all = files.filter(f -> f.toString().endsWith(".fut")).sorted().toList();
      assertFalse(all.isEmpty());
      return all.stream()
          .map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), f.toUri(), () -> check(f)));
    }
  }

  private void check(Path file) throws IOException {
    String text = Files.readString(file);
    Program start = optimised(text, CompilerOptions.DEFAULT.withPasses("none"), Rep.SOACS);
    List<String> calls = text.lines().filter(l -> l.startsWith(CALL)).toList();
    assertFalse(calls.isEmpty(), "a program that nobody calls");
    List<String> counts = new ArrayList<>();
    for (Map.Entry<String, Rep> target : TARGETS.entrySet()) {
      CompilerOptions options =
          CompilerOptions.DEFAULT.withTarget(target.getKey()).withPasses(WITHOUT_MIGRATION);
      Program merged = optimised(text, options, target.getValue());
      assertEquals(List.of(), Verifier.violations(merged));
      assertEquals(List.of(), Verifier.memoryViolations(merged));
      counts.add(target.getKey() + " " + allocations(merged));
      for (String call : calls) {
        String expected = call(start, call.substring(CALL.length()), Options.DEFAULT);
        boolean fails = expected.startsWith("Error");
        for (boolean backwards : new boolean[] {false, true}) {
          Options o = Options.DEFAULT.withBackwards(backwards).withTagged(!fails);
          String got = call(merged, call.substring(CALL.length()), o);
          assertEquals(expected, got, () -> call + " in " + target.getValue() + ", " + o);
        }
      }
    }
    String line = ALLOCATIONS + String.join(", ", counts);
    if ("1".equals(System.getenv("FUTHARKC_BLESS"))) {
      assertFalse(System.getenv("CI") != null, "golden files must not be blessed in CI");
      List<String> others = text.lines().filter(l -> !l.startsWith(ALLOCATIONS)).toList();
      Files.writeString(file, line + "\n" + String.join("\n", others) + "\n");
      return;
    }
    assertEquals(text.lines().filter(l -> l.startsWith(ALLOCATIONS)).findFirst().orElse(""), line);
  }

  private Program optimised(String text, CompilerOptions options, Rep rep) {
    Source source = Source.ofText("merged.fut", text);
    return compiler.optimise(source, options.withThreads(1), rep).program();
  }

  private static int allocations(Program p) {
    return Metrics.of(p).getOrDefault("Alloc", 0);
  }

  private static String call(Program program, String call, Options options) throws IOException {
    int space = call.indexOf(' ');
    ValueReader in = ValueReader.ofText(call.substring(space));
    List<Value> args = new ArrayList<>();
    while (!in.atEnd()) {
      args.add(in.readAny());
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ValueWriter out = new ValueWriter(bytes);
      for (Value v : Interpreter.run(program, call.substring(0, space), args, options)) {
        out.text(v);
        out.newline();
      }
      out.flush();
      return bytes.toString(StandardCharsets.UTF_8);
    } catch (FutharkError e) {
      return "Error: " + e.getMessage().lines().findFirst().orElse("");
    }
  }

  /** Checks that passes and the run time use the same size limit for small blocks. */
  @Test
  void theTargetSaysWhichBlocksTheRunTimeKeeps() {
    assertEquals(Memory.SMALLEST_KEPT, HotSpot.machine().runTime().smallestKept());
  }
}
