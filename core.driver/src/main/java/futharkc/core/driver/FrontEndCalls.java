package futharkc.core.driver;

import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Program;
import futharkc.core.ir.spi.Property;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.DiagnosticRenderer;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.frontend.FrontEnd;
import futharkc.core.language.lower.Lowering;
import futharkc.core.language.lower.LoweringException;
import futharkc.core.language.parser.SourceToken;
import futharkc.core.language.syntax.SourceFile;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** The calls from the compiler into the front end and the intermediate representation. */
final class FrontEndCalls {
  private FrontEndCalls() {}

  /**
   * The result of the front end.
   *
   * @param warnings the warnings of the front end
   */
  record Lowered(Program program, List<Diagnostic> warnings) {}

  /** Returns the warnings. A program that asks for warnings of the lowering is lowered too. */
  static List<Diagnostic> check(Source source) {
    FrontEnd.Warnings warnings;
    try {
      warnings = FrontEnd.warnings(new FrontEnd.Options(source.file(), source::read, Set.of()));
    } catch (DiagnosticException e) {
      throw rejected(source, e.diagnostics());
    }
    if (!warnings.mayAskForMore()) {
      return warnings.found();
    }
    FrontEnd.CheckedProgram checked = checked(source, Set.of());
    return checked.asksForWarnings()
        ? lower(source, checked, CompilerOptions.DEFAULT).warnings()
        : checked.warnings();
  }

  /** Returns the files of a program, each after the files that it imports. */
  static List<SourceFile> parse(Source source) {
    try {
      return FrontEnd.parse(new FrontEnd.Options(source.file(), source::read, Set.of()));
    } catch (DiagnosticException e) {
      throw rejected(source, e.diagnostics());
    }
  }

  /** Returns a definition of the main file of a program. */
  static FrontEnd.CheckedDefinition definition(Source source, String name) {
    try {
      return FrontEnd.definition(new FrontEnd.Options(source.file(), source::read, Set.of()), name);
    } catch (DiagnosticException e) {
      throw rejected(source, e.diagnostics());
    }
  }

  /** Returns the text of the type of a module in the main file of a program. */
  static String moduleType(Source source, String name) {
    try {
      return FrontEnd.moduleType(new FrontEnd.Options(source.file(), source::read, Set.of()), name);
    } catch (DiagnosticException e) {
      throw rejected(source, e.diagnostics());
    }
  }

  /** Lowers a checked program without warnings. */
  static Program lower(Source source, futharkc.core.language.typed.Program program) {
    return lower(source, new FrontEnd.CheckedProgram(program, List.of()), CompilerOptions.DEFAULT)
        .program();
  }

  /** Lowers a checked program for a debugger. */
  static Lowering.Debugged debugged(
      Source source, futharkc.core.language.typed.Program program, Lowering.Debugger debugger) {
    try {
      return Lowering.debugged(program, debugger);
    } catch (LoweringException e) {
      throw rejected(source, e);
    }
  }

  private static ProgramRejectedException rejected(Source source, LoweringException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return rejected(source, List.of(Diagnostic.error("E0902", e.loc(), message)));
  }

  /** Returns the tokens of a file of a program. */
  static List<SourceToken> tokens(Source source, String path) {
    Diagnostics diagnostics = new Diagnostics();
    String text = Objects.requireNonNull(source.read(path));
    List<SourceToken> tokens = SourceToken.scan(path, text, diagnostics);
    if (diagnostics.hasErrors()) {
      throw rejected(source, diagnostics.errors());
    }
    return tokens;
  }

  private static FrontEnd.CheckedProgram checked(Source source, Set<String> entryPoints) {
    try {
      return FrontEnd.check(new FrontEnd.Options(source.file(), source::read, entryPoints));
    } catch (DiagnosticException e) {
      throw rejected(source, e.diagnostics());
    }
  }

  static Lowered lower(Source source, CompilerOptions options) {
    return lower(source, checked(source, Set.copyOf(options.entryPoints())), options);
  }

  private static Lowered lower(
      Source source, FrontEnd.CheckedProgram checked, CompilerOptions options) {
    try {
      Diagnostics diagnostics = new Diagnostics();
      checked.warnings().forEach(diagnostics::report);
      Program program =
          Lowering.lower(checked.program(), new Lowering.Options(!options.safe()), diagnostics);
      return new Lowered(program, diagnostics.warnings());
    } catch (LoweringException e) {
      throw rejected(source, e);
    }
  }

  /** Returns the exception for a rejected program, with excerpts of its files. */
  static ProgramRejectedException rejected(Source source, List<Diagnostic> diagnostics) {
    DiagnosticRenderer renderer =
        DiagnosticRenderer.withSource(
            file -> Optional.ofNullable(source.read(file)), source.colours());
    return new ProgramRejectedException(renderer.render(diagnostics), diagnostics);
  }

  /**
   * Returns the properties of a program from the front end: {@code DIFFERENTIATED} if the program
   * uses no derivatives.
   */
  static Set<Property> properties(Program program) {
    Set<String> nodes = Metrics.names(program);
    boolean derivatives =
        nodes.contains("JVP") || nodes.contains("VJP") || nodes.contains("WithVJP");
    return derivatives ? Set.of() : Set.of(Property.DIFFERENTIATED);
  }

  /**
   * Verifies the form of a program.
   *
   * @throws futharkc.core.ir.verify.VerificationException if the program breaks a rule
   */
  static void verify(Ir program) {
    Verifier.verify(program);
  }

  /**
   * Verifies the form of a program, and that no array overwrites another array that is read later.
   *
   * @throws futharkc.core.ir.verify.VerificationException if the program breaks a rule
   */
  static void verifyWithMemory(Ir program) {
    Verifier.verify(program);
    Verifier.verifyMemory(program);
  }
}
