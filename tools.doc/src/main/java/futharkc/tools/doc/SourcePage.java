package futharkc.tools.doc;

/** The page with the source text of one file. Names link to their definitions. */
final class SourcePage {
  private SourcePage() {}

  /** Returns the HTML of the page without its frame. */
  static String content(Library library, Entries entries, LibraryFile file) {
    CodeText code = new CodeText(library, entries, file);
    StringBuilder out = new StringBuilder("<nav class=\"page\">");
    out.append(
        Html.link(Html.root(file.sourcePage()) + Html.encoded(file.page()), "Documentation"));
    out.append("</nav>\n<pre class=\"source\">");
    for (int l = 1; l <= code.lineCount(); l++) {
      out.append("<span id=\"L").append(l).append("\"><a class=\"line\" href=\"#L").append(l);
      out.append("\">").append("%4d".formatted(l)).append("</a>  ").append(code.sourceLine(l));
      out.append("</span>\n");
    }
    return out.append("</pre>\n").toString();
  }
}
