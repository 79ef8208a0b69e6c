package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandFilesTest {
  private static final Map<String, String> FILES = CommandFiles.files();

  private static String file(String name) {
    String text = FILES.get(name);
    assertNotNull(text, () -> name + " is not in " + FILES.keySet());
    return text;
  }

  @Test
  void eachCommandHasAPageAndCompletions() {
    String overview = file("man/man1/futharkc.1");
    String bash = file("bash-completion/completions/futharkc");
    String zsh = file("zsh/site-functions/_futharkc");
    String fish = file("fish/vendor_completions.d/futharkc.fish");
    for (String command : Commands.summaries().keySet()) {
      assertTrue(overview.contains("\n.B " + command.replace("-", "\\-") + "\n"), command);
      assertTrue(
          file("man/man1/futharkc-" + command + ".1").startsWith(".TH FUTHARKC\\-"), command);
      assertTrue(bash.contains(" " + command), command);
      assertTrue(zsh.contains("  " + command + ")\n"), command);
      assertTrue(fish.contains("-a " + command + " -d "), command);
    }
    assertEquals(Commands.summaries().size() + 4, FILES.size());
  }

  @Test
  void optionsHaveTheirDescriptions() {
    String page = file("man/man1/futharkc-check.1");
    assertTrue(
        page.contains(".TP\n.B \\-\\-Werror\nTreat warnings as errors. \\-w prevails.\n"), page);
    assertTrue(
        file("zsh/site-functions/_futharkc")
            .contains("'*--Werror[Treat warnings as errors. -w prevails.]'"));
    assertTrue(
        file("fish/vendor_completions.d/futharkc.fish")
            .contains("-n '__fish_seen_subcommand_from check' -l Werror -d 'Treat warnings"));
    assertTrue(file("bash-completion/completions/futharkc").contains("--Werror"));
  }

  /** A line that begins with a full stop would be a request to the formatter. */
  @Test
  void textOfPagesIsNoRequest() {
    FILES.forEach(
        (name, text) -> {
          if (name.startsWith("man/")) {
            text.lines()
                .filter(l -> l.startsWith(".") || l.startsWith("'"))
                .forEach(
                    l ->
                        assertTrue(l.matches("\\.(TH|SH|TP|B|I|br|nf|fi)( .*)?"), name + ": " + l));
            assertFalse(text.contains("\t"), name);
          }
        });
  }

  @Test
  void theProgramWritesAllFiles(@TempDir Path folder) throws IOException {
    CommandFiles.main(new String[] {folder.toString()});
    for (String name : FILES.keySet()) {
      assertEquals(FILES.get(name), Files.readString(folder.resolve(name)), name);
    }
  }
}
