package futharkc.tools.doc;

import futharkc.core.language.index.Symbol;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The page of one file: its abstract, a synopsis, and all definitions with their comments. */
final class FilePage {
  private final Library library;
  private final Entries entries;
  private final LibraryFile file;
  private final CodeText code;
  private final CommentText comments;
  private final StringBuilder out = new StringBuilder();

  FilePage(Library library, Entries entries, LibraryFile file, Consumer<String> warnings) {
    this.library = library;
    this.entries = entries;
    this.file = file;
    this.code = new CodeText(library, entries, file);
    this.comments = new CommentText(library, entries, file, warnings);
  }

  /** Returns the HTML of the page without its frame. */
  String content() {
    Optional<String> doc = library.index().documentation(file.path());
    List<Entry> definitions = entries.of(file);
    navigation(doc.map(CommentText::sections).orElse(List.of()), definitions);
    doc.ifPresent(
        d ->
            out.append("<section class=\"abstract\">")
                .append(comments.html(d, 1, List.of(), 1))
                .append("</section>\n"));
    if (!definitions.isEmpty()) {
      synopsis(definitions);
      out.append("<h2 id=\"section:definitions\">Definitions</h2>\n");
      definitions.forEach(e -> entry(e, List.of()));
    }
    others("This file also gives", entries.others(file));
    return out.toString();
  }

  private void navigation(List<CommentText.Section> sections, List<Entry> definitions) {
    out.append("<nav class=\"page\">");
    for (CommentText.Section s : sections) {
      out.append(Html.link("#" + Html.encoded(s.anchor()), s.title())).append(' ');
    }
    if (!definitions.isEmpty()) {
      out.append("<a href=\"#section:synopsis\">Synopsis</a> ");
      out.append("<a href=\"#section:definitions\">Definitions</a> ");
    }
    out.append("<a href=\"").append(Html.root(file.page())).append(Html.encoded(file.sourcePage()));
    out.append("\">Source</a></nav>\n");
  }

  private void synopsis(List<Entry> definitions) {
    out.append("<h2 id=\"section:synopsis\">Synopsis</h2>\n<table class=\"synopsis\">\n");
    for (Entry e : definitions) {
      String doc = e.symbol().doc();
      out.append("<tr><td class=\"kind\">").append(e.kind()).append("</td><td><code>");
      out.append(Html.link("#" + Html.encoded(e.anchor()), e.symbol().name()));
      out.append("</code></td><td>");
      out.append(doc == null ? "" : Html.escaped(CommentText.firstSentence(doc)));
      out.append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  private void entry(Entry e, List<Symbol> modules) {
    Symbol symbol = e.symbol();
    out.append("<section class=\"entry\" id=\"").append(Html.escaped(e.anchor())).append("\">\n");
    out.append("<a class=\"source\" href=\"").append(Html.root(file.page()));
    out.append(file.source(symbol.loc().line())).append("\">source</a>\n");
    out.append("<pre>").append(head(e)).append("</pre>\n");
    String type = type(e);
    if (type != null) {
      out.append("<p class=\"type\">Type: <code>").append(type).append("</code></p>\n");
    }
    if (symbol.doc() != null) {
      out.append("<div class=\"comment\">");
      out.append(comments.html(symbol.doc(), symbol.loc().line(), modules, 3)).append("</div>\n");
    }
    if (!e.members().isEmpty() || !e.others().isEmpty()) {
      out.append("<div class=\"members\">\n");
      List<Symbol> inner = new ArrayList<>();
      inner.add(symbol);
      inner.addAll(modules);
      e.members().forEach(m -> entry(m, inner));
      others(e.members().isEmpty() ? "Members" : "Further members", e.others());
      out.append("</div>\n");
    }
    out.append("</section>\n");
  }

  /**
   * Returns the inferred type of a value, or null if its head states all types. The type of a value
   * of a module with abstract types is the type in the module type.
   */
  private @Nullable String type(Entry e) {
    String type = code.inferredType(e.symbol());
    if (type == null || e.parent() == null || e.parent().abstractTypes().isEmpty()) {
      return type;
    }
    return library.index().occurrences(e.symbol()).stream()
        .filter(o -> o.role().isDefinition())
        .map(o -> o.symbol().signature())
        .filter(s -> s.startsWith("val ") && s.contains(":"))
        .findFirst()
        .map(s -> Html.escaped(s.substring(s.indexOf(':') + 1).strip()))
        .orElse(null);
  }

  private String head(Entry e) {
    Symbol symbol = e.symbol();
    return switch (symbol.kind()) {
      case MODULE, MODULE_TYPE ->
          // A body that is not a structure is a short expression.
          e.members().isEmpty()
                  && (symbol.kind() == Symbol.Kind.MODULE_TYPE || !e.others().isEmpty())
              ? code.definition(symbol, e.anchor())
              : code.head(symbol, e.anchor());
      case TYPE ->
          e.isAbstract() ? code.abstractType(symbol, e.anchor()) : code.head(symbol, e.anchor());
      case VALUE, SPECIFICATION, LOCAL, SIZE, TYPE_PARAMETER, MODULE_PARAMETER ->
          code.head(symbol, e.anchor());
    };
  }

  /** Appends links to definitions that are written elsewhere, sorted by name. */
  private void others(String heading, List<Symbol> symbols) {
    if (symbols.isEmpty()) {
      return;
    }
    out.append("<p class=\"others\">").append(heading).append(": ");
    List<String> links = new ArrayList<>();
    symbols.stream()
        .sorted(Comparator.comparing(Symbol::name))
        .forEach(
            s -> {
              String address = entries.address(s);
              links.add(
                  address == null
                      ? "<code>" + Html.escaped(s.name()) + "</code>"
                      : "<code>"
                          + Html.link(Html.root(file.page()) + address, s.name())
                          + "</code>");
            });
    out.append(String.join(", ", links)).append("</p>\n");
  }
}
