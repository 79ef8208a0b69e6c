package futharkc.core.language.frontend;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.check.Checker;
import futharkc.core.language.parser.ImportResolver;
import futharkc.core.language.parser.Loader;
import futharkc.core.language.rules.WarningRequests;
import futharkc.core.language.syntax.SourceFile;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.ValDef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The front end, from the source of a program to its checked tree. */
public final class FrontEnd {
  private FrontEnd() {}

  /**
   * The options of a check.
   *
   * @param mainFile the path of the main file; imports are relative to it
   * @param reader a function from a file's path to its text, or null if the file does not exist
   * @param entryPoints functions of the main file that become entry points without a declaration
   */
  public record Options(
      String mainFile, Function<String, @Nullable String> reader, Set<String> entryPoints) {
    /** Returns options for a program in the file system. */
    public static Options file(Path path) {
      return new Options(path.toString(), FrontEnd::read, Set.of());
    }

    /** Returns options for a program of one file, given as text. */
    public static Options text(String name, String text) {
      return new Options(name, p -> p.equals(name) ? text : null, Set.of());
    }

    /** Returns these options with further entry points. */
    public Options withEntryPoints(Set<String> names) {
      return new Options(mainFile, reader, Set.copyOf(names));
    }
  }

  /**
   * A program without errors.
   *
   * @param program the definitions that the entry points need
   * @param warnings the warnings, in order of reporting
   */
  public record CheckedProgram(Program program, List<Diagnostic> warnings) {
    /**
     * Tests whether an attribute in the program requests warnings of the lowering: warnings about
     * run-time checks and about loops that cannot be unrolled.
     */
    public boolean asksForWarnings() {
      return WarningRequests.in(program);
    }
  }

  /**
   * Parses and checks a program on the calling thread, whose stack must be large enough for deep
   * programs.
   *
   * @throws DiagnosticException if the program has errors
   */
  public static CheckedProgram check(Options options) {
    Diagnostics diagnostics = new Diagnostics();
    Program program =
        Checker.check(options.mainFile(), options.reader(), options.entryPoints(), diagnostics);
    diagnostics.throwIfErrors();
    if (program == null) {
      throw new IllegalStateException("neither program nor errors");
    }
    return new CheckedProgram(program, diagnostics.warnings());
  }

  /**
   * The warnings of a program without errors.
   *
   * @param mayAskForMore whether an attribute may request warnings of the lowering; then {@link
   *     CheckedProgram#asksForWarnings} of the checked program decides
   */
  public record Warnings(List<Diagnostic> found, boolean mayAskForMore) {}

  /**
   * Checks a program like {@link #check} and returns only its warnings.
   *
   * @throws DiagnosticException if the program has errors
   */
  public static Warnings warnings(Options options) {
    Diagnostics diagnostics = new Diagnostics();
    boolean asks =
        Checker.report(options.mainFile(), options.reader(), options.entryPoints(), diagnostics);
    diagnostics.throwIfErrors();
    return new Warnings(diagnostics.warnings(), asks);
  }

  /**
   * A definition of the main file of a program without errors.
   *
   * @param def the definition
   * @param type the text of its type
   * @param program the program with the definition as its only entry point; null if the definition
   *     has parameters, is polymorphic, or has a type that no entry point can return
   * @param warnings the warnings about the whole program
   */
  public record CheckedDefinition(
      ValDef def, String type, @Nullable Program program, List<Diagnostic> warnings) {}

  /**
   * Checks a program and returns one of its definitions, on the calling thread.
   *
   * @param name the name of a value or function in the main file
   * @throws DiagnosticException if the program has errors
   * @throws IllegalArgumentException if the main file has no such definition
   */
  public static CheckedDefinition definition(Options options, String name) {
    Diagnostics diagnostics = new Diagnostics();
    Checker.Definition found =
        Checker.definition(options.mainFile(), options.reader(), name, diagnostics);
    diagnostics.throwIfErrors();
    if (found == null) {
      throw new IllegalArgumentException("no definition of " + name);
    }
    return new CheckedDefinition(
        found.def(), found.type(), found.program(), diagnostics.warnings());
  }

  /**
   * Checks a program and returns the text of the type of a module in its main file, on the calling
   * thread.
   *
   * @throws DiagnosticException if the program has errors
   * @throws IllegalArgumentException if the main file defines no such module
   */
  public static String moduleType(Options options, String name) {
    Diagnostics diagnostics = new Diagnostics();
    String type = Checker.moduleType(options.mainFile(), options.reader(), name, diagnostics);
    diagnostics.throwIfErrors();
    if (type == null) {
      throw new IllegalArgumentException("no module " + name);
    }
    return type;
  }

  /**
   * Parses a program and all files that it imports, without checks.
   *
   * @return the files, each after the files that it imports, without files of the prelude
   * @throws DiagnosticException if a file has a syntax error or an import does not exist
   */
  public static List<SourceFile> parse(Options options) {
    String main = options.mainFile();
    String name = main.endsWith(".fut") ? main.substring(0, main.length() - 4) : main;
    Diagnostics diagnostics = new Diagnostics();
    ImportResolver imports = ImportResolver.paths(options.reader());
    ImportResolver resolver =
        file ->
            file.equals(name)
                ? Optional.ofNullable(options.reader().apply(main))
                    .map(text -> new ImportResolver.Source(main, text))
                : imports.find(file);
    Loader loader = new Loader(resolver, Checker::isPrelude, diagnostics);
    loader.load(name);
    diagnostics.throwIfErrors();
    return loader.files();
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
