package futharkc.tools.literate;

import futharkc.harness.testing.ScriptException;
import futharkc.harness.testing.ScriptExp;
import futharkc.harness.testing.ScriptParser;
import futharkc.tools.literate.Directive.Form;
import futharkc.tools.literate.Directive.Prompt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A parser of literate programs. Comments at the beginning of a line are prose, or a directive if
 * they begin with {@code -- >} after a line that is no comment; everything else is code.
 */
final class LiterateParser {
  private static final String DIRECTIVE = "-- >";
  private static final String TEST_BLOCK = "-- ==";

  private static final Map<Form, Set<String>> KEYS =
      Map.of(
          Form.TEXT, Set.of(),
          Form.IMAGE, Set.of("file"),
          Form.PLOT, Set.of("size"),
          Form.GNUPLOT, Set.of(),
          Form.VIDEO, Set.of("fps", "loop", "repeat", "autoplay", "format", "file"),
          Form.AUDIO, Set.of("sampling_frequency", "codec"));

  private final String file;
  private final List<String> lines;
  private int at;

  private LiterateParser(String file, String text) {
    this.file = file;
    this.lines = text.lines().toList();
  }

  /**
   * Parses a program.
   *
   * @param file the name of the program in messages
   * @throws LiterateException if a directive is malformed
   */
  static List<LiterateBlock> parse(String file, String text) throws LiterateException {
    return new LiterateParser(file, text).blocks();
  }

  private List<LiterateBlock> blocks() throws LiterateException {
    List<LiterateBlock> blocks = new ArrayList<>();
    while (at < lines.size()) {
      String line = lines.get(at);
      if (line.startsWith(DIRECTIVE)) {
        blocks.add(directive());
      } else if (line.equals(TEST_BLOCK)) {
        blocks.add(new LiterateBlock.Code(joined(comment())));
      } else if (line.startsWith("--")) {
        blocks.add(
            new LiterateBlock.Prose(
                joined(comment().stream().map(LiterateParser::withoutMark).toList())));
      } else {
        blocks.add(code());
      }
    }
    return blocks;
  }

  private List<String> comment() {
    int start = at;
    while (at < lines.size() && lines.get(at).startsWith("--")) {
      at++;
    }
    return lines.subList(start, at);
  }

  private static String withoutMark(String line) {
    return line.startsWith("-- ") ? line.substring(3) : line.substring(2);
  }

  private static String joined(List<String> lines) {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** Returns the code up to the next comment, without blank lines at its beginning and end. */
  private LiterateBlock code() {
    int start = at;
    while (at < lines.size() && !lines.get(at).startsWith("--")) {
      at++;
    }
    int end = at;
    while (start < end && lines.get(start).isEmpty()) {
      start++;
    }
    while (start < end && lines.get(end - 1).isEmpty()) {
      end--;
    }
    return new LiterateBlock.Code(joined(lines.subList(start, end)));
  }

  private LiterateBlock directive() throws LiterateException {
    int first = at + 1;
    String text = joined(comment().stream().map(LiterateParser::withoutMark).toList());
    try {
      return new LiterateBlock.Evaluation(directive(text.substring(1)), text);
    } catch (ScriptException e) {
      throw new LiterateException(file + ":" + first + ": " + e.getMessage());
    }
  }

  /** Parses a directive, which may have several lines. */
  private static Directive directive(String text) throws ScriptException {
    Prompt prompt = Prompt.FULL;
    String rest = text.strip();
    while (true) {
      if (startsWithWord(rest, ":covert")) {
        prompt = Prompt.COVERT;
        rest = rest.substring(":covert".length()).strip();
      } else if (startsWithWord(rest, ":brief")) {
        prompt = prompt == Prompt.COVERT ? prompt : Prompt.BRIEF;
        rest = rest.substring(":brief".length()).strip();
      } else {
        break;
      }
    }
    Form form = form(rest);
    if (form != Form.TEXT) {
      rest = rest.substring(1 + form.word().length()).strip();
    }
    int end = endOfExpression(rest);
    ScriptExp expression = ScriptParser.parse(rest.substring(0, end));
    String after = end == rest.length() ? "" : rest.substring(end + 1);
    if (!after.isEmpty() && !after.lines().findFirst().orElse("").isBlank()) {
      throw new ScriptException("parameters begin on a new line after ';'");
    }
    List<String> lines = after.lines().skip(1).toList();
    if (form == Form.GNUPLOT) {
      return new Directive(form, prompt, expression, Map.of(), joined(lines));
    }
    return new Directive(form, prompt, expression, parameters(form, lines), "");
  }

  private static boolean startsWithWord(String text, String word) {
    return text.startsWith(word)
        && (text.length() == word.length() || !Character.isLetter(text.charAt(word.length())));
  }

  private static Form form(String text) throws ScriptException {
    if (!text.startsWith(":")) {
      return Form.TEXT;
    }
    String word = text.substring(1).split("[^a-z0-9]", 2)[0];
    for (Form form : Form.values()) {
      if (form != Form.TEXT && form.word().equals(word)) {
        return form;
      }
    }
    throw new ScriptException(
        "unknown directive ':"
            + word
            + "'; the directives are :img, :plot2d, :gnuplot, :video, :audio, :brief and :covert");
  }

  /** Returns the index of the semicolon after the expression, or the length of the text. */
  private static int endOfExpression(String text) {
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      }
    }
    return text.length();
  }

  private static Map<String, String> parameters(Form form, List<String> lines)
      throws ScriptException {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      String key = colon < 0 ? line.strip() : line.substring(0, colon).strip();
      if (colon < 0 || !KEYS.getOrDefault(form, Set.of()).contains(key)) {
        throw new ScriptException("unknown parameter '" + key + "'");
      }
      parameters.put(key, line.substring(colon + 1).strip());
    }
    String name = parameters.getOrDefault("file", "");
    if (name.contains("/") || name.contains("\\") || name.contains(" ")) {
      throw new ScriptException("a file name must not have a folder or a space: " + name);
    }
    return parameters;
  }
}
