package futharkc.core.language;

import futharkc.core.ir.Loc;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of diagnostics, for tools: an array of objects with the fields of {@link
 * Diagnostic}.
 */
public final class DiagnosticJson {
  private DiagnosticJson() {}

  /** Returns the diagnostics as JSON, one object per line. */
  public static String render(List<Diagnostic> diagnostics) {
    var out = new StringJoiner(",\n", "[", "]");
    for (Diagnostic d : diagnostics) {
      out.add(render(d));
    }
    return out.toString();
  }

  private static String render(Diagnostic d) {
    var labels = new StringJoiner(",", "[", "]");
    for (Diagnostic.Label l : d.labels()) {
      labels.add("{\"range\":" + range(l.loc()) + ",\"text\":" + string(l.text()) + "}");
    }
    var notes = new StringJoiner(",", "[", "]");
    for (String note : d.notes()) {
      notes.add(string(note));
    }
    String url = d.anchor() == null ? null : Diagnostic.ERROR_INDEX + "#" + d.anchor();
    return "{\"severity\":"
        + string(d.severity().name().toLowerCase(Locale.ROOT))
        + ",\"code\":"
        + string(d.code())
        + ",\"range\":"
        + range(d.loc())
        + ",\"message\":"
        + string(d.message())
        + ",\"labels\":"
        + labels
        + ",\"notes\":"
        + notes
        + ",\"hint\":"
        + string(d.hint())
        + ",\"page\":"
        + string(d.page())
        + ",\"url\":"
        + string(url)
        + "}";
  }

  private static String range(Loc loc) {
    if (loc.equals(Loc.NONE)) {
      return "null";
    }
    return String.format(
        Locale.ROOT,
        "{\"file\":%s,\"line\":%d,\"column\":%d,\"endLine\":%d,\"endColumn\":%d}",
        string(loc.file()),
        loc.line(),
        loc.column(),
        loc.endLine(),
        loc.endColumn());
  }

  private static String string(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    var out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        default -> {
          if (c < 0x20) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }
}
