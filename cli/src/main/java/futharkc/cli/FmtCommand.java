package futharkc.cli;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc fmt}. */
final class FmtCommand implements Command {
  private static final String STANDARD_INPUT = "<stdin>";

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Formats programs in place, or standard input to standard output if there is no file."
                + " A construct on one line stays on one line; a construct with a line break gets a"
                + " line for each of its components. A program with syntax errors stays unchanged,"
                + " and the exit code is 1.");
    spec.addOption(
        Args.flag(
            "Write nothing. Name the files that are not formatted; the exit code is then 1.",
            "--check"));
    spec.addPositional(Args.files("FILE.fut", "0..*", "The programs to format."));
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    try {
      return format(parsed, console);
    } catch (ProgramRejectedException e) {
      console.err().println(e.getMessage());
      return Status.FAILED;
    }
  }

  private static int format(ParseResult parsed, Console console) throws IOException {
    List<String> files = Args.paths(parsed);
    boolean check = Args.has(parsed, "--check");
    if (files.isEmpty()) {
      String text = new String(console.in().readAllBytes(), StandardCharsets.UTF_8);
      String formatted = Compiler.format(Source.ofText(STANDARD_INPUT, text));
      if (check) {
        return text.equals(formatted) ? Status.OK : unformatted(STANDARD_INPUT, console);
      }
      console.out().print(formatted);
      return Status.OK;
    }
    int status = Status.OK;
    for (String file : files) {
      Source source = Source.ofFile(Path.of(file));
      String formatted = Compiler.format(source);
      if (formatted.equals(source.text())) {
        continue;
      }
      if (check) {
        status = unformatted(file, console);
      } else {
        replace(Path.of(file), formatted);
      }
    }
    return status;
  }

  private static int unformatted(String file, Console console) {
    console.err().println(file + ": not formatted correctly.");
    return Status.FAILED;
  }

  /**
   * Replaces the content of a file. A failure leaves the old file. A symbolic link still leads to
   * the file.
   */
  private static void replace(Path file, String text) throws IOException {
    Path target = file.toRealPath();
    Path folder = target.getParent();
    Path temporary = Files.createTempFile(folder, ".futharkc", ".fut");
    try {
      Files.writeString(temporary, text);
      PosixFileAttributeView view =
          Files.getFileAttributeView(
              target, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (view != null) {
        Files.setPosixFilePermissions(temporary, view.readAttributes().permissions());
      }
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
