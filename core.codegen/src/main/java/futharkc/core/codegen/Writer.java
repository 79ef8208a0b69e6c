package futharkc.core.codegen;

/** Lines of text, indented. */
public final class Writer {
  private final StringBuilder text = new StringBuilder();
  private int indent;

  /** No lines yet. */
  public Writer() {}

  /** Adds a line. */
  public Writer line(String s) {
    for (int i = 0; i < indent; i++) text.append("  ");
    text.append(s).append('\n');
    return this;
  }

  /** Adds a line; those after it are indented one step more. */
  public Writer open(String s) {
    line(s);
    indent++;
    return this;
  }

  /** Adds a line that is indented one step less, as are those after it. */
  public Writer close(String s) {
    indent--;
    return line(s);
  }

  /** The number of characters. */
  public int length() {
    return text.length();
  }

  /** Adds all lines of another one. */
  public void add(Writer other) {
    text.append(other.text);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
