package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.text.Printer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A test of the walkthrough in {@code docs/internals/architecture.md}: each shown block is the
 * compiler's output. A comment before a block names its content: {@code source}, {@code after PASS}
 * or {@code class NAME}. With {@code FUTHARKC_BLESS=1} in the environment the test rewrites the
 * blocks.
 */
final class WalkTest {
  private static final Path FILE = Path.of("../docs/internals/architecture.md");

  private static final Pattern BLOCK =
      Pattern.compile("(<!-- (source|after|class) ?(\\S*) -->\n```\n)(.*?)(```\n)", Pattern.DOTALL);

  @Test
  void theDoorsShowWhatTheCompilerMakes() throws IOException {
    String text = Files.readString(FILE);
    String source =
        BLOCK
            .matcher(text)
            .results()
            .filter(r -> r.group(2).equals("source"))
            .findFirst()
            .orElseThrow()
            .group(4);
    String now =
        BLOCK
            .matcher(text)
            .replaceAll(
                r ->
                    java.util.regex.Matcher.quoteReplacement(
                        r.group(1) + shown(r, source) + r.group(5)));
    assertTrue(
        BLOCK.matcher(text).results().count() > 5,
        "the walkthrough must show more than five blocks");
    if ("1".equals(System.getenv("FUTHARKC_BLESS")) && !now.equals(text)) {
      assertFalse(System.getenv("CI") != null, "documents must not be rewritten in CI");
      Files.writeString(FILE, now);
      return;
    }
    assertEquals(
        now,
        text,
        "the walkthrough is out of date; run this test with FUTHARKC_BLESS=1 to rewrite it");
  }

  private static String shown(MatchResult block, String source) {
    Source file = Source.ofText("walk.fut", source);
    CompilerOptions options = CompilerOptions.DEFAULT.withTarget("multicore").withThreads(1);
    return switch (block.group(2)) {
      case "source" -> source;
      case "after" -> {
        String ir =
            Printer.print(
                Compiler.create()
                    .compile(file, options.withStopAfter(block.group(3)))
                    .ir()
                    .program());
        // The walkthrough omits source locations and the code that all representations share.
        yield ir.replaceAll(" @\"[^\"]*\":[-0-9:]+", "")
                .replaceAll("(?s)\nentry \"main\" .*?\n *return [^\n]*\n", "\n")
                .replaceAll("(?s)initialise fun .*?\n}\n\n", "")
                .strip()
            + "\n";
      }
      default -> {
        String java = Compiler.create().compile(file, options).sources().get(0).text();
        int at = java.indexOf("final class " + block.group(3));
        yield java.substring(at, java.indexOf("\n}\n", at) + 3);
      }
    };
  }
}
