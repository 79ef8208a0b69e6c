package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.codegen.lower.gpu.LowerGpuPass;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Program;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import futharkc.tests.kit.RecordingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests of kernels from programs in GPU_MEM: {@code NAME.fir} becomes {@code NAME.imp}. Both
 * programs have equal results for the input in comments {@code -- call: ENTRY VALUES}, for every
 * order of threads and every version of the code. A comment {@code -- options: NAME=VALUE} sets
 * options of the pass.
 */
final class LowerGpuTest {
  private static final String CALL = "-- call: ";
  private static final String OPTIONS = "-- options: ";

  @TestFactory
  Stream<DynamicTest> golden() throws IOException {
    Path dir = Path.of("src/test/resources/futharkc/tests/gpu");
    try (Stream<Path> files = Files.list(dir)) {
      List<Path> all = files.filter(f -> f.toString().endsWith(".fir")).sorted().toList();
      assertFalse(all.isEmpty());
      return all.stream()
          .map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), f.toUri(), () -> check(f)));
    }
  }

  private static void check(Path file) throws IOException {
    String text = Files.readString(file);
    Program program = Parser.parse(file.toString(), text);
    Verifier.verify(program);
    LowerGpuPass pass = new LowerGpuPass();
    Map<String, String> options =
        text.lines()
            .filter(l -> l.startsWith(OPTIONS))
            .map(l -> l.substring(OPTIONS.length()).split("=", 2))
            .collect(Collectors.toMap(o -> o[0], o -> o[1]));
    ImperativeProgram lowered = pass.run(program, new RecordingContext(pass, options));
    Verifier.verify(lowered);
    String actual = Printer.print(lowered);
    assertEquals(actual, Printer.print(Parser.parseImperative("printed", actual)));
    Path golden = file.resolveSibling(file.getFileName().toString().replace(".fir", ".imp"));
    if ("1".equals(System.getenv("FUTHARKC_BLESS"))) {
      assertFalse(System.getenv("CI") != null, "golden files must not be blessed in CI");
      Files.writeString(golden, actual);
    }
    assertEquals(Files.readString(golden), actual);
    List<String> calls = text.lines().filter(l -> l.startsWith(CALL)).toList();
    assertFalse(calls.isEmpty(), "a program that nobody calls");
    for (String call : calls) {
      String expected = call(program, call.substring(CALL.length()), Options.DEFAULT);
      for (boolean backwards : new boolean[] {false, true}) {
        for (long threshold : new long[] {0, 4, Long.MAX_VALUE}) {
          Options o = Options.DEFAULT.withBackwards(backwards).withThreshold(threshold);
          assertEquals(
              expected, call(lowered, call.substring(CALL.length()), o), () -> call + ": " + o);
        }
      }
    }
  }

  private static String call(Ir program, String call, Options options) throws IOException {
    int space = (call + " ").indexOf(' ');
    ValueReader in = ValueReader.ofText(call.substring(Math.min(space, call.length())));
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
      return e.report();
    }
  }
}
