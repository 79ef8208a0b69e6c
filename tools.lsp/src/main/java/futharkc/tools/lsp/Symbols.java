package futharkc.tools.lsp;

import futharkc.core.language.index.Outline;
import futharkc.core.language.index.Symbol;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.eclipse.lsp4j.DocumentSymbol;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.SymbolKind;
import org.eclipse.lsp4j.WorkspaceSymbol;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/** The definitions of a file and of the workspace. */
final class Symbols {
  private Symbols() {}

  static List<DocumentSymbol> ofDocument(View view) {
    return convert(view, view.index().outline(view.path()));
  }

  private static List<DocumentSymbol> convert(View view, List<Outline> outline) {
    List<DocumentSymbol> result = new ArrayList<>();
    for (Outline o : outline) {
      Symbol s = o.symbol();
      Optional<Range> whole = view.range(s.loc());
      Optional<Range> name = view.range(s.nameLoc());
      if (whole.isPresent() && name.isPresent() && s.nameLoc().file().equals(view.path())) {
        String detail = view.index().typeOf(s).orElse("");
        result.add(
            new DocumentSymbol(
                s.name(),
                kind(s),
                whole.get(),
                name.get(),
                detail,
                convert(view, o.members())));
      }
    }
    return result;
  }

  /** Returns the definitions of all open programs whose names contain the letters of a query. */
  static List<WorkspaceSymbol> ofWorkspace(List<View> views, String query) {
    Set<WorkspaceSymbol> result = new LinkedHashSet<>();
    for (View v : views) {
      for (String file : v.index().files()) {
        if (!file.startsWith("/prelude/")) {
          collect(v, v.index().outline(file), query.toLowerCase(Locale.ROOT), "", result);
        }
      }
    }
    return List.copyOf(result);
  }

  private static void collect(
      View view, List<Outline> outline, String query, String container, Set<WorkspaceSymbol> into) {
    for (Outline o : outline) {
      Symbol s = o.symbol();
      if (isSubsequence(query, s.name().toLowerCase(Locale.ROOT))) {
        view.location(s.nameLoc())
            .ifPresent(
                l -> {
                  var symbol = new WorkspaceSymbol(s.name(), kind(s), Either.forLeft(l));
                  symbol.setContainerName(container);
                  into.add(symbol);
                });
      }
      collect(view, o.members(), query, s.name(), into);
    }
  }

  /** Tests whether a text has the letters of a query in the same order. */
  private static boolean isSubsequence(String query, String text) {
    int i = 0;
    for (int k = 0; k < text.length() && i < query.length(); k++) {
      if (text.charAt(k) == query.charAt(i)) {
        i++;
      }
    }
    return i == query.length();
  }

  static SymbolKind kind(Symbol s) {
    return switch (s.kind()) {
      case VALUE, SPECIFICATION, LOCAL ->
          s.isOperator()
              ? SymbolKind.Operator
              : s.isFunction() ? SymbolKind.Function : SymbolKind.Variable;
      case SIZE -> SymbolKind.Constant;
      case TYPE -> SymbolKind.Struct;
      case TYPE_PARAMETER -> SymbolKind.TypeParameter;
      case MODULE, MODULE_PARAMETER -> SymbolKind.Module;
      case MODULE_TYPE -> SymbolKind.Interface;
    };
  }
}
