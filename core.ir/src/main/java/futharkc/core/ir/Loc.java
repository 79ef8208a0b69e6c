package futharkc.core.ir;

/**
 * A range of source text. Lines and columns count from 1. The end column is the column after the
 * last character.
 *
 * @param file the path as the user wrote it, or a name in angle brackets for text without a file
 */
public record Loc(String file, int line, int column, int endLine, int endColumn) {
  /** The location of nodes without a source. */
  public static final Loc NONE = new Loc("<none>", 0, 0, 0, 0);

  /** Returns the smallest range that covers both ranges. {@link #NONE} covers nothing. */
  public Loc to(Loc end) {
    if (this.equals(NONE)) {
      return end;
    }
    if (end.equals(NONE)) {
      return this;
    }
    return new Loc(file, line, column, end.endLine, end.endColumn);
  }

  /**
   * Returns the text form: {@code file.fut:3:5-9} or, over several lines, {@code file.fut:3:5-4:2}.
   */
  @Override
  public String toString() {
    if (this.equals(NONE)) {
      return "unknown location";
    }
    String start = file + ":" + line + ":" + column;
    return line == endLine ? start + "-" + endColumn : start + "-" + endLine + ":" + endColumn;
  }
}
