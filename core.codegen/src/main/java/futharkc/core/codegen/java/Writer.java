package futharkc.core.codegen.java;

/** Lines of text, indented. */
final class Writer {
  private final StringBuilder text = new StringBuilder();
  private int indent;

  Writer line(String s) {
    for (int i = 0; i < indent; i++) text.append("  ");
    text.append(s).append('\n');
    return this;
  }

  Writer open(String s) {
    line(s);
    indent++;
    return this;
  }

  Writer close(String s) {
    indent--;
    return line(s);
  }

  int length() {
    return text.length();
  }

  void add(Writer other) {
    text.append(other.text);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
