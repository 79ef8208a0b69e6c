package futharkc.core.codegen;

/** A buffer of indented lines of text. */
public final class Writer {
  private final StringBuilder text = new StringBuilder();
  private int indent;

  /** Creates an empty buffer. */
  public Writer() {}

  /** Adds a line. */
  public Writer line(String s) {
    for (int i = 0; i < indent; i++) {
      text.append("  ");
    }
    text.append(s).append('\n');
    return this;
  }

  /** Adds a line, and indents the lines after it by one more level. */
  public Writer open(String s) {
    line(s);
    indent++;
    return this;
  }

  /** Adds a line that is indented by one level less, as are the lines after it. */
  public Writer close(String s) {
    indent--;
    return line(s);
  }

  /** Returns the number of characters. */
  public int length() {
    return text.length();
  }

  /** Adds all lines of another buffer. */
  public void add(Writer other) {
    text.append(other.text);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
