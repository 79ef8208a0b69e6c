package futharkc.tools.doc;

import java.util.Comparator;
import java.util.List;

/** The first page of a site: the list of files. */
final class StartPage {
  private StartPage() {}

  /** Returns the HTML of the page without its frame. */
  static String content(Library library) {
    StringBuilder out = new StringBuilder();
    for (LibraryFile.Kind kind : LibraryFile.Kind.values()) {
      List<LibraryFile> files =
          library.files().stream()
              .filter(f -> f.kind() == kind)
              .sorted(Comparator.comparing(LibraryFile::title))
              .toList();
      if (!files.isEmpty()) {
        out.append("<h2>").append(heading(kind)).append("</h2>\n<dl class=\"files\">\n");
        for (LibraryFile f : files) {
          out.append("<dt>")
              .append(Html.link(Html.encoded(f.page()), f.title()))
              .append("</dt><dd>");
          library
              .index()
              .documentation(f.path())
              .ifPresent(d -> out.append(CommentText.summary(d)));
          out.append("</dd>\n");
        }
        out.append("</dl>\n");
      }
    }
    return out.toString();
  }

  private static String heading(LibraryFile.Kind kind) {
    return switch (kind) {
      case MAIN -> "Files";
      case IMPORTED -> "Imported files";
      case PRELUDE -> "Prelude";
    };
  }
}
