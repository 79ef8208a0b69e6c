package futharkc.tools.lsp;

import futharkc.core.language.index.Symbol;
import java.util.List;
import org.eclipse.lsp4j.Position;
import org.jspecify.annotations.Nullable;

/** The search for names that are visible at a position. */
final class Names {
  private Names() {}

  /** Returns the value or module of a qualified name, or null. */
  static @Nullable Symbol find(View view, Position position, List<String> path) {
    View.At at = view.closest(position);
    Symbol symbol =
        named(view.index().visibleAt(view.path(), at.line(), at.column()), path.getFirst());
    for (String name : path.subList(1, path.size())) {
      symbol = symbol == null ? null : named(view.index().members(symbol), name);
    }
    return symbol;
  }

  private static @Nullable Symbol named(List<Symbol> symbols, String name) {
    for (Symbol s : symbols) {
      boolean value =
          switch (s.kind()) {
            case VALUE, SPECIFICATION, LOCAL, SIZE, MODULE, MODULE_PARAMETER -> true;
            case TYPE, TYPE_PARAMETER, MODULE_TYPE -> false;
          };
      if (value && s.name().equals(name)) {
        return s;
      }
    }
    return null;
  }
}
