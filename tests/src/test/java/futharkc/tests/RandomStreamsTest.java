package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.backend.interpreter.Fault;
import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.ir.Program;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import futharkc.tests.kit.GoldenFiles;
import futharkc.tests.kit.RandomStreams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * Tests of random streams: the result does not depend on fusion, on chunk sizes, or on sequential
 * execution.
 */
final class RandomStreamsTest {
  /** The number of programs; the property {@code -Dfutharkc.streams=4000} sets it. */
  private static final int PROGRAMS = Integer.getInteger("futharkc.streams", 300);

  private static final List<String> ARGUMENTS =
      List.of(
          "empty([0]i32) empty([0]i32) empty([0][2]i32)",
          "[3] [-2] [[4, 5]]",
          "[3, 1, 4, 1, 5] [-2, 9, -6, 5, 3] [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]]");

  @Test
  void fusionKeepsResults() throws IOException {
    Pass fusion = pass("fusion");
    Pass sequentialise = pass("sequentialise");
    int fused = 0;
    int compared = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Program before =
          new RandomStreams(RandomGeneratorFactory.of("L64X128MixRandom").create(seed)).program();
      Verifier.verify(before);
      Program after = GoldenFiles.run(fusion, before, Map.of());
      String text =
          "seed " + seed + "\n" + Printer.print(before) + "=====\n" + Printer.print(after);
      verify(after, text);
      if (!after.equals(before)) {
        fused++;
      }
      Program loops = GoldenFiles.run(sequentialise, after, Map.of());
      verify(loops, text);
      for (String args : ARGUMENTS) {
        String expected;
        try {
          expected = run(before, args, 0);
        } catch (Fault firstOfNone) {
          continue;
        }
        compared++;
        assertEquals(expected, run(loops, args, 0), text);
        for (int chunk = 0; chunk <= 3; chunk++) {
          assertEquals(expected, run(before, args, chunk), text);
          assertEquals(expected, run(after, args, chunk), text);
        }
      }
    }
    assertTrue(fused > PROGRAMS / 2, fused + " fused");
    // The test skips programs that read the first element of an empty array.
    assertTrue(compared >= 2 * PROGRAMS, compared + " results compared");
  }

  private static void verify(Program program, String text) {
    try {
      Verifier.verify(program);
    } catch (RuntimeException e) {
      fail(text, e);
    }
  }

  private static Pass pass(String name) {
    return Objects.requireNonNull(Compiler.create().registry().passes().get(name)).pass();
  }

  private static String run(Program p, String args, int chunk) throws IOException {
    ValueReader in = ValueReader.ofText(args);
    List<Value> values = new ArrayList<>();
    while (!in.atEnd()) {
      values.add(in.readAny());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ValueWriter out = new ValueWriter(bytes);
    Options options = Options.DEFAULT.withChunk(chunk);
    for (Value v : Interpreter.run(p, "main", values, options)) {
      out.text(v);
      out.newline();
    }
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
