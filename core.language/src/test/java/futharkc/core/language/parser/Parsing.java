package futharkc.core.language.parser;

import futharkc.core.language.DiagnosticRenderer;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;

/** Shorthands that parse the sources in tests. */
final class Parsing {
  private Parsing() {}

  /** Parses a file without errors. */
  static SourceFile file(String text) {
    var sink = new Diagnostics();
    SourceFile file = Parser.parse("test", "test.fut", text, sink);
    sink.throwIfErrors();
    return file;
  }

  static Exp exp(String text) {
    return ((Dec.Val) file("def x = " + text).decs().getFirst()).body();
  }

  /** Parses an expression and returns it with all parentheses. */
  static String grouped(String text) {
    return SyntaxPrinter.exp(exp(text));
  }

  /** Returns the rendered errors of a file. */
  static String errors(String text) {
    var sink = new Diagnostics();
    Parser.parse("test", "test.fut", text, sink);
    return DiagnosticRenderer.withSource(f -> Optional.of(text), false).render(sink.all());
  }

  static String resource(String name) {
    try (var in = Objects.requireNonNull(Parsing.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
