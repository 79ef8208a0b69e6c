package futharkc.tools.repl;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The definitions of a session as the text of one program: the loaded file, and after it the
 * inputs. Each input with names of its own is in a module that the next line opens, so that a later
 * input may redefine a name. Positions in an input are relative to the input.
 */
final class SessionText {
  private final String path;
  private final StringBuilder text = new StringBuilder();
  private final TreeMap<Integer, Input> inputs = new TreeMap<>();
  private int lines = 1;

  /** An input and the label that stands for its file in messages. */
  private record Input(String label, String text, int lines) {}

  /**
   * Creates a text.
   *
   * @param path the path of the program in messages of the compiler
   * @param file the text of the loaded file
   */
  SessionText(String path, String file) {
    this.path = path;
    add(file);
  }

  private void add(String line) {
    text.append(line).append('\n');
    lines += 1 + (int) line.chars().filter(c -> c == '\n').count();
  }

  private void addInput(String label, String input) {
    int first = lines;
    add(input);
    inputs.put(first, new Input(label, input, lines - first));
  }

  /** Adds a declaration that defines names. */
  void define(String label, String declaration) {
    String module = "repl_" + inputs.size();
    add("module " + module + " = {");
    addInput(label, declaration);
    add("}");
    add("open " + module);
  }

  /** Adds a declaration as it is, such as an import. */
  void declare(String label, String declaration) {
    addInput(label, declaration);
  }

  /**
   * Adds a definition.
   *
   * @param keyword {@code def} or {@code module}
   * @param name the name of the definition
   * @param body the body, which is the input
   */
  void bind(String label, String keyword, String name, String body) {
    add(keyword + " " + name + " =");
    addInput(label, body);
  }

  @Override
  public String toString() {
    return text.toString();
  }

  /** Returns the texts of the inputs, by label. */
  Map<String, String> texts() {
    Map<String, String> texts = new TreeMap<>();
    inputs.values().forEach(input -> texts.put(input.label, input.text));
    return texts;
  }

  /** Returns a diagnostic with positions in the inputs. */
  Diagnostic relocated(Diagnostic d) {
    List<Diagnostic.Label> labels = new ArrayList<>();
    d.labels().forEach(l -> labels.add(new Diagnostic.Label(relocated(l.loc()), l.text())));
    return new Diagnostic(
        d.severity(),
        d.code(),
        relocated(d.loc()),
        relocated(d.message()),
        labels,
        d.notes().stream().map(this::relocated).toList(),
        d.hint(),
        d.anchor());
  }

  /** Returns a position in the inputs. */
  Loc relocated(Loc loc) {
    var first = loc.file().equals(path) ? inputs.floorEntry(loc.line()) : null;
    if (first == null || loc.line() >= first.getKey() + first.getValue().lines) {
      return loc;
    }
    int before = first.getKey() - 1;
    return new Loc(
        first.getValue().label,
        loc.line() - before,
        loc.column(),
        loc.endLine() - before,
        loc.endColumn());
  }

  /** Tests whether a position is in an input with a label. */
  boolean isIn(Loc loc, String label) {
    return relocated(loc).file().equals(label);
  }

  /** Returns a text whose positions of the form {@code file:1:2-3} are positions in inputs. */
  String relocated(String message) {
    Pattern position = Pattern.compile(Pattern.quote(path) + ":(\\d+):(\\d+)-(?:(\\d+):)?(\\d+)");
    Matcher m = position.matcher(message);
    StringBuilder result = new StringBuilder();
    while (m.find()) {
      int line = Integer.parseInt(m.group(1));
      int endLine = m.group(3) == null ? line : Integer.parseInt(m.group(3));
      Loc loc =
          new Loc(path, line, Integer.parseInt(m.group(2)), endLine, Integer.parseInt(m.group(4)));
      m.appendReplacement(result, Matcher.quoteReplacement(relocated(loc).toString()));
    }
    return m.appendTail(result).toString();
  }
}
