package futharkc.core.ir;

/**
 * A range of source text. Lines and columns count from 1; the end column is the one after the last
 * character.
 *
 * @param file the path as the user wrote it, or a name in angle brackets where there is no file
 */
public record Loc(String file, int line, int column, int endLine, int endColumn) {
  /** The location of what has no source. */
  public static final Loc NONE = new Loc("<none>", 0, 0, 0, 0);

  /** The smallest range that covers both; {@link #NONE} covers nothing. */
  public Loc to(Loc end) {
    if (this.equals(NONE)) return end;
    if (end.equals(NONE)) return this;
    return new Loc(file, line, column, end.endLine, end.endColumn);
  }

  /** As in {@code file.fut:3:5-9} or, over several lines, {@code file.fut:3:5-4:2}. */
  @Override
  public String toString() {
    if (this.equals(NONE)) return "unknown location";
    String start = file + ":" + line + ":" + column;
    return line == endLine ? start + "-" + endColumn : start + "-" + endLine + ":" + endColumn;
  }
}
