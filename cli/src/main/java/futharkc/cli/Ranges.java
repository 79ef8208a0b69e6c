package futharkc.cli;

import futharkc.core.ir.Loc;

/** The text form of source ranges in commands for editors. */
final class Ranges {
  private Ranges() {}

  /** Returns a range whose last column is that of the last character. */
  static String inclusive(Loc loc) {
    return new Loc(loc.file(), loc.line(), loc.column(), loc.endLine(), loc.endColumn() - 1)
        .toString();
  }
}
