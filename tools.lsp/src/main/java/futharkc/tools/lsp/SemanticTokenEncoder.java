package futharkc.tools.lsp;

import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.Symbol;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.SemanticTokens;
import org.eclipse.lsp4j.SemanticTokensLegend;

/** The kinds of the names in a file, for highlighting. */
final class SemanticTokenEncoder {
  private static final List<String> TYPES =
      List.of(
          "function", "variable", "parameter", "type", "typeParameter", "namespace", "interface",
          "operator");

  private static final List<String> MODIFIERS = List.of("declaration", "defaultLibrary");

  private SemanticTokenEncoder() {}

  static SemanticTokensLegend legend() {
    return new SemanticTokensLegend(TYPES, MODIFIERS);
  }

  private record Token(Range range, int type, int modifiers) {}

  static SemanticTokens encode(View view) {
    List<Token> tokens = new ArrayList<>();
    for (Occurrence o : view.index().occurrences(view.path())) {
      int modifiers =
          (o.role().isDefinition() ? 1 : 0) + (o.symbol().isBuiltin() ? 2 : 0);
      view.range(o.loc())
          .filter(r -> r.getStart().getLine() == r.getEnd().getLine())
          .ifPresent(r -> tokens.add(new Token(r, TYPES.indexOf(type(o.symbol())), modifiers)));
    }
    tokens.sort(
        Comparator.comparingInt((Token t) -> t.range.getStart().getLine())
            .thenComparingInt(t -> t.range.getStart().getCharacter()));
    List<Integer> data = new ArrayList<>();
    int line = 0;
    int character = 0;
    int end = 0;
    for (Token t : tokens) {
      int nextLine = t.range.getStart().getLine();
      int next = t.range.getStart().getCharacter();
      boolean overlaps = nextLine == line && next < end;
      int length = t.range.getEnd().getCharacter() - next;
      if (overlaps || length <= 0) {
        continue;
      }
      data.add(nextLine - line);
      data.add(nextLine == line ? next - character : next);
      data.add(length);
      data.add(t.type);
      data.add(t.modifiers);
      line = nextLine;
      character = next;
      end = next + length;
    }
    return new SemanticTokens(data);
  }

  private static String type(Symbol s) {
    return switch (s.kind()) {
      case VALUE, SPECIFICATION, LOCAL ->
          s.isOperator() ? "operator" : s.isFunction() ? "function" : "variable";
      case SIZE -> "parameter";
      case TYPE -> "type";
      case TYPE_PARAMETER -> "typeParameter";
      case MODULE, MODULE_PARAMETER -> "namespace";
      case MODULE_TYPE -> "interface";
    };
  }
}
