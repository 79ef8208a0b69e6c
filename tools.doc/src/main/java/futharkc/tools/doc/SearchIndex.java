package futharkc.tools.doc;

import java.util.List;

/** The data of the search field: a script, so that pages on disk can load it without a server. */
final class SearchIndex {
  private SearchIndex() {}

  /** Returns a script that defines the documented names with kind, file, address and comment. */
  static String script(Entries entries) {
    StringBuilder out = new StringBuilder("const searchIndex = [\n");
    for (Entry e : entries.all()) {
      String doc = e.symbol().doc();
      List<String> fields =
          List.of(
              e.name(),
              e.kind(),
              e.file().title(),
              e.address(),
              doc == null ? "" : CommentText.firstSentence(doc),
              e.symbol().signature());
      out.append('[');
      fields.forEach(f -> out.append(quoted(f)).append(','));
      out.append("],\n");
    }
    return out.append("];\n").toString();
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean plain = c >= ' ' && c != '"' && c != '\\' && c != '<' && c < '\u2028';
      out.append(plain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    return out.append('"').toString();
  }
}
