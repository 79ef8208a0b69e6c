package futharkc.core.ir.text;

/** Text that is not a program. */
public final class ParseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  /** At a place, counted from 1, in the named text. */
  ParseException(String source, int line, int column, String message) {
    super(source + ":" + line + ":" + column + ": " + message);
    this.line = line;
    this.column = column;
  }

  /** The line, counted from 1. */
  public int line() {
    return line;
  }

  /** The column, counted from 1. */
  public int column() {
    return column;
  }
}
