package futharkc.core.language.frontend;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.check.Checker;
import futharkc.core.language.rules.WarningRequests;
import futharkc.core.language.typed.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** From the source of a program to its checked tree. */
public final class FrontEnd {
  private FrontEnd() {}

  /**
   * What to check, and how.
   *
   * @param mainFile the path of the main file; imports are relative to it
   * @param reader the text of a file, by path, or null if there is none
   * @param entryPoints functions of the main file that are entry points although not declared as
   *     such
   */
  public record Options(
      String mainFile, Function<String, @Nullable String> reader, Set<String> entryPoints) {
    /** A program in the file system. */
    public static Options file(Path path) {
      return new Options(path.toString(), FrontEnd::read, Set.of());
    }

    /** A program of one file, given as text. */
    public static Options text(String name, String text) {
      return new Options(name, p -> p.equals(name) ? text : null, Set.of());
    }

    /** The same with further entry points. */
    public Options withEntryPoints(Set<String> names) {
      return new Options(mainFile, reader, Set.copyOf(names));
    }
  }

  /**
   * A program without errors.
   *
   * @param program what entry points need of it
   * @param warnings in order of reporting
   */
  public record CheckedProgram(Program program, List<Diagnostic> warnings) {
    /**
     * Whether attributes in it ask for warnings that the lowering gives: of checks at run time, and
     * of loops that cannot be unrolled.
     */
    public boolean asksForWarnings() {
      return WarningRequests.in(program);
    }
  }

  /**
   * Parses and checks a program. Works on the thread it is called on, whose stack must be large for
   * deep programs.
   *
   * @throws DiagnosticException if the program has errors
   */
  public static CheckedProgram check(Options options) {
    Diagnostics diagnostics = new Diagnostics();
    Program program =
        Checker.check(options.mainFile(), options.reader(), options.entryPoints(), diagnostics);
    diagnostics.throwIfErrors();
    if (program == null) throw new IllegalStateException("neither program nor errors");
    return new CheckedProgram(program, diagnostics.warnings());
  }

  private static @Nullable String read(String path) {
    try {
      Path p = Path.of(path);
      return Files.isRegularFile(p) ? Files.readString(p) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
