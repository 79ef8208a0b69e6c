package futharkc.core.language.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.ParseTree;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.parser.Trees;
import futharkc.core.language.syntax.SourceFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.antlr.v4.runtime.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the formatter. */
class FormatterTest {
  private static final Path GOLDEN =
      Path.of("src/test/resources/futharkc/core/language/format/formatted.fut");

  /** The programs that are formatted; {@code -Dformat.programs} names another folder. */
  private static final String PROGRAMS = System.getProperty("format.programs", "..");

  private static final long SEED = Long.getLong("format.seed", 1);

  private static String format(String text) {
    return Formatter.format("test.fut", text);
  }

  @Test
  void layoutsOfAllConstructs() throws IOException {
    String formatted = format(Files.readString(GOLDEN.resolveSibling("unformatted.fut")));
    if ("1".equals(System.getenv("FUTHARKC_BLESS"))) {
      Files.writeString(GOLDEN, formatted);
    }
    assertEquals(Files.readString(GOLDEN), formatted);
  }

  /** Formats all programs of the repository and compares the trees and the comments. */
  @Test
  void programsKeepTreesAndComments() throws IOException {
    List<String> failures = new ArrayList<>();
    int formatted = 0;
    for (Path file : programs()) {
      try {
        String text = Files.readString(file);
        if (check(text)) {
          formatted++;
        }
      } catch (CharacterCodingException e) {
        // The file tests the message for text that is not UTF-8.
      } catch (AssertionError | RuntimeException e) {
        failures.add(file + ": " + e);
      }
    }
    assertEquals(List.of(), failures);
    assertTrue(formatted > 200, formatted + " programs");
  }

  /** Breaks lines and inserts comments at random places in all programs. */
  @Test
  void randomLayoutsKeepTreesAndComments() throws IOException {
    var random = new Random(SEED);
    for (Path file : programs()) {
      String text;
      try {
        text = Files.readString(file);
        ParseTree.of("test.fut", text, new Diagnostics());
      } catch (CharacterCodingException e) {
        continue;
      }
      String other = otherLayout(text, random);
      try {
        check(other);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(file + " as\n" + other, e);
      }
    }
  }

  /** Returns a program with other white space where the program has white space. */
  private static String otherLayout(String text, Random random) {
    List<Token> tokens = ParseTree.of("test.fut", text, new Diagnostics()).tokens();
    int[] codePoints = text.codePoints().toArray();
    var out = new StringBuilder();
    int end = 0;
    for (Token t : tokens) {
      int start = t.getType() == Token.EOF ? codePoints.length : t.getStartIndex();
      String space = new String(codePoints, end, start - end);
      boolean free = !space.isEmpty();
      if (free && random.nextInt(20) == 0) {
        space = space + "\n" + " ".repeat(random.nextInt(4));
      }
      if (free && random.nextInt(30) == 0) {
        space = space + " -- comment " + end + "\n".repeat(1 + random.nextInt(3));
      }
      out.append(space);
      end = Math.min(t.getStopIndex() + 1, codePoints.length);
      if (t.getType() != Token.EOF) {
        out.append(codePoints(codePoints, t.getStartIndex(), end));
      }
    }
    return out.toString();
  }

  private static String codePoints(int[] text, int start, int end) {
    return new String(text, start, end - start);
  }

  private static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(PROGRAMS))) {
      return files
          .filter(p -> p.toString().endsWith(".fut") && !p.toString().contains("/target/"))
          .sorted()
          .toList();
    }
  }

  /** Checks the formatted form of a program. Returns false if the program has syntax errors. */
  private static boolean check(String text) {
    String formatted;
    try {
      formatted = format(text);
    } catch (DiagnosticException e) {
      return false;
    }
    assertEquals(formatted, format(formatted), "formatted twice");
    SourceFile before = parse(text);
    SourceFile after = parse(formatted);
    assertEquals(Trees.show(before.decs()), Trees.show(after.decs()));
    assertEquals(before.doc(), after.doc());
    assertEquals(comments(text), comments(formatted));
    assertTrue(formatted.lines().allMatch(l -> l.equals(l.stripTrailing())), formatted);
    return true;
  }

  private static SourceFile parse(String text) {
    var sink = new Diagnostics();
    SourceFile file = Parser.parse("test", "test.fut", text, sink);
    sink.throwIfErrors();
    return file;
  }

  private static List<String> comments(String text) {
    ParseTree tree = ParseTree.of("test.fut", text, new Diagnostics());
    return Comment.of(text, tree.tokens()).stream().map(Comment::text).toList();
  }

  @Test
  void literateTextKeepsItsColumn() {
    String program =
        """
        module m = {
          -- Indented.
          def x = 1

        -- The next value.

        -- > m.x

          def y =
            -- Within the definition.
            2

        -- The end.
        }

        -- ==
        -- input { 1 } output { 2 }

        def z = 3
        """;
    assertEquals(program, format(program));
  }

  @Test
  void commentsStayInTheirBrackets() {
    assertEquals(
        """
        def xs =
          [ 1
          , 2
          -- the last
          ]

        def f =
          (1
           + -- the sum
             2
          -- in parentheses
          )
        """,
        format(
            """
            def xs = [1, 2
              -- the last
              ]
            def f = (1
             -- the sum
             + 2
             -- in parentheses
             )
            """));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "def f = - -x",
        "def f = ! -x",
        "def f = -(-x)",
        "def f = x with .0.1 = y",
        "def f = x.0.1",
        "def f = (`op` x)",
        "def f = 0..1..<-1",
        "def ((x): i32) + y = x",
        "def (x, y) `op` z = x",
        "def f {x: i32, y = z, w} = x",
        "def f = \\(x: i32) : i32 -> x",
        "#[a] #[b(c,1)] local local open m : s : t",
        "#[x] type~ t '~a [n] = ?[n].[n]*t -> (x: a) -> #c i32 [n]i32 | #d",
        "module m (p: s) (q: {}) : s with t [n] = i32 = \\(r: s): (s) -> f {} (import \"a\")",
        "module type s = (a: {val + : i32 val (-) : i32 #[x] type t include s}) -> s -> s",
    })
  void tokensStaySeparate(String program) {
    assertTrue(check(program));
  }

  @Test
  void longChainsNeedLittleStack() {
    int n = 3000;
    String lets =
        IntStream.range(0, n).mapToObj(i -> "  let x" + i + " = 1\n").collect(Collectors.joining());
    assertTrue(check("def f =\n" + lets + "  in 1\n"));
    assertTrue(check("def f = [" + "1, [2, -3],\n".repeat(n) + "[]]\n"));
  }

  @Test
  void lineBreaksAreThoseOfTheFirstLine() {
    assertEquals("def x = 1\r\n\r\n-- c\r\n", format("def x =1\r\n-- c\r\n"));
    assertEquals("def x = 1\n", format("def x =1"));
    assertEquals("", format(""));
  }

  @Test
  void syntaxErrorsAreReported() {
    assertThrows(DiagnosticException.class, () -> format("def f = (1"));
    assertThrows(DiagnosticException.class, () -> format("def f = (a - b *)"));
  }
}
