package futharkc.tools.lsp;

import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import futharkc.core.language.syntax.PrimType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionItemKind;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.Position;
import org.jspecify.annotations.Nullable;

/** Completions: record fields and members of modules after a dot, constructors, and names. */
final class Completions {
  private static final List<String> KEYWORDS =
      List.of(
          "true", "false", "if", "then", "else", "def", "let", "loop", "in", "val", "for", "do",
          "with", "local", "open", "include", "import", "type", "entry", "module", "while",
          "assert", "match", "case");

  private static final Pattern CONSTRUCTOR = Pattern.compile("#([A-Za-z_][A-Za-z0-9_']*)");

  private Completions() {}

  static List<CompletionItem> at(View view, Position position) {
    TextSnapshot text = view.text();
    int offset = text.offset(position);
    int start = startOfWord(text.text(), offset);
    List<SourceScan.Token> before = SourceScan.before(text.text(), offset);
    if (!before.isEmpty() && isClosed(before.getLast(), offset)) {
      return List.of();
    }
    if (start > 0 && text.text().charAt(start - 1) == '#') {
      return constructors(text.text());
    }
    if (start > 0 && text.text().charAt(start - 1) == '.') {
      return afterDot(view, position, start - 1);
    }
    return names(view, position);
  }

  /** Tests whether a position is in a comment or string. */
  private static boolean isClosed(SourceScan.Token token, int offset) {
    boolean openString =
        token.text().startsWith("\"") && (token.text().length() < 2 || !token.text().endsWith("\""));
    return (token.isComment() || openString) && token.end() == offset;
  }

  private static int startOfWord(String text, int offset) {
    int start = offset;
    while (start > 0 && isConstituent(text.charAt(start - 1))) {
      start--;
    }
    return start;
  }

  private static boolean isConstituent(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '\'';
  }

  private static List<CompletionItem> constructors(String text) {
    Set<String> names = new LinkedHashSet<>();
    Matcher m = CONSTRUCTOR.matcher(text);
    while (m.find()) {
      names.add(m.group(1));
    }
    return names.stream().map(n -> item(n, CompletionItemKind.EnumMember, "constructor")).toList();
  }

  private static List<CompletionItem> afterDot(View view, Position position, int dot) {
    String text = view.text().text();
    int start = dot;
    while (start > 0 && (isConstituent(text.charAt(start - 1)) || text.charAt(start - 1) == '.')) {
      start--;
    }
    List<String> path = List.of(text.substring(start, dot).split("\\."));
    List<CompletionItem> items = new ArrayList<>();
    for (int modules = path.size(); modules > 0 && !path.getFirst().isEmpty(); modules--) {
      Symbol symbol = Names.find(view, position, path.subList(0, modules));
      if (symbol != null) {
        if (modules == path.size()) {
          view.index().members(symbol).forEach(s -> items.add(item(view.index(), s)));
        }
        items.addAll(fields(view.index().fieldsOf(symbol, path.subList(modules, path.size()))));
        return items;
      }
    }
    View.At at = view.closest(view.text().position(dot));
    return fields(view.index().fieldsAt(view.path(), at.line(), at.column()));
  }

  private static List<CompletionItem> fields(SortedMap<String, String> fields) {
    List<CompletionItem> items = new ArrayList<>();
    fields.forEach((name, type) -> items.add(item(name, CompletionItemKind.Field, type)));
    return items;
  }

  private static List<CompletionItem> names(View view, Position position) {
    View.At at = view.closest(position);
    Map<String, CompletionItem> items = new TreeMap<>();
    int order = 0;
    for (Symbol s : view.index().visibleAt(view.path(), at.line(), at.column())) {
      if (!s.isOperator()) {
        CompletionItem item = item(view.index(), s);
        item.setSortText("%s%05d".formatted(s.isBuiltin() ? "b" : "a", order++));
        items.putIfAbsent(s.name(), item);
      }
    }
    for (PrimType p : PrimType.values()) {
      items.putIfAbsent(p.toString(), item(p.toString(), CompletionItemKind.Struct, "type"));
    }
    for (String k : KEYWORDS) {
      items.putIfAbsent(k, item(k, CompletionItemKind.Keyword, null));
    }
    return new ArrayList<>(items.values());
  }

  private static CompletionItem item(
      String label, CompletionItemKind kind, @Nullable String detail) {
    var item = new CompletionItem(label);
    item.setKind(kind);
    item.setDetail(detail);
    item.setSortText("c" + label);
    return item;
  }

  private static CompletionItem item(ProgramIndex index, Symbol symbol) {
    CompletionItem item = item(symbol.name(), kind(symbol), Hovers.declaration(index, symbol));
    if (symbol.doc() != null) {
      item.setDocumentation(new MarkupContent(MarkupKind.MARKDOWN, symbol.doc()));
    }
    return item;
  }

  private static CompletionItemKind kind(Symbol s) {
    return switch (s.kind()) {
      case VALUE, SPECIFICATION, LOCAL ->
          s.isFunction() ? CompletionItemKind.Function : CompletionItemKind.Variable;
      case SIZE -> CompletionItemKind.Constant;
      case TYPE -> CompletionItemKind.Struct;
      case TYPE_PARAMETER -> CompletionItemKind.TypeParameter;
      case MODULE, MODULE_PARAMETER -> CompletionItemKind.Module;
      case MODULE_TYPE -> CompletionItemKind.Interface;
    };
  }
}
