package futharkc.core.language.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.frontend.FrontEnd;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the rules of the language on programs from files, one file for each topic.
 *
 * <p>A case begins with {@code ==== name}. A line {@code !! E0601 text} says that the program has
 * an error with this code, whose message contains the text; {@code ?? W0403 text} says the same of
 * a warning. A program without such a line has no errors. The cases of a rule stand together, and
 * accepted programs differ from rejected ones only in the property that the rule is about.
 */
class RulesTest {
  private static final List<String> TOPICS =
      List.of("literals", "types", "sizes", "causality", "uniqueness", "loops", "modules", "names");

  /** A diagnostic that a program must have. */
  private record Expected(String code, String text) {
    boolean matches(Diagnostic d) {
      return d.code().equals(code) && d.message().contains(text);
    }
  }

  record Case(String name, List<Expected> errors, List<Expected> warnings, String program) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return TOPICS.stream().flatMap(topic -> read(topic).stream());
  }

  private static List<Case> read(String topic) {
    List<Case> cases = new ArrayList<>();
    String[] blocks = resource(topic + ".txt").split("(?m)^==== ", -1);
    for (int i = 1; i < blocks.length; i++) {
      String[] lines = blocks[i].split("\n", -1);
      List<Expected> errors = new ArrayList<>();
      List<Expected> warnings = new ArrayList<>();
      StringBuilder program = new StringBuilder();
      for (int j = 1; j < lines.length; j++) {
        String line = lines[j];
        if (line.startsWith("!! ")) {
          errors.add(expected(line));
        } else if (line.startsWith("?? ")) {
          warnings.add(expected(line));
        } else {
          program.append(line).append('\n');
        }
      }
      cases.add(new Case(topic + ": " + lines[0], errors, warnings, program.toString()));
    }
    return cases;
  }

  private static Expected expected(String line) {
    return new Expected(line.substring(3, 8), line.length() > 9 ? line.substring(9) : "");
  }

  private static String resource(String name) {
    try (InputStream in = Objects.requireNonNull(RulesTest.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void programsHaveTheErrorsOfTheRules(Case c) {
    FrontEnd.Options options = FrontEnd.Options.text("test.fut", c.program);
    List<Diagnostic> found;
    try {
      FrontEnd.CheckedProgram checked = FrontEnd.check(options);
      assertEquals(List.of(), TreeVerifier.verify(checked.program()));
      found = checked.warnings();
    } catch (DiagnosticException e) {
      found = e.diagnostics();
    }
    assertEquals(
        c.errors.stream().map(Expected::code).sorted().toList(),
        found.stream().filter(Diagnostic::isError).map(Diagnostic::code).sorted().toList(),
        found::toString);
    for (Expected x : c.errors) {
      assertTrue(found.stream().anyMatch(x::matches), x + " is not in " + found);
    }
    for (Expected x : c.warnings) {
      assertTrue(found.stream().anyMatch(x::matches), x + " is not in " + found);
    }
    assertEquals(found.toString(), withoutDefinitions(options).toString());
  }

  /** Returns the diagnostics of a check that makes no definitions for applied modules. */
  private static List<Diagnostic> withoutDefinitions(FrontEnd.Options options) {
    try {
      return FrontEnd.warnings(options).found();
    } catch (DiagnosticException e) {
      return e.diagnostics();
    }
  }

  @Test
  void thereAreCasesOfEachTopic() {
    for (String topic : TOPICS) {
      List<Case> cases = read(topic);
      assertTrue(cases.stream().anyMatch(c -> c.errors.isEmpty()), topic);
      assertTrue(cases.stream().anyMatch(c -> !c.errors.isEmpty()), topic);
      assertEquals(
          cases.size(), cases.stream().map(Case::name).distinct().count(), topic + ": names");
    }
    assertTrue(cases().count() >= 450, "cases: " + cases().count());
  }
}
