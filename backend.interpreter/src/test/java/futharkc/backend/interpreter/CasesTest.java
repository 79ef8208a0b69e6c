package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Ir;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test of programs in {@code *.txt} resources. A program begins with a line {@code ====
 * REPRESENTATION: TITLE}. A line {@code >> ENTRY VALUES} after the program is a call; the next line
 * is its result, {@code << VALUES}, or the beginning of an error or fault, {@code !! TEXT}. Each
 * program runs under every choice of {@link Options} that its meaning leaves open.
 */
final class CasesTest {
  private static final List<Options> CHOICES =
      List.of(
          Options.DEFAULT,
          Options.DEFAULT.withNested(true).withBackwards(true).withChunk(2),
          Options.DEFAULT.withNested(true).withChunk(1));

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void cases(String title, String text, List<String> calls) throws IOException {
    Ir p = Parser.parseAny(title, text);
    if (!title.endsWith("(faulty)")) {
      Verifier.verify(p);
    }
    boolean oneChunk = !title.endsWith("(several chunks)");
    for (Options o : p.rep().isImperative() ? chunks(oneChunk) : CHOICES) {
      for (int i = 0; i + 1 < calls.size(); i += 2) {
        String call = calls.get(i);
        assertEquals(
            calls.get(i + 1), call(p, call, calls.get(i + 1), o), () -> call + " with " + o);
      }
    }
  }

  private static List<Options> chunks(boolean alsoOne) {
    List<Options> all = new ArrayList<>();
    for (int n : alsoOne ? List.of(1, 2, 3, 7) : List.of(2, 3, 7)) {
      all.add(Options.DEFAULT.withChunks(n));
      all.add(Options.DEFAULT.withChunks(n).withBackwards(true));
    }
    return all;
  }

  private static String call(Ir p, String call, String expected, Options o) throws IOException {
    int space = call.indexOf(' ');
    String entry = space < 0 ? call : call.substring(0, space);
    ValueReader in = ValueReader.ofText(space < 0 ? "" : call.substring(space));
    List<Value> args = new ArrayList<>();
    while (!in.atEnd()) {
      args.add(in.readAny());
    }
    String report;
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ValueWriter out = new ValueWriter(bytes);
      List<Value> results = Interpreter.run(p, entry, args, o);
      for (int i = 0; i < results.size(); i++) {
        out.text(results.get(i));
        out.newline();
      }
      out.flush();
      return "<< " + bytes.toString(StandardCharsets.UTF_8).strip().replace("\n", " ");
    } catch (FutharkError e) {
      report = "!! " + e.report().replace("\n", "\\n");
    } catch (Fault e) {
      report = "!! " + e.getMessage().replace("\n", "\\n");
    }
    return expected.startsWith("!! ") && report.startsWith(expected) ? expected : report;
  }

  static Stream<Arguments> cases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    for (String file :
        List.of(
            "basic.txt",
            "parallel.txt",
            "memory.txt",
            "derivatives.txt",
            "imperative.txt",
            "kernels.txt")) {
      String all;
      try (InputStream in = CasesTest.class.getResourceAsStream(file)) {
        all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      for (String part : all.split("(?m)^==== ", -1)) {
        if (part.isBlank()) {
          continue;
        }
        String head = part.lines().findFirst().orElseThrow();
        StringBuilder program =
            new StringBuilder("#futhark-ir " + head.substring(0, head.indexOf(':')) + " v1\n");
        List<String> calls = new ArrayList<>();
        for (String line : part.lines().skip(1).toList()) {
          if (line.startsWith(">> ")) {
            calls.add(line.substring(3));
          } else if (line.startsWith("<<") || line.startsWith("!! ")) {
            calls.add(line);
          } else {
            program.append(line).append('\n');
          }
        }
        cases.add(Arguments.of(head, program.toString(), calls));
      }
    }
    return cases.stream();
  }
}
