package futharkc.harness.testing;

import futharkc.core.runtime.data.ValueReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A parser of FutharkScript. */
public final class ScriptParser {
  private static final int MAX_DEPTH = 500;

  private final String text;
  private int at;
  private int depth;

  private ScriptParser(String text) {
    this.text = text;
  }

  /**
   * Parses an expression.
   *
   * @throws ScriptException if the text is malformed
   */
  public static ScriptExp parse(String text) throws ScriptException {
    ScriptParser parser = new ScriptParser(text);
    parser.skipSpace();
    ScriptExp exp = parser.expression();
    if (parser.at < text.length()) {
      throw parser.error("the end");
    }
    return exp;
  }

  private ScriptException error(String expected) {
    int end = at;
    while (end < text.length() && end < at + 20 && !Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    String got = at == text.length() ? "the end" : "'" + text.substring(at, end) + "'";
    return new ScriptException("expected " + expected + ", got " + got);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private boolean take(char c) {
    if (peek() != c) {
      return false;
    }
    at++;
    skipSpace();
    return true;
  }

  private void expect(char c) throws ScriptException {
    if (!take(c)) {
      throw error("'" + c + "'");
    }
  }

  private static boolean startsName(char c) {
    return Character.isLetter(c);
  }

  private static boolean continuesName(char c) {
    return Character.isLetterOrDigit(c) || c == '\'' || c == '_';
  }

  /** Returns the next name without reading it, or an empty string if no name is next. */
  private String peekName() {
    int end = at;
    if (!startsName(peek())) {
      return "";
    }
    while (end < text.length() && continuesName(text.charAt(end))) {
      end++;
    }
    return text.substring(at, end);
  }

  private boolean takeWord(String word) {
    if (!peekName().equals(word)) {
      return false;
    }
    at += word.length();
    skipSpace();
    return true;
  }

  private String name() throws ScriptException {
    String name = peekName();
    if (name.isEmpty() || name.equals("let") || name.equals("in")) {
      throw error("a name");
    }
    at += name.length();
    skipSpace();
    return name;
  }

  private ScriptExp expression() throws ScriptException {
    if (++depth > MAX_DEPTH) {
      throw new ScriptException("the expression is nested too deeply");
    }
    ScriptExp exp = takeWord("let") ? let() : application();
    depth--;
    return exp;
  }

  private ScriptExp let() throws ScriptException {
    List<String> names = new ArrayList<>();
    if (take('(')) {
      while (!take(')')) {
        names.add(name());
        if (peek() != ')') {
          expect(',');
        }
      }
    } else {
      names.add(name());
    }
    expect('=');
    ScriptExp value = expression();
    if (!takeWord("in") && !peekName().equals("let")) {
      throw error("'in'");
    }
    return new ScriptExp.Let(names, value, expression());
  }

  private ScriptExp application() throws ScriptException {
    int start = at;
    ScriptExp first = atom();
    // Only a bare name takes arguments.
    if (!(first instanceof ScriptExp.Call call)
        || !call.args().isEmpty()
        || text.charAt(start) == '(') {
      return first;
    }
    List<ScriptExp> args = new ArrayList<>();
    while (startsAtom()) {
      args.add(atom());
    }
    return args.isEmpty() ? first : new ScriptExp.Call(call.name(), args);
  }

  private boolean startsAtom() {
    char c = peek();
    if (startsName(c)) {
      String name = peekName();
      return !name.equals("let") && !name.equals("in");
    }
    return "([{\"$-".indexOf(c) >= 0 && c != '\0' || Character.isDigit(c);
  }

  private ScriptExp atom() throws ScriptException {
    ScriptExp exp = atomAlone();
    while (take('.')) {
      String field = peekName();
      if (field.isEmpty()) {
        int end = at;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
          end++;
        }
        field = text.substring(at, end);
      }
      if (field.isEmpty()) {
        throw error("a field");
      }
      at += field.length();
      skipSpace();
      exp = new ScriptExp.Project(exp, field);
    }
    return exp;
  }

  private ScriptExp atomAlone() throws ScriptException {
    char c = peek();
    if (c == '(') {
      at++;
      skipSpace();
      List<ScriptExp> components = list(')');
      return components.size() == 1 ? components.get(0) : new ScriptExp.Tuple(components);
    } else if (c == '{') {
      at++;
      skipSpace();
      return record();
    } else if (c == '"') {
      return string();
    } else if (c == '[') {
      return constant(closingBracket());
    } else if (c == '-' || Character.isDigit(c)) {
      return constant(endOfNumber());
    } else if (c == '$') {
      at++;
      return new ScriptExp.Call("$" + name(), List.of());
    }
    String name = peekName();
    if (name.equals("true") || name.equals("false")) {
      return constant(at + name.length());
    } else if (text.startsWith(name + ".nan", at) || text.startsWith(name + ".inf", at)) {
      if (name.equals("f16") || name.equals("f32") || name.equals("f64")) {
        return constant(at + name.length() + 4);
      }
    } else if (name.equals("empty") && text.startsWith("empty(", at)) {
      int end = text.indexOf(')', at);
      return constant(end < 0 ? text.length() : end + 1);
    }
    boolean indexed = text.startsWith("[", at + name.length());
    ScriptExp variable = new ScriptExp.Call(name(), List.of());
    if (indexed && take('[')) {
      return new ScriptExp.Index(variable, list(']'));
    }
    return variable;
  }

  private List<ScriptExp> list(char end) throws ScriptException {
    List<ScriptExp> exps = new ArrayList<>();
    while (!take(end)) {
      exps.add(expression());
      if (peek() != end) {
        expect(',');
      }
    }
    return exps;
  }

  private ScriptExp record() throws ScriptException {
    Map<String, ScriptExp> fields = new LinkedHashMap<>();
    while (!take('}')) {
      String field = name();
      expect('=');
      if (fields.put(field, expression()) != null) {
        throw new ScriptException("field " + field + " occurs twice");
      }
      if (peek() != '}') {
        expect(',');
      }
    }
    return new ScriptExp.Record(fields);
  }

  private ScriptExp string() throws ScriptException {
    StringBuilder string = new StringBuilder();
    for (int i = at + 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        at = i + 1;
        skipSpace();
        return new ScriptExp.Text(string.toString());
      }
      if (c == '\\' && i + 1 < text.length()) {
        c = text.charAt(++i);
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      string.append(c);
    }
    throw new ScriptException("unterminated string");
  }

  private int closingBracket() {
    int nesting = 0;
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      nesting += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (nesting == 0) {
        return i + 1;
      }
    }
    return text.length();
  }

  private int endOfNumber() {
    int end = at + 1;
    while (end < text.length()
        && (Character.isLetterOrDigit(text.charAt(end))
            || "._".indexOf(text.charAt(end)) >= 0
            || "+-".indexOf(text.charAt(end)) >= 0
                && (text.charAt(end - 1) == 'e' || text.charAt(end - 1) == 'E'))) {
      end++;
    }
    return end;
  }

  private ScriptExp constant(int end) throws ScriptException {
    ValueReader reader = ValueReader.ofText(text.substring(at, end));
    try {
      ScriptExp.Constant constant = new ScriptExp.Constant(reader.readAny());
      if (!reader.atEnd()) {
        throw error("a constant");
      }
      at = end;
      skipSpace();
      return constant;
    } catch (IOException e) {
      throw new ScriptException(
          "in the constant " + text.substring(at, end) + ", " + e.getMessage());
    }
  }
}
