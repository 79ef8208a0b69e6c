package futharkc.core.language.parser;

import static futharkc.core.language.grammar.FutharkLexer.*;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.grammar.FutharkLexer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;

/**
 * The scanner of a file. It runs the generated lexer and resolves tokens that depend on their
 * neighbours.
 */
final class TokenScanner {
  /**
   * The least number of elements of a {@link ConstantArray}. The grammar parses shorter literals.
   * No index is this long.
   */
  private static final int MIN_CONSTANTS = 16;

  private final List<Token> tokens = new ArrayList<>();
  private final String path;
  private final Diagnostics sink;

  private TokenScanner(String path, Diagnostics sink) {
    this.path = path;
    this.sink = sink;
  }

  /**
   * Returns the file's tokens, ending with the end-of-file token. Characters that start no token
   * are reported and dropped.
   */
  static List<Token> scan(CharStream text, String path, Diagnostics sink) {
    List<Token> result = foldConstantArrays(tokens(text, path, sink));
    for (int i = 0; i < result.size(); i++) {
      ((CommonToken) result.get(i)).setTokenIndex(i);
    }
    return result;
  }

  /** Returns the file's tokens without {@linkplain ConstantArray folded} constants. */
  static List<Token> tokens(CharStream text, String path, Diagnostics sink) {
    var scanner = new TokenScanner(path, sink);
    var lexer = new FutharkLexer(text);
    lexer.removeErrorListeners();
    Token token;
    do {
      token = lexer.nextToken();
      scanner.add((CommonToken) token);
    } while (token.getType() != Token.EOF);
    return scanner.tokens;
  }

  private void add(CommonToken token) {
    switch (token.getType()) {
      case UNKNOWN -> {
        String what = "Unexpected character " + shown(token.getText()) + ".";
        Diagnostic d = Diagnostic.error("E0102", Sources.loc(path, token), what);
        String hint =
            switch (token.getText()) {
              case ";" -> "Futhark has no ';'. Delete it.";
              case "#" -> "A comment begins with '--'.";
              case "$" -> "Use \"f <| e\" to apply f to the expression to the right.";
              default -> null;
            };
        sink.report(hint == null ? d : d.hint(hint));
      }
      case UNCLOSED_STRING ->
          sink.report(
              Diagnostic.error("E0103", Sources.loc(path, token), "Unclosed string literal.")
                  .hint("A string must end on its first line. Write \\n for a line break."));
      case LBRACKET -> {
        if (indexes(token)) {
          token.setType(INDEXING);
        }
        tokens.add(token);
      }
      case FLOAT -> {
        if (isAfter(DOT, token)) {
          addComponents(token);
        } else {
          tokens.add(token);
        }
      }
      default -> tokens.add(token);
    }
  }

  /** Returns a character in quotation marks, or its code if it is invisible. */
  private static String shown(String character) {
    int c = character.codePointAt(0);
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SPACE_SEPARATOR -> "U+%04X".formatted(c);
      default -> "'" + character + "'";
    };
  }

  /** Tests whether a bracket directly follows an expression that can be indexed. */
  private boolean indexes(Token bracket) {
    if (tokens.isEmpty()) {
      return false;
    }
    Token last = tokens.getLast();
    if (last.getStopIndex() != bracket.getStartIndex() - 1) {
      return false;
    }
    return switch (last.getType()) {
      case ID, NAT, INT, FLOAT, CHAR, CONSTRUCTOR, UNDERSCORE, RPAR, RBRACKET, TRUE, FALSE -> true;
      default -> false;
    };
  }

  private boolean isAfter(int type, Token token) {
    return !tokens.isEmpty()
        && tokens.getLast().getType() == type
        && tokens.getLast().getStopIndex() == token.getStartIndex() - 1;
  }

  /** Splits a float token into two projections: the {@code 0.1} in {@code t.0.1}. */
  private void addComponents(CommonToken number) {
    String text = number.getText();
    int dot = text.indexOf('.');
    if (dot < 0 || !text.replace("_", "").matches("[0-9]+\\.[0-9]+")) {
      tokens.add(number);
      return;
    }
    tokens.add(part(number, NAT, 0, dot));
    tokens.add(part(number, DOT, dot, dot + 1));
    tokens.add(part(number, NAT, dot + 1, text.length()));
  }

  private static CommonToken part(CommonToken token, int type, int from, int to) {
    var part = new CommonToken(token);
    part.setType(type);
    part.setStartIndex(token.getStartIndex() + from);
    part.setStopIndex(token.getStartIndex() + to - 1);
    part.setCharPositionInLine(token.getCharPositionInLine() + from);
    return part;
  }

  private static List<Token> foldConstantArrays(List<Token> tokens) {
    int[] ends = endsOfConstants(tokens);
    List<Token> result = null;
    for (int i = 0; i < tokens.size(); i++) {
      if (ends[i] > 0) {
        if (result == null) {
          result = new ArrayList<>(tokens.subList(0, i));
        }
        result.add(new ConstantArray(List.copyOf(tokens.subList(i, ends[i]))));
        i = ends[i] - 1;
      } else if (result != null) {
        result.add(tokens.get(i));
      }
    }
    return result == null ? tokens : result;
  }

  /**
   * Returns for each token the index after the long array of constants that starts with the token,
   * or 0 if none starts there. One traversal finds all arrays: a token that no constant array may
   * contain ends all arrays that are open.
   */
  private static int[] endsOfConstants(List<Token> tokens) {
    int[] ends = new int[tokens.size()];
    int[] constantsBefore = new int[tokens.size()];
    int[] open = new int[64];
    int depth = 0;
    int constants = 0;
    boolean elementNext = true;
    for (int i = 0; i < tokens.size(); i++) {
      int type = tokens.get(i).getType();
      if (depth > 0 && !continuesConstants(tokens, i, elementNext)) {
        depth = 0;
      }
      switch (type) {
        case LBRACKET -> {
          if (depth == open.length) {
            open = Arrays.copyOf(open, 2 * depth);
          }
          constantsBefore[i] = constants;
          open[depth++] = i;
          elementNext = true;
        }
        case RBRACKET -> {
          elementNext = false;
          if (depth > 0) {
            int start = open[--depth];
            if (constants - constantsBefore[start] >= MIN_CONSTANTS) {
              ends[start] = i + 1;
            }
          }
        }
        case NAT, INT, FLOAT, CHAR, TRUE, FALSE -> {
          constants++;
          elementNext = false;
        }
        default -> elementNext = true;
      }
    }
    return ends;
  }

  /**
   * Tests whether an open array of constants may continue with a token.
   *
   * @param elementNext whether the array's previous token requires an element
   */
  private static boolean continuesConstants(List<Token> tokens, int i, boolean elementNext) {
    return switch (tokens.get(i).getType()) {
      case LBRACKET, NAT, INT, FLOAT, CHAR, TRUE, FALSE -> elementNext;
      case MINUS -> elementNext && isNumber(tokens.get(i + 1).getType());
      case COMMA -> !elementNext;
      case RBRACKET -> !elementNext || tokens.get(i - 1).getType() == COMMA;
      default -> false;
    };
  }

  private static boolean isNumber(int type) {
    return type == NAT || type == INT || type == FLOAT;
  }
}
