package futharkc.core.language.index;

import futharkc.core.ir.Loc;

/** Comparisons of positions and ranges. */
final class Positions {
  private Positions() {}

  /** Tests whether a position is in a range or at its end. */
  static boolean covers(Loc loc, int line, int column) {
    return !isBefore(line, column, loc.line(), loc.column())
        && !isBefore(loc.endLine(), loc.endColumn(), line, column);
  }

  /** Tests whether a range is part of another range. */
  static boolean isWithin(Loc inner, Loc outer) {
    return !isBefore(inner.line(), inner.column(), outer.line(), outer.column())
        && !isBefore(outer.endLine(), outer.endColumn(), inner.endLine(), inner.endColumn());
  }

  static boolean isBefore(int line, int column, int otherLine, int otherColumn) {
    return line < otherLine || line == otherLine && column < otherColumn;
  }
}
