package futharkc.cli;

import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.ir.Loc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A self-contained HTML page about one aspect of a compiled program. Positions link to the source
 * text at the end of the page.
 */
abstract class ExplanationPage {
  private static final String STYLE =
      """
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
      svg text { font: 12px ui-monospace, monospace; fill: currentColor; }
      .own { fill: #3b7dd8; } .given { fill: #9aa5b1; } .full { stroke: #d9480f; stroke-dasharray: 4 3; }
      table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
      .applied { color: #2b8a3e; } .missed { color: #c92a2a; } .note { color: #666; }
      pre { background: #f4f5f7; padding: .8rem; overflow-x: auto; } pre a { color: #888; text-decoration: none; }
      pre span:target { background: #ffe066; }
      @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e4e6ea; } pre { background: #22252c; } }
      """;

  private final String title;
  private final List<PassRemark> remarks;
  private final Map<String, Integer> files = new LinkedHashMap<>();

  /** The text of the page so far. */
  final StringBuilder out = new StringBuilder();

  /**
   * Creates a page.
   *
   * @param subject the aspect, the first word of the title
   * @param name the name of the program
   */
  ExplanationPage(String subject, String name, String target, List<PassRemark> remarks) {
    this.title = subject + " of " + escaped(name) + ", target " + target;
    this.remarks = remarks;
  }

  /** Returns the whole page. */
  final String html() {
    out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(title)
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style></head><body>\n<h1>")
        .append(title)
        .append("</h1>\n");
    content();
    sources();
    return out.append("</body></html>\n").toString();
  }

  /** Appends the page's text between the title and the source text. */
  abstract void content();

  /** Appends a table of the remarks of some passes about a function, if there are any. */
  final void remarks(String function, String heading, Set<String> passes) {
    Set<PassRemark> mine = new LinkedHashSet<>(remarks);
    mine.removeIf(r -> !passes.contains(r.pass()) || !r.remark().function().equals(function));
    if (mine.isEmpty()) {
      return;
    }
    out.append("<h3>").append(heading).append("</h3>\n<table>\n");
    for (PassRemark r : mine) {
      String kind = r.remark().kind().name().toLowerCase(Locale.ROOT);
      out.append("<tr><td class=\"").append(kind).append("\">").append(kind).append("</td><td>");
      out.append(escaped(r.pass())).append("</td><td>").append(link(r.remark().loc()));
      out.append("</td><td>").append(escaped(r.remark().message())).append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  /** Returns a link to a source position; empty if the position is unknown. */
  final String link(Loc loc) {
    if (loc.equals(Loc.NONE)) {
      return "";
    }
    return "<a href=\"" + target(loc) + "\">" + loc.line() + ":" + loc.column() + "</a>";
  }

  /** Returns the address of a source position in the page. */
  final String target(Loc loc) {
    if (loc.equals(Loc.NONE)) {
      return "#";
    }
    int file = files.computeIfAbsent(loc.file(), f -> files.size());
    return "#f" + file + "-" + loc.line();
  }

  /** Appends the text of each linked source file that exists. */
  private void sources() {
    files.forEach(
        (file, number) -> {
          List<String> lines;
          try {
            lines =
                Files.isRegularFile(Path.of(file)) ? Files.readAllLines(Path.of(file)) : List.of();
          } catch (IOException e) {
            lines = List.of();
          }
          if (lines.isEmpty()) {
            return;
          }
          out.append("<h2>").append(escaped(file)).append("</h2>\n<pre>");
          for (int i = 1; i <= lines.size(); i++) {
            out.append("<span id=\"f")
                .append(number)
                .append('-')
                .append(i)
                .append("\"><a href=\"#f");
            out.append(number).append('-').append(i).append("\">").append("%4d".formatted(i));
            out.append("</a>  ").append(escaped(lines.get(i - 1))).append("</span>\n");
          }
          out.append("</pre>\n");
        });
  }

  static String escaped(String s) {
    return s.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
