package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MainTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private String typed = "";

  private int run(String... args) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false);
    return Main.run(args, console);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private void assertSaid(String... words) {
    String said = out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    for (String word : words) {
      assertTrue(said.contains(word), () -> "no " + word + " in: " + said);
    }
  }

  @Test
  void aCorrectProgramIsAccepted() throws IOException {
    assertEquals(Status.OK, run("check", file("good.fut", "def main (x: i32) = x + 1")));
    assertEquals(0, out.size() + err.size());
  }

  @Test
  void warningsThatAProgramAsksForAreGivenByACheckToo() throws IOException {
    String loop = "def main (n: i32) = #[unroll] loop x = 1i32 for _i < n do x * 3";
    assertEquals(Status.OK, run("check", file("loop.fut", loop)));
    assertSaid("W0902", "loop.fut:1:");
    String index = "def main (xs: []i32) (i: i64) = #[warn(safety_checks)] xs[i]";
    assertEquals(Status.REJECTED, run("check", "--Werror", file("index.fut", index)));
    assertSaid("W0901");
  }

  @Test
  void aWrongProgramIsRejectedWithItsPosition() throws IOException {
    String wrong = file("wrong.fut", "def main (x: i32) = x + true\ndef g = nothing");
    assertEquals(Status.REJECTED, run("check", wrong));
    assertSaid("wrong.fut:1:25-29", "wrong.fut:2:9-16");
    assertEquals(0, out.size());
    assertEquals(Status.REJECTED, run("check", "--json", wrong));
    assertEquals(0, err.size());
    assertSaid("\"line\":2");
  }

  @Test
  void importsThatCannotBeReadAreNoInternalError() throws IOException {
    Files.write(folder.resolve("latin.fut"), new byte[] {'-', '-', ' ', (byte) 0xe9, '\n'});
    String[] programs = {"import \"a\\0b\"", "import \"latin\""};
    String[] reasons = {"Could not find file", "latin.fut:1:4-5: [E0204]"};
    for (int i = 0; i < programs.length; i++) {
      assertNotEquals(0, run("check", file("main.fut", programs[i])));
      assertSaid(reasons[i]);
      assertFalse(err.toString(StandardCharsets.UTF_8).contains("internal error"));
    }
  }

  @Test
  void theProgramIsNotOverwritten() throws IOException {
    String good = file("good.fut", "def main (x: i32) = x");
    assertEquals(Status.FAILED, run("multicore", good, "-o", good));
    assertSaid("would overwrite");
    assertEquals("def main (x: i32) = x", Files.readString(Path.of(good)));
  }

  @Test
  void messagesAboutHugeNamesAreShort() throws IOException {
    String wrong = file("huge.fut", "def main (x: i32) = " + "x".repeat(100_000));
    assertEquals(Status.REJECTED, run("check", wrong));
    assertSaid("E0301", "xxx...", "^^^");
    assertTrue(err.size() < 3000);
  }

  @Test
  void explainReportsMissingOptions() throws IOException {
    String program = file("two.fut", "def main (x: i32) = x");
    assertEquals(Status.FAILED, run("explain", program));
    assertSaid("--memory");
    assertEquals(Status.FAILED, run("explain", "--memory", "--transfers", program));
    assertEquals(Status.FAILED, run("explain", "--layout", "--memory", program));
    assertEquals(Status.FAILED, run("explain", "--transfers", "--target=c", program));
    assertEquals(Status.FAILED, run("explain", "--layout", "--target=c", program));
    assertSaid("no parallel operations");
    assertEquals(Status.FAILED, run("explain", "--memory", "--target=nosuch", program));
    assertSaid("nosuch");
  }

  @Test
  void badCommandLinesFail() throws IOException {
    String good = file("good.fut", "def main (x: i32) = x");
    assertEquals(Status.FAILED, run());
    assertEquals(Status.FAILED, run("chek", good));
    assertSaid("Did you mean check?");
    assertEquals(Status.FAILED, run("check", "--nonsense", good));
    assertSaid("--nonsense", "check --help");
    assertEquals(Status.FAILED, run("check"));
    assertSaid("PROGRAM.fut");
    assertEquals(Status.FAILED, run("check", folder.toString()));
    assertSaid("is a folder");
    assertEquals(Status.FAILED, run("check", folder.resolve("none.fut").toString()));
    assertSaid("none.fut", "no such file");
    assertEquals(Status.FAILED, run("dev", "--mc", "--seq", good));
    assertEquals(Status.FAILED, run("dev", "--passes=a", "--plan=b", good));
    assertEquals(Status.FAILED, run("--plugin-path=" + folder.resolve("none"), good));
    assertSaid("is not a folder");
    assertEquals(Status.FAILED, run("--print-ir-after=nosuch", good));
    assertSaid("--print-ir-after: There is no pass nosuch");
    assertEquals(Status.FAILED, run("--remarks=applied,nosuch", good));
    assertSaid("--remarks: There is no pass nosuch");
    // picocli takes -hnosuch for the value of --passes, not for the option -h.
    assertEquals(Status.FAILED, run("dev", "--passes=-hnosuch", good));
    assertSaid("hnosuch");
    // The positional argument after --remarks is not the value of --remarks.
    assertEquals(Status.OK, run("dev", "--remarks", good));
    assertEquals(Status.FAILED, run("--remarks", "--nonsense", good));
    assertSaid("Unknown option: '--nonsense'");
    assertEquals(Status.REJECTED, run("dev", "--entry-point=nosuch", good));
    assertSaid("No function \"nosuch\"");
    assertEquals(Status.FAILED, run("datasett"));
    assertSaid("Did you mean dataset?");
  }

  @Test
  void anIllFormedTextFormIsNoBugOfTheCompiler() throws IOException {
    assertEquals(Status.REJECTED, run("check", file("empty.fir", "")));
    assertSaid("expected a first line");
    String ill =
        file("p.fir", "#futhark-ir soacs v1\nfun f(x_0: i32) -> (r_1: i64) = { in {x_0} }\n");
    assertEquals(Status.REJECTED, run("check", ill));
    assertSaid("The program is ill-formed: ", "p.fir:1:1");
    assertEquals(
        Status.OK,
        run(
            "check",
            file("q.fir", "#futhark-ir soacs v1\nfun f(x_0: i32) -> (r_1: i32) = { in {x_0} }\n")));
  }

  @Test
  void definitionsAreCheckedInTheRepl() {
    typed = "def f (x: i32) = x + 1\ndef g = f true\n:show\n:nonsense\n:quit\n1 + 1\n";
    assertEquals(Status.OK, run("repl"));
    // The REPL discards a rejected definition.
    assertSaid(
        "Error at [1]:1:11-15: [E0401]",
        "[2]> def f (x: i32) = x + 1\n",
        "There is no command ':nonsense'",
        "Leaving 'futhark repl'.");
  }

  @Test
  void invalidUtf8IsReportedWithItsPosition() throws IOException {
    Path file = folder.resolve("latin.fut");
    Files.write(file, "def main =\n  1 -- caf\351 au lait".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(Status.REJECTED, run("check", file.toString()));
    assertSaid("latin.fut:2:11-12: [E0204]", "0xE9", "au lait");
  }

  @Test
  void aByteOrderMarkIsIgnored() throws IOException {
    file("imported.fut", "\uFEFFdef one = 1i32");
    String main = file("main.fut", "\uFEFFimport \"imported\"\ndef main (x: i32) = x + one");
    assertEquals(Status.OK, run("check", main));
    assertEquals(0, out.size() + err.size());
  }

  @Test
  void jsonIsPrintedWhateverHappens() throws IOException {
    String wrong = file("wrong.fut", "def main (x: i32) = y");
    String none = folder.resolve("none.fut").toString();
    for (String command : new String[] {"check", "dev", "run"}) {
      assertEquals(Status.REJECTED, run(command, "--json", wrong));
      // Standard output of a command that runs a program belongs to the program.
      ByteArrayOutputStream json = command.equals("run") ? err : out;
      ByteArrayOutputStream other = command.equals("run") ? out : err;
      assertTrue(json.toString(StandardCharsets.UTF_8).contains("\"code\":\"E0301\""), command);
      assertEquals(0, other.size());
      assertEquals(Status.FAILED, run(command, "--json", none));
      assertTrue(
          json.toString(StandardCharsets.UTF_8).contains("none.fut: there is no such file."),
          command);
    }
  }

  @Test
  void helpIsNoError() {
    for (String[] args :
        new String[][] {{"--help"}, {"check", "--help"}, {"test", "-h"}, {"bench", "-h"}}) {
      assertEquals(Status.OK, run(args));
      assertTrue(out.size() > 200);
    }
  }

  @Test
  void aProgramInTextFormIsPrintedAgain() throws IOException {
    String text = "#futhark-ir soacs v1\nfun f(x_0: i32) -> (r_1: i32) = { in {x_0} }\n";
    String file = file("p.fir", text);
    assertEquals(Status.OK, run("dev", file));
    String printed = out.toString(StandardCharsets.UTF_8);
    assertEquals(Status.OK, run("dev", file("again.fir", printed)));
    assertEquals(printed, out.toString(StandardCharsets.UTF_8));
    assertEquals(Status.REJECTED, run("dev", file("bad.fir", "#futhark-ir soacs v1\nfun f(")));
    assertSaid("bad.fir:2:");
  }
}
