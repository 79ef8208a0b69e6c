package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the hook that checks commit messages. */
final class CommitMessageTest {
  private static final Path HOOK = Path.of("..", ".githooks", "commit-msg");

  @TempDir private Path folder;

  private ShellScript check(String message) throws Exception {
    Path file = Files.writeString(folder.resolve("message"), message + "\n");
    return ShellScript.run(HOOK, file.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu-threads: eliminate redundant barriers in linear time",
        "driver: accept former names of passes with a note",
        "backend.cuda: pass options to NVRTC",
        "docs: describe the reference",
        "tests: alias arrays in random programs",
        "Merge branch 'main'",
        "ir: add a node\n\nNobody could say that.",
        "# a comment\nbuild: use the assembly in tests"
      })
  void goodSubjectsAreAccepted(String message) throws Exception {
    ShellScript result = check(message);
    assertEquals(0, result.status(), result.output());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eliminate barriers",
        "core.ir: add a node",
        "pass.simplify: fold constants",
        "nothing: add a node",
        "ir: what code is made of is searched in one way",
        "docs: all cases on cards",
        "ir: adds a node",
        "ir: added a node",
        "ir: adding a node",
        "ir: Add a node",
        "ir: add",
        "ir: add a node.",
        "ir: add a node with a description that does not fit into one line of a log"
      })
  void badSubjectsAreRejected(String message) throws Exception {
    ShellScript result = check(message);
    assertEquals(1, result.status(), message);
    assertTrue(result.output().contains("area: imperative verb object"), result.output());
  }
}
