package futharkc.core.language.format;

import java.util.List;
import java.util.function.Consumer;

/** The layout of lists in brackets: tuples, records and arrays. */
final class Brackets {
  private Brackets() {}

  /**
   * Writes a list on one line, or with one line for each element and the commas in front.
   *
   * @param span the range of the list with its brackets
   * @param end the range of the closing bracket
   */
  static <T> void list(
      Output out,
      String open,
      List<T> elements,
      Consumer<T> element,
      String close,
      Span span,
      Span end) {
    out.node(
        span,
        () -> {
          if (out.breaks(span)) {
            out.align(() -> lines(out, open, elements, element, close, end));
            return;
          }
          out.text(open);
          boolean first = true;
          for (T e : elements) {
            if (!first) {
              out.text(", ");
            }
            first = false;
            element.accept(e);
          }
          out.close(close, end);
        });
  }

  private static <T> void lines(
      Output out, String open, List<T> elements, Consumer<T> element, String close, Span end) {
    out.text(open);
    out.space();
    boolean first = true;
    for (T e : elements) {
      if (!first) {
        out.newLine();
        out.text(",");
        out.space();
      }
      first = false;
      element.accept(e);
    }
    out.newLine();
    out.close(close, end);
  }
}
