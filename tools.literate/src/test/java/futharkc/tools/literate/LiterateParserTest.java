package futharkc.tools.literate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LiterateParserTest {
  private static Directive directive(String text) throws LiterateException {
    List<LiterateBlock> blocks = LiterateParser.parse("p.fut", text);
    assertEquals(1, blocks.size());
    return assertInstanceOf(LiterateBlock.Evaluation.class, blocks.getFirst()).directive();
  }

  @Test
  void commentsAreProseAndTheRestIsCode() throws LiterateException {
    assertEquals(
        List.of(
            new LiterateBlock.Prose("# Title\n\nProse.\n"),
            new LiterateBlock.Code("def x = 1 -- one\n  -- indented\n\ndef y = 2\n"),
            new LiterateBlock.Code("-- ==\n-- input { 1 }\n"),
            new LiterateBlock.Code(""),
            new LiterateBlock.Prose("No > directive.\n")),
        LiterateParser.parse(
            "p.fut",
            "-- # Title\n--\n-- Prose.\n\n\ndef x = 1 -- one\n  -- indented\n\ndef y = 2\n\n"
                + "-- ==\n-- input { 1 }\n\n\n--No > directive.\n"));
  }

  @Test
  void aDirectiveMayHaveSeveralLines() throws LiterateException {
    Directive d = directive("-- > let x = f 1 in\n--   (x,\n--    \"a;b\")");
    assertEquals("let x = f 1i32 in (x, \"a;b\")", d.expression().text());
    assertEquals(Directive.Form.TEXT, d.form());
    d = directive("-- > :covert :img f [1];\n-- file: a.png");
    assertEquals(Directive.Form.IMAGE, d.form());
    assertEquals(Directive.Prompt.COVERT, d.prompt());
    assertEquals(Map.of("file", "a.png"), d.parameters());
    d = directive("-- > :brief :plot2d {a=f 1};\n-- size: (3, 4)");
    assertEquals("> :plot2d {a=f 1i32}", d.brief());
    d = directive("-- > :gnuplot {a=f};\n-- plot a\n-- replot");
    assertEquals("plot a\nreplot\n", d.script());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -- > (1, 2                   | expected
          -- > :image f                | unknown directive ':image'
          -- > f; fps: 1               | parameters begin on a new line
          -- > :img f;\\n-- fps: 1      | unknown parameter 'fps'
          -- > :img f;\\n-- file: ../a  | must not have a folder
          """)
  void malformedDirectivesAreRejected(String text, String message) {
    LiterateException e =
        assertThrows(
            LiterateException.class,
            () -> LiterateParser.parse("p.fut", "\n" + text.replace("\\n", "\n")));
    assertTrue(e.getMessage().startsWith("p.fut:2: "), e.getMessage());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }
}
