package futharkc.tools.doc;

import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import futharkc.core.language.parser.ImportNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jspecify.annotations.Nullable;

/**
 * The documentation comments of a file, which are Markdown. A name in code style with a name space
 * is a link: {@code `name`@term}, {@code `name`@type}, {@code `name`@mtype}, and {@code
 * `name`@term@"file"} for a name of another file.
 */
final class CommentText {
  private static final Pattern SPACE = Pattern.compile("@([a-z]+)(?:@\"([^\"]*)\")?");
  private static final Set<String> SPACES = Set.of("term", "type", "mtype");
  private static final Parser PARSER = Parser.builder().build();

  private final Library library;
  private final Entries entries;
  private final LibraryFile file;
  private final Consumer<String> warnings;
  private final List<Symbol> visible;

  /**
   * Creates the comments of a file.
   *
   * @param warnings the receiver of messages about unknown names
   */
  CommentText(Library library, Entries entries, LibraryFile file, Consumer<String> warnings) {
    this.library = library;
    this.entries = entries;
    this.file = file;
    this.warnings = warnings;
    this.visible = library.index().visibleAt(file.path(), Integer.MAX_VALUE, 1);
  }

  /** A heading of a comment with its anchor. */
  record Section(String title, String anchor) {}

  /**
   * Returns a comment as HTML.
   *
   * @param text the Markdown
   * @param line the line of the commented definition, for warnings
   * @param modules the modules around the definition, the innermost first
   * @param levels the number of levels by which headings move down
   */
  String html(String text, int line, List<Symbol> modules, int levels) {
    Node node = parse(text, line, modules, file.page());
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            heading.setLevel(Math.min(6, heading.getLevel() + levels));
            visitChildren(heading);
          }
        });
    return renderer().render(node);
  }

  private static HtmlRenderer renderer() {
    return HtmlRenderer.builder()
        .escapeHtml(true)
        .sanitizeUrls(true)
        .attributeProviderFactory(
            context ->
                (node, tag, attributes) -> {
                  if (node instanceof Heading h) {
                    attributes.put("id", section(h).anchor());
                  }
                })
        .build();
  }

  /** Returns the sections of the comment at the beginning of the file. */
  static List<Section> sections(String text) {
    List<Section> sections = new ArrayList<>();
    for (Node n = PARSER.parse(text).getFirstChild(); n != null; n = n.getNext()) {
      if (n instanceof Heading h) {
        sections.add(section(h));
      }
    }
    return sections;
  }

  private static Section section(Heading heading) {
    String title = plain(heading);
    String anchor =
        title
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N}]+", " ")
            .strip()
            .replace(' ', '-');
    return new Section(title, "section:" + anchor);
  }

  /** Returns the first paragraph of a comment as HTML without links to definitions. */
  static String summary(String text) {
    Node paragraph = firstParagraph(text);
    return paragraph == null ? "" : Html.escaped(plain(paragraph));
  }

  /** Returns the first sentence of a comment as plain text. */
  static String firstSentence(String text) {
    Node paragraph = firstParagraph(text);
    if (paragraph == null) {
      return "";
    }
    String all = plain(paragraph);
    Matcher end = Pattern.compile("[.:!?](?= |$)").matcher(all);
    return end.find() ? all.substring(0, end.end()) : all;
  }

  private static @Nullable Node firstParagraph(String text) {
    Node node = PARSER.parse(text).getFirstChild();
    while (node != null && !(node instanceof Paragraph)) {
      node = node.getNext();
    }
    return node;
  }

  private static String plain(Node node) {
    StringBuilder out = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            boolean afterCode = text.getPrevious() instanceof Code;
            String literal = text.getLiteral();
            out.append(
                afterCode ? SPACE.matcher(literal).replaceFirst(CommentText::removed) : literal);
          }

          @Override
          public void visit(Code code) {
            out.append(code.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak lineBreak) {
            out.append(' ');
          }
        });
    return out.toString();
  }

  /** Returns the replacement of a name space: nothing if it is at the beginning of the text. */
  private static String removed(MatchResult space) {
    return space.start() == 0 ? "" : Matcher.quoteReplacement(space.group());
  }

  private Node parse(String text, int line, List<Symbol> modules, String page) {
    Node node = PARSER.parse(text);
    List<Code> names = new ArrayList<>();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Code code) {
            names.add(code);
          }
        });
    for (Code code : names) {
      if (code.getNext() instanceof Text after) {
        Matcher space = SPACE.matcher(after.getLiteral());
        if (space.lookingAt()) {
          after.setLiteral(after.getLiteral().substring(space.end()));
          Reference reference = new Reference(code.getLiteral(), space.group(1), space.group(2));
          String address = address(reference, line, modules);
          if (address != null) {
            Link link = new Link(Html.root(page) + address, null);
            code.insertBefore(link);
            link.appendChild(code);
          }
        }
      }
    }
    return node;
  }

  /** A reference to a name in a comment. */
  private record Reference(String name, String space, @Nullable String file) {}

  private @Nullable String address(Reference reference, int line, List<Symbol> modules) {
    if (!SPACES.contains(reference.space)) {
      warn(line, "unknown name space '" + reference.space + "'; term, type and mtype exist.");
      return null;
    }
    Symbol symbol = find(reference, modules);
    if (symbol == null) {
      String where = reference.file == null ? "" : " in \"" + reference.file + "\"";
      warn(line, "there is no " + reference.space + " '" + reference.name + "'" + where + ".");
      return null;
    }
    return entries.address(symbol);
  }

  private void warn(int line, String message) {
    warnings.accept(file.path() + ":" + line + ": warning: " + message);
  }

  private @Nullable Symbol find(Reference reference, List<Symbol> modules) {
    ProgramIndex index = library.index();
    List<String> names = names(reference.name);
    if (reference.file != null) {
      String path = ImportNames.resolve(file.path(), reference.file) + ".fut";
      return find(index.exports(path), names, reference.space);
    }
    for (Symbol module : modules) {
      Symbol found = find(index.contents(module), names, reference.space);
      if (found != null) {
        return found;
      }
    }
    return find(visible, names, reference.space);
  }

  /** Splits a qualified name. An operator such as {@code M.+.} may have dots. */
  private static List<String> names(String name) {
    List<String> names = new ArrayList<>();
    String rest = name;
    while (rest.matches("[a-zA-Z_][\\w']*\\..+")) {
      int dot = rest.indexOf('.');
      names.add(rest.substring(0, dot));
      rest = rest.substring(dot + 1);
    }
    names.add(rest);
    return names;
  }

  private @Nullable Symbol find(List<Symbol> scope, List<String> names, String space) {
    if (names.size() == 1) {
      return named(scope, names.getFirst(), space);
    }
    Symbol module = named(scope, names.getFirst(), "term");
    if (module == null) {
      module = named(scope, names.getFirst(), "mtype");
    }
    return module == null
        ? null
        : find(library.index().contents(module), names.subList(1, names.size()), space);
  }

  private static @Nullable Symbol named(List<Symbol> scope, String name, String space) {
    for (Symbol s : scope) {
      if (s.name().equals(name) && isIn(s, space)) {
        return s;
      }
    }
    return null;
  }

  private static boolean isIn(Symbol symbol, String space) {
    return switch (symbol.kind()) {
      case VALUE, SPECIFICATION, LOCAL, SIZE, MODULE, MODULE_PARAMETER -> space.equals("term");
      case TYPE, TYPE_PARAMETER -> space.equals("type");
      case MODULE_TYPE -> space.equals("mtype");
    };
  }
}
