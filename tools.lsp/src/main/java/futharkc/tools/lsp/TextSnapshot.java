package futharkc.tools.lsp;

import futharkc.core.ir.Loc;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;

/** The text of a file at one moment, with conversions of positions. Offsets count UTF-16 units. */
final class TextSnapshot {
  private final String text;
  private final List<Integer> lineStarts = new ArrayList<>();

  TextSnapshot(String text) {
    this.text = text;
    lineStarts.add(0);
    for (int i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) {
      lineStarts.add(i + 1);
    }
  }

  String text() {
    return text;
  }

  int lines() {
    return lineStarts.size();
  }

  /** Returns a line without its line break; empty for a line after the end. */
  String line(int line) {
    return text.substring(offset(line, 0), endOfLine(line)).replace("\r", "");
  }

  private int endOfLine(int line) {
    return line + 1 < lineStarts.size() ? lineStarts.get(line + 1) - 1 : text.length();
  }

  private int offset(int line, int character) {
    if (line < 0) {
      return 0;
    }
    if (line >= lineStarts.size()) {
      return text.length();
    }
    int start = lineStarts.get(line);
    return Math.min(Math.max(start, start + Math.max(0, character)), endOfLine(line));
  }

  /** Returns the offset of a position of the protocol, which may be behind the end of its line. */
  int offset(Position position) {
    return offset(position.getLine(), position.getCharacter());
  }

  /** Returns the position of an offset in the protocol. */
  Position position(int offset) {
    int line = lineOf(offset);
    return new Position(line, offset - lineStarts.get(line));
  }

  private int lineOf(int offset) {
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
    return low;
  }

  Range range(int start, int end) {
    return new Range(position(start), position(end));
  }

  /** Returns the offset of a position of the compiler. */
  int offsetOf(int line, int column) {
    int start = offset(line - 1, 0);
    int codePoints = text.codePointCount(start, endOfLine(Math.min(line, lines()) - 1));
    return text.offsetByCodePoints(start, Math.min(Math.max(0, column - 1), codePoints));
  }

  int start(Loc loc) {
    return offsetOf(loc.line(), loc.column());
  }

  int end(Loc loc) {
    return offsetOf(loc.endLine(), loc.endColumn());
  }

  /** Returns the line of an offset, counted from 1. */
  int compilerLine(int offset) {
    return lineOf(offset) + 1;
  }

  /** Returns the column of an offset in code points, counted from 1. */
  int compilerColumn(int offset) {
    return text.codePointCount(lineStarts.get(lineOf(offset)), offset) + 1;
  }

  /** Returns the text after a change of a range. */
  TextSnapshot replace(Range range, String by) {
    int start = offset(range.getStart());
    int end = Math.max(start, offset(range.getEnd()));
    return new TextSnapshot(text.substring(0, start) + by + text.substring(end));
  }
}
