package futharkc.core.ir.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Ir;
import futharkc.core.ir.text.Parser;
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
 * A test of the verifier with programs from files: {@code cases.txt}, {@code sharing.txt} for
 * aliases of results, {@code imperative.txt}, {@code kernels.txt} and {@code vectors.txt}. A
 * program begins with a line {@code ==== REPRESENTATION: TITLE}. A line {@code !! MESSAGE} contains
 * part of the expected violation; a program without such a line is correct.
 */
final class VerifierTest {
  @ParameterizedTest(name = "{0}")
  @MethodSource
  void cases(String title, String text, String expected) {
    Ir p = Parser.parseAny(title, text);
    List<Violation> violations = Verifier.violations(p);
    if (expected.isEmpty()) {
      assertEquals(List.of(), violations);
    } else {
      assertEquals(1, violations.size(), violations::toString);
      assertTrue(
          violations.get(0).toString().contains(expected),
          () -> "expected: " + expected + "\nbut was: " + violations.get(0));
    }
  }

  static Stream<Arguments> cases() throws IOException {
    List<Arguments> cases = new ArrayList<>();
    String all =
        resource("cases.txt")
            + resource("sharing.txt")
            + resource("imperative.txt")
            + resource("kernels.txt")
            + resource("vectors.txt");
    for (String part : all.split("(?m)^==== ")) {
      if (part.isBlank()) {
        continue;
      }
      String head = part.lines().findFirst().orElseThrow();
      String rep = head.substring(0, head.indexOf(':'));
      StringBuilder program = new StringBuilder("#futhark-ir " + rep + " v1\n");
      String expected = "";
      for (String line : part.lines().skip(1).toList()) {
        if (line.startsWith("!! ")) {
          expected = line.substring(3);
        } else {
          program.append(line).append('\n');
        }
      }
      cases.add(Arguments.of(head, program.toString(), expected));
    }
    return cases.stream();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = VerifierTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
