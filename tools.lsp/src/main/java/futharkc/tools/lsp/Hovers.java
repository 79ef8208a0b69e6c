package futharkc.tools.lsp;

import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import java.util.Optional;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.jspecify.annotations.Nullable;

/** Descriptions of names and expressions under the pointer. */
final class Hovers {
  private Hovers() {}

  static @Nullable Hover at(View view, Position position) {
    Optional<View.At> at = view.at(position);
    if (at.isEmpty()) {
      return null;
    }
    View.At p = at.get();
    Optional<ProgramIndex.TypeAt> type = view.index().typeAt(view.path(), p.line(), p.column());
    Optional<Occurrence> name = view.index().occurrenceAt(view.path(), p.line(), p.column());
    if (name.isPresent()) {
      StringBuilder text = new StringBuilder(description(view.index(), name.get().symbol()));
      String own = view.index().typeOf(name.get().symbol()).orElse("");
      boolean isExpression = type.isPresent() && type.get().loc().line() == p.line();
      if (isExpression && covers(type.get(), name.get()) && !type.get().type().equals(own)) {
        text.append("\n\nHere: `").append(type.get().type()).append('`');
      }
      return hover(text.toString(), view.range(name.get().loc()).orElse(null));
    }
    return type.map(t -> hover(code(t.type()), view.range(t.loc()).orElse(null))).orElse(null);
  }

  /** Tests whether an expression is just a name with its modules. */
  private static boolean covers(ProgramIndex.TypeAt type, Occurrence name) {
    return type.loc().endLine() == name.loc().endLine()
        && type.loc().endColumn() == name.loc().endColumn();
  }

  private static Hover hover(String text, @Nullable Range range) {
    return new Hover(new MarkupContent(MarkupKind.MARKDOWN, text), range);
  }

  private static String code(String text) {
    return "```futhark\n" + text + "\n```";
  }

  /** Returns the kind, the type, the documentation and the place of a symbol as Markdown. */
  static String description(ProgramIndex index, Symbol symbol) {
    StringBuilder text = new StringBuilder(code(declaration(index, symbol)));
    if (symbol.doc() != null) {
      text.append("\n\n").append(symbol.doc());
    }
    text.append("\n\n*")
        .append(symbol.kind().text())
        .append("*, defined in ")
        .append(symbol.nameLoc().file().replaceAll(".*/", ""))
        .append(", line ")
        .append(symbol.nameLoc().line());
    return text.toString();
  }

  /** Returns the declaration of a symbol with its type, as far as the type is known. */
  static String declaration(ProgramIndex index, Symbol symbol) {
    String parameters = index.parametersOf(symbol);
    String name = symbol.name() + (parameters.isEmpty() ? "" : " " + parameters);
    Optional<String> type = index.typeOf(symbol);
    if (type.isPresent()) {
      String keyword = symbol.kind() == Symbol.Kind.VALUE ? "def " : "";
      return keyword + name + " : " + type.get();
    }
    return symbol.signature().isEmpty() ? symbol.name() : symbol.signature();
  }
}
