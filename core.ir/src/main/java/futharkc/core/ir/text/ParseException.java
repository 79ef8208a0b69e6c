package futharkc.core.ir.text;

/** An error in the text of a program. */
public final class ParseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;

  /** Makes an error at a line and column, both counted from 1, of the named text. */
  ParseException(String source, int line, int column, String message) {
    super(source + ":" + line + ":" + column + ": " + message);
    this.line = line;
    this.column = column;
  }

  /** Returns the line, counted from 1. */
  public int line() {
    return line;
  }

  /** Returns the column, counted from 1. */
  public int column() {
    return column;
  }
}
