package futharkc.core.language.index;

import futharkc.core.ir.Loc;
import java.util.ArrayList;
import java.util.List;

/** The text of a file, for finding the tokens of names. Offsets count code points. */
final class SourceText {
  private final String path;
  private final int[] text;
  private final List<Integer> lineStarts = new ArrayList<>();

  SourceText(String path, String text) {
    this.path = path;
    this.text = text.codePoints().toArray();
    lineStarts.add(0);
    for (int i = 0; i < this.text.length; i++) {
      if (this.text[i] == '\n') {
        lineStarts.add(i + 1);
      }
    }
  }

  /** Returns the offset of a position. */
  int offset(int line, int column) {
    if (line < 1 || line > lineStarts.size()) {
      return text.length;
    }
    return Math.min(text.length, lineStarts.get(line - 1) + column - 1);
  }

  private Loc loc(int start, int end) {
    int line = line(start);
    int endLine = line(end);
    return new Loc(
        path,
        line,
        start - lineStarts.get(line - 1) + 1,
        endLine,
        end - lineStarts.get(endLine - 1) + 1);
  }

  private int line(int offset) {
    int low = 0;
    int high = lineStarts.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (lineStarts.get(middle) <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low + 1;
  }

  /** Returns the first occurrence of a name in a range, or the range if there is none. */
  Loc find(Loc range, String name) {
    return findAll(range, List.of(name)).getFirst();
  }

  /** Returns the occurrences of names in a range, each after the occurrence of the name before. */
  List<Loc> findAll(Loc range, List<String> names) {
    if (names.size() == 1 && isExact(range, names.getFirst())) {
      return List.of(range);
    }
    int position = offset(range.line(), range.column());
    int end = offset(range.endLine(), range.endColumn());
    List<Loc> found = new ArrayList<>();
    for (String name : names) {
      int[] word = name.codePoints().toArray();
      int start = find(word, position, end);
      if (start < 0) {
        found.add(range);
      } else {
        position = start + word.length;
        found.add(loc(start, position));
      }
    }
    return found;
  }

  /** Tests whether a range is just long enough for a name. */
  private static boolean isExact(Loc range, String name) {
    return range.line() == range.endLine()
        && range.endColumn() - range.column() == name.codePointCount(0, name.length());
  }

  private int find(int[] word, int start, int end) {
    int position = start;
    while (position + word.length <= end) {
      if (isComment(position) && word[0] != '-') {
        position = endOfLine(position);
      } else if (matches(word, position)) {
        return position;
      } else {
        position++;
      }
    }
    return -1;
  }

  private boolean isComment(int position) {
    return position + 1 < text.length && text[position] == '-' && text[position + 1] == '-';
  }

  private int endOfLine(int position) {
    int end = position;
    while (end < text.length && text[end] != '\n') {
      end++;
    }
    return end;
  }

  private boolean matches(int[] word, int position) {
    for (int i = 0; i < word.length; i++) {
      if (text[position + i] != word[i]) {
        return false;
      }
    }
    if (!isConstituent(word[0])) {
      return true;
    }
    int after = position + word.length;
    return (!isConstituentBefore(position) || isQuote(position - 1))
        && (after >= text.length || !isConstituent(text[after]));
  }

  private boolean isConstituentBefore(int position) {
    return position > 0 && isConstituent(text[position - 1]);
  }

  /** Tests whether the character is the sign of a type parameter, not the end of a name. */
  private boolean isQuote(int position) {
    return text[position] == '\'' && !isConstituentBefore(position);
  }

  /** Returns the text between two positions, with every run of white space as one space. */
  String between(Loc start, Loc end) {
    int first = offset(start.line(), start.column());
    int last = offset(end.line(), end.column());
    var out = new StringBuilder();
    for (int i = first; i < last; i++) {
      if (!Character.isWhitespace(text[i])) {
        out.appendCodePoint(text[i]);
      } else if (!out.isEmpty() && out.charAt(out.length() - 1) != ' ') {
        out.append(' ');
      }
    }
    return out.toString().strip();
  }

  private static boolean isConstituent(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '\'';
  }
}
