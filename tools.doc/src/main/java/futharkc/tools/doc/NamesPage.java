package futharkc.tools.doc;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The page with all documented names in alphabetical order. */
final class NamesPage {
  private NamesPage() {}

  /** Returns the HTML of the page without its frame. */
  static String content(Entries entries) {
    List<Entry> all =
        entries.all().stream()
            .sorted(
                Comparator.comparing((Entry e) -> initial(e))
                    .thenComparing(e -> e.symbol().name(), String.CASE_INSENSITIVE_ORDER)
                    .thenComparing(e -> e.file().title())
                    .thenComparing(Entry::name))
            .toList();
    StringBuilder initials = new StringBuilder("<nav class=\"page\">");
    StringBuilder out = new StringBuilder();
    String last = null;
    for (Entry e : all) {
      String initial = initial(e);
      if (!initial.equals(last)) {
        initials.append(Html.link("#" + Html.encoded(initial), initial)).append(' ');
        out.append(last == null ? "" : "</table>\n");
        out.append("<h2 id=\"").append(Html.escaped(initial)).append("\">");
        out.append(Html.escaped(initial)).append("</h2>\n<table class=\"names\">\n");
        last = initial;
      }
      out.append("<tr><td><code>").append(Html.link(e.address(), e.name()));
      out.append("</code></td><td class=\"kind\">").append(e.kind()).append("</td><td>");
      out.append(Html.link(Html.encoded(e.file().page()), e.file().title())).append("</td></tr>\n");
    }
    out.append(last == null ? "" : "</table>\n");
    return initials.append("</nav>\n").append(out).toString();
  }

  /** Returns the first letter of a name in upper case. Operators have a common heading. */
  private static String initial(Entry e) {
    return e.symbol().isOperator()
        ? "Operators"
        : e.symbol().name().substring(0, 1).toUpperCase(Locale.ROOT);
  }
}
