package futharkc.tools.doc;

import futharkc.core.ir.Loc;
import futharkc.core.language.index.Occurrence;
import futharkc.core.language.index.Symbol;
import futharkc.core.language.index.TypeSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The source text of a file as HTML, in which each name is a link to its definition. */
final class CodeText {
  private static final Set<String> KEYWORDS =
      Set.of(
          "assert", "case", "def", "do", "else", "entry", "for", "if", "import", "in", "include",
          "let", "local", "loop", "match", "module", "open", "then", "type", "val", "while",
          "with");

  private static final Pattern WORD =
      Pattern.compile("--.*|\"(?:[^\"\\\\]|\\\\.)*\"|[a-zA-Z_][\\w']*");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][\\w']*(?:\\.[a-zA-Z_][\\w']*)*");

  private final Library library;
  private final Entries entries;
  private final LibraryFile file;
  private final List<int[]> lines = new ArrayList<>();
  private final Map<Integer, List<Occurrence>> occurrences = new HashMap<>();
  private final Map<String, Symbol> types = new HashMap<>();

  /** The anchors of the parameters in the heads so far. */
  private final Map<Symbol, String> own = new IdentityHashMap<>();

  private final Set<String> ownAnchors = new HashSet<>();

  /** The places at which a type could be stated. */
  private final List<Loc> sites;

  CodeText(Library library, Entries entries, LibraryFile file) {
    this.library = library;
    this.entries = entries;
    this.file = file;
    library.text(file).lines().forEach(line -> lines.add(line.codePoints().toArray()));
    for (Occurrence o : library.index().occurrences(file.path())) {
      if (o.loc().line() == o.loc().endLine()) {
        occurrences.computeIfAbsent(o.loc().line(), l -> new ArrayList<>()).add(o);
      }
    }
    occurrences.values().forEach(l -> l.sort(Comparator.comparing(o -> o.loc().column())));
    sites = library.index().typeSites(file.path()).keySet().stream().map(TypeSite::loc).toList();
    for (Symbol s : library.index().visibleAt(file.path(), Integer.MAX_VALUE, 1)) {
      if (s.kind() == Symbol.Kind.TYPE) {
        types.putIfAbsent(s.name(), s);
      }
    }
  }

  int lineCount() {
    return lines.size();
  }

  /** A renderer of the names in code. */
  private interface Links {
    /** Returns the HTML of an occurrence of a name. */
    String of(Occurrence occurrence, String name);
  }

  /** Returns a line of the source text, for the page of the source text. */
  String sourceLine(int line) {
    String root = Html.root(file.sourcePage());
    return line(line, 0, lines.get(line - 1).length, (o, name) -> sourceLink(root, o, name));
  }

  private String sourceLink(String root, Occurrence o, String name) {
    String address = entries.address(o.symbol());
    boolean here = o.role().isDefinition() && entries.of(o.symbol()) == null;
    return address == null || here ? Html.escaped(name) : Html.link(root + address, name);
  }

  /**
   * Returns the head of a definition. Its parameters are linked within the head.
   *
   * @param anchor the anchor of the definition
   */
  String head(Symbol symbol, String anchor) {
    String root = Html.root(file.page());
    return code(symbol.headLoc(), (o, name) -> headLink(root, symbol, anchor, o, name));
  }

  /** Returns the name and the parameters of a type without its definition. */
  String abstractType(Symbol symbol, String anchor) {
    String head = head(symbol, anchor);
    int equals = head.indexOf(" =");
    return equals < 0 ? head : head.substring(0, equals).stripTrailing();
  }

  /** Returns a whole definition, with its body. */
  String definition(Symbol symbol, String anchor) {
    String root = Html.root(file.page());
    return code(symbol.loc(), (o, name) -> headLink(root, symbol, anchor, o, name));
  }

  private String headLink(String root, Symbol defined, String anchor, Occurrence o, String name) {
    Symbol symbol = o.symbol();
    if (symbol == defined && o.role().isDefinition()) {
      return "<a class=\"name\" href=\"#"
          + Html.encoded(anchor)
          + "\">"
          + Html.escaped(name)
          + "</a>";
    }
    return switch (symbol.kind()) {
      case LOCAL, SIZE, TYPE_PARAMETER, MODULE_PARAMETER -> {
        if (o.role().isDefinition() && ownAnchors.add(anchor + ":" + name)) {
          own.put(symbol, anchor + ":" + name);
          yield "<span id=\""
              + Html.escaped(anchor + ":" + name)
              + "\">"
              + Html.escaped(name)
              + "</span>";
        }
        String target = own.get(symbol);
        yield target == null
            ? Html.escaped(name)
            : "<a class=\"own\" href=\"#"
                + Html.encoded(target)
                + "\">"
                + Html.escaped(name)
                + "</a>";
      }
      case VALUE, SPECIFICATION, TYPE, MODULE, MODULE_TYPE -> {
        String address = entries.address(symbol);
        yield address == null ? Html.escaped(name) : Html.link(root + address, name);
      }
    };
  }

  /**
   * Returns a range of the text without its common indentation and without an equals sign at the
   * end.
   */
  private String code(Loc range, Links links) {
    StringBuilder out = new StringBuilder();
    for (int l = range.line(); l <= Math.min(range.endLine(), lines.size()); l++) {
      int[] text = lines.get(l - 1);
      int start = l == range.line() ? range.column() - 1 : indentation(text, range.column() - 1);
      int end = l == range.endLine() ? Math.min(text.length, range.endColumn() - 1) : text.length;
      if (start < end) {
        out.append(l == range.line() ? "" : "\n").append(line(l, start, end, links));
      }
    }
    String code = out.toString().stripTrailing();
    return code.endsWith("=") ? code.substring(0, code.length() - 1).stripTrailing() : code;
  }

  private static int indentation(int[] text, int most) {
    int i = 0;
    while (i < Math.min(most, text.length) && text[i] == ' ') {
      i++;
    }
    return i;
  }

  private String line(int line, int start, int end, Links links) {
    int[] text = lines.get(line - 1);
    StringBuilder out = new StringBuilder();
    int at = start;
    for (Occurrence o : occurrences.getOrDefault(line, List.of())) {
      int from = o.loc().column() - 1;
      int to = o.loc().endColumn() - 1;
      if (from < at || to > end) {
        continue;
      }
      out.append(coloured(new String(text, at, from - at)));
      out.append(links.of(o, new String(text, from, to - from)));
      at = to;
    }
    return out.append(coloured(new String(text, at, Math.max(0, end - at)))).toString();
  }

  /** Returns code without names as HTML. */
  private static String coloured(String code) {
    StringBuilder out = new StringBuilder();
    Matcher words = WORD.matcher(code);
    int at = 0;
    while (words.find()) {
      String word = words.group();
      String style =
          word.startsWith("--")
              ? "comment"
              : word.startsWith("\"") ? "string" : KEYWORDS.contains(word) ? "keyword" : "";
      if (!style.isEmpty()) {
        out.append(Html.escaped(code.substring(at, words.start())));
        out.append("<span class=\"").append(style).append("\">");
        out.append(Html.escaped(word)).append("</span>");
        at = words.end();
      }
    }
    return out.append(Html.escaped(code.substring(at))).toString();
  }

  /** Returns a type that the compiler printed. Names of types are links. */
  String type(String type) {
    String root = Html.root(file.page());
    StringBuilder out = new StringBuilder();
    Matcher names = NAME.matcher(type);
    int at = 0;
    while (names.find()) {
      String name = names.group();
      Symbol symbol = types.get(name);
      String address = symbol == null ? null : entries.address(symbol);
      out.append(Html.escaped(type.substring(at, names.start())));
      out.append(address == null ? Html.escaped(name) : Html.link(root + address, name));
      at = names.end();
    }
    return out.append(Html.escaped(type.substring(at))).toString();
  }

  /** Returns the inferred type of a value whose head does not state all types, or null. */
  @Nullable String inferredType(Symbol symbol) {
    if (symbol.kind() != Symbol.Kind.VALUE
        || sites.stream().noneMatch(s -> isWithin(s, symbol.headLoc()))) {
      return null;
    }
    return library.index().typeOf(symbol).map(this::type).orElse(null);
  }

  private static boolean isWithin(Loc loc, Loc range) {
    return !isBefore(loc.line(), loc.column(), range.line(), range.column())
        && isBefore(loc.line(), loc.column(), range.endLine(), range.endColumn());
  }

  private static boolean isBefore(int line, int column, int otherLine, int otherColumn) {
    return line < otherLine || line == otherLine && column < otherColumn;
  }
}
