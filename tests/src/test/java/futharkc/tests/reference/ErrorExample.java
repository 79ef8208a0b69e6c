package futharkc.tests.reference;

import static org.junit.jupiter.api.Assertions.assertFalse;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.language.Diagnostic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The explanation of an error or warning code, with a program that has the code and a corrected
 * program.
 *
 * <p>The file {@code CODE.fut} begins with the explanation as a comment, then has the program; the
 * file {@code CODE-ok.fut} has the corrected program. The text form of a representation is in files
 * {@code .fir}. A code that no program shows has its explanation alone, in {@code CODE.txt}.
 *
 * @param explanation paragraphs: a summary, the meaning, and the remedy after {@code Fix: }
 * @param rejected the file with the wrong program
 */
record ErrorExample(String code, List<String> explanation, Path rejected) {
  private static final Path FOLDER = Path.of("src/test/resources/futharkc/tests/errors");
  private static final Compiler COMPILER = Compiler.create();

  /** Returns all examples, in the order of their codes. */
  static List<ErrorExample> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(f -> f.getFileName().toString().matches("[EW]\\d{4}\\.(fut|fir|txt)"))
          .sorted()
          .map(ErrorExample::of)
          .toList();
    }
  }

  private static ErrorExample of(Path file) {
    String comment =
        text(file)
            .lines()
            .takeWhile(l -> !isProgram(file) || l.startsWith("--"))
            .map(l -> l.replaceFirst("^-- ?", ""))
            .collect(Collectors.joining("\n"));
    List<String> paragraphs = List.of(comment.strip().split("\n\n"));
    return new ErrorExample(file.getFileName().toString().substring(0, 5), paragraphs, file);
  }

  private static boolean isProgram(Path file) {
    return !file.toString().endsWith(".txt");
  }

  /** Tests whether there is a program that shows the code. */
  boolean hasProgram() {
    return isProgram(rejected);
  }

  /** Returns the name of the language of the programs in Markdown. */
  String language() {
    return rejected.toString().endsWith(".fir") ? "text" : "futhark";
  }

  /** Returns the wrong program without its explanation. */
  String rejectedText() {
    String text = text(rejected);
    return text.substring(text.indexOf("\n\n", text.lastIndexOf("\n-- Fix: ")) + 2);
  }

  String acceptedText() {
    return text(accepted());
  }

  private Path accepted() {
    return FOLDER.resolve(rejected.getFileName().toString().replace(code, code + "-ok"));
  }

  /** Returns the errors and warnings about the wrong program. */
  List<Diagnostic> diagnostics() {
    return diagnostics(rejected, rejectedText());
  }

  /** Returns the errors and warnings about the corrected program. */
  List<Diagnostic> diagnosticsOfAccepted() {
    return diagnostics(accepted(), acceptedText());
  }

  private static List<Diagnostic> diagnostics(Path file, String text) {
    try {
      Source source = isUtf8(file) ? source(file, text) : Source.ofFile(file);
      return COMPILER.optimise(source, CompilerOptions.DEFAULT, null).warnings();
    } catch (ProgramRejectedException e) {
      assertFalse(e.diagnostics().isEmpty());
      return e.diagnostics();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Source source(Path file, String text) {
    return Source.ofText(file.getFileName().toString(), text)
        .withImports(
            path -> {
              Path imported = FOLDER.resolve(path);
              return Files.exists(imported) ? text(imported) : null;
            });
  }

  private static boolean isUtf8(Path file) {
    return !text(file).contains("\uFFFD");
  }

  /** Returns the text of a file, with replacement characters for bytes that are not UTF-8. */
  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
