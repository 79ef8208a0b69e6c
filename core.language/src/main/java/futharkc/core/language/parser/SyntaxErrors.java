package futharkc.core.language.parser;

import static futharkc.core.language.grammar.FutharkLexer.*;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.grammar.FutharkParser;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.jspecify.annotations.Nullable;

/**
 * The descriptions of syntax errors in terms of the language rather than of the generated parser.
 */
final class SyntaxErrors {
  private static final Set<String> LOOP_KEYWORDS = Set.of("for", "while", "do");
  private static final Set<Integer> DECLARATION =
      Set.of(DEF, ENTRY, TYPE, MODULE, OPEN, IMPORT, LOCAL, LET, HASH_LBRACKET, DOC);
  private static final Set<Integer> EXPRESSION =
      Set.of(
          ID,
          NAT,
          INT,
          FLOAT,
          CHAR,
          STRING,
          TRUE,
          FALSE,
          HOLE,
          CONSTRUCTOR,
          CONSTANT_ARRAY,
          LPAR,
          LBRACKET,
          LCURLY,
          IF,
          LET,
          LOOP,
          MATCH,
          ASSERT,
          BACKSLASH,
          HASH_LBRACKET,
          MINUS,
          BANG);
  private static final Set<Integer> PATTERN =
      Set.of(
          ID,
          NAT,
          INT,
          FLOAT,
          CHAR,
          TRUE,
          FALSE,
          CONSTRUCTOR,
          LPAR,
          LCURLY,
          UNDERSCORE,
          MINUS,
          HASH_LBRACKET);
  private static final Set<Integer> TYPE_START =
      Set.of(ID, LPAR, LCURLY, LBRACKET, INDEXING, STAR, QUESTION, CONSTRUCTOR);
  private static final Set<Integer> OPERATORS =
      Set.of(
          OPERATOR,
          QUALIFIED_OPERATOR,
          STAR,
          LT,
          HAT,
          PIPE,
          MINUS,
          BACKTICK,
          TWO_DOTS,
          THREE_DOTS,
          TWO_DOTS_LT,
          TWO_DOTS_GT,
          WITH);

  private final String path;
  private final List<Token> tokens;

  SyntaxErrors(String path, List<Token> tokens) {
    this.path = path;
    this.tokens = tokens;
  }

  /** Tests whether a token of a type can start a declaration. */
  static boolean startsDeclaration(int type) {
    return DECLARATION.contains(type);
  }

  /**
   * Describes an error.
   *
   * @param start the index of the first token of the declaration with the error
   */
  Diagnostic describe(FutharkParser parser, int start, RecognitionException e) {
    Token found = e.getOffendingToken();
    IntervalSet expected = expected(e);
    if (found == tokens.get(start) && start > 0 && OPERATORS.contains(found.getType())) {
      // The previous declaration is complete without its last operator, whose operand is missing.
      found = tokens.get(start + 1);
      expected = new IntervalSet();
      EXPRESSION.forEach(expected::add);
    }
    Open open = open(start, found);
    if (isClosing(found.getType()) && open.bracket != null) {
      int closing = closing(open.bracket.getType());
      if (found.getType() != closing) {
        expected = IntervalSet.of(closing);
      } else if (expected.contains(closing)) {
        // The found token is among the expected ones, so a list of expected tokens would mislead.
        expected = new IntervalSet();
      }
    }
    String message =
        found.getType() == EOF ? "Unexpected end of file" : "Unexpected token: " + name(found);
    if (found.getType() == DOC) {
      message = "Documentation comments ('-- |') are only permitted when preceding declarations";
    } else if (!expected.isNil()) {
      message += "; expected " + words(expected);
    } else {
      String context = context(e);
      if (context != null) {
        message += " in " + context;
      }
    }
    Loc loc = found.getType() == EOF ? afterLast() : Sources.loc(path, found);
    return explain(Diagnostic.error("E0101", loc, message + "."), open, found, expected);
  }

  /** Returns the error for a type without a constructor among the alternatives of a sum type. */
  static DiagnosticException noConstructor(Sources sources, ParserRuleContext type) {
    return new DiagnosticException(
        Diagnostic.error(
                "E0118",
                sources.loc(type),
                "Unexpected token: " + name(type.getStart()) + "; expected a constructor.")
            .hint("The alternatives of a sum type are constructors, which start with '#'."));
  }

  /** Returns the location directly after the last token. */
  private Loc afterLast() {
    Loc last = Sources.loc(path, tokens.get(Math.max(0, tokens.size() - 2)));
    return new Loc(path, last.endLine(), last.endColumn(), last.endLine(), last.endColumn());
  }

  private static IntervalSet expected(RecognitionException e) {
    if (e instanceof NoViableAltException n && n.getStartToken() != e.getOffendingToken()) {
      return new IntervalSet();
    }
    return e.getExpectedTokens();
  }

  private Diagnostic explain(Diagnostic d, Open open, Token found, IntervalSet expected) {
    int type = found.getType();
    if (expected.contains(IN) && open.let != null && !open.bracketIsInner()) {
      Diagnostic noBody =
          type == EOF
              ? d
              : Diagnostic.error(
                  "E0101", d.loc(), "Unexpected \"" + found.getText() + "\"; expected \"in\".");
      return noBody
          .label(loc(open.let), "this let has no body")
          .hint("End a sequence of lets with 'in' and an expression.");
    }
    if (type == THEN && tokens.stream().anyMatch(t -> t.getText().equals("elif"))) {
      return d.hint("'elif' is written 'else if'.");
    }
    if (expected.contains(ELSE)) {
      return d.hint("Every 'if' needs an 'else'.");
    }
    if (isKeyword(type) && expected.contains(ID) && !open.declarationExpectedAfter(type)) {
      boolean isExpression = previous(found) != DEF && previous(found) != LET;
      return d.hint(
          LOOP_KEYWORDS.contains(found.getText()) && isExpression
              ? "A loop is written 'loop x = .. for i < n do ..'."
              : "'" + found.getText() + "' is a keyword, so it cannot be used as a name.");
    }
    if (type == RPAR && previous(found) == BANG) {
      return d.hint("'!' is not a function. Write '\\x -> !x'.");
    }
    boolean closes = open.bracket != null && type == closing(open.bracket.getType());
    if (open.bracket != null && !closes && (type == EOF || isKeyword(type) || isClosing(type))) {
      return d.label(loc(open.bracket), "this bracket is not closed");
    }
    if (type == EQ && (expected.contains(OPERATOR) || expected.contains(THEN))) {
      return d.hint("Equality is written '=='.");
    }
    if (type == ARROW && isFunction(found)) {
      return d.hint("An anonymous function is written '\\x -> ..'.");
    }
    if (d.message().endsWith("expected a declaration.")) {
      String hint =
          switch (found.getText()) {
            case "fun", "func", "function", "fn", "const", "var", "val" ->
                "Functions and constants are defined with 'def'.";
            case "data", "struct", "enum", "class", "record", "typedef" ->
                "Types are defined with 'type'.";
            case "?" -> "A choice is written 'if .. then .. else ..'.";
            default -> null;
          };
      if (hint != null) {
        return d.hint(hint);
      }
    }
    if (type == OPERATOR) {
      String hint =
          switch (found.getText()) {
            case "=>" -> "Write '->'.";
            case "<-" -> "Write '='.";
            case "//", "/*" -> "Comments start with '--'.";
            default -> null;
          };
      if (hint != null) {
        return d.hint(hint);
      }
      if (expected.contains(EQ) && found.getText().startsWith("=")) {
        return d.hint(
            "Write a space after '=': an operator extends over all adjacent operator characters.");
      }
    }
    if (type == IN) {
      return d.hint("This 'in' has no matching 'let'.");
    }
    if (type == INDEXING) {
      return d.hint("Write a space before '[' unless this is an index.");
    }
    return d;
  }

  /** The innermost open bracket and {@code let} at the error. */
  private record Open(@Nullable Token bracket, @Nullable Token let) {
    boolean bracketIsInner() {
      return bracket != null && let != null && bracket.getStartIndex() > let.getStartIndex();
    }

    boolean declarationExpectedAfter(int type) {
      return DECLARATION.contains(type) && (bracket != null || let != null);
    }
  }

  private Open open(int start, Token found) {
    Deque<Token> brackets = new ArrayDeque<>();
    Deque<Token> lets = new ArrayDeque<>();
    for (int i = start; i < tokens.size() && tokens.get(i) != found; i++) {
      Token t = tokens.get(i);
      switch (t.getType()) {
        case LPAR, LBRACKET, INDEXING, LCURLY, HASH_LBRACKET -> brackets.push(t);
        case RPAR, RBRACKET, RCURLY -> brackets.poll();
        case LET -> {
          if (i > start) {
            lets.push(t);
          }
        }
        case IN -> lets.poll();
        default -> {}
      }
    }
    return new Open(brackets.peek(), lets.peek());
  }

  /**
   * Returns the type of the previous token, or the type of the end of the file if no token
   * precedes.
   */
  private int previous(Token token) {
    int i = tokens.indexOf(token);
    return i > 0 ? tokens.get(i - 1).getType() : EOF;
  }

  /** Tests whether an arrow follows a lambda as other languages write it. */
  private boolean isFunction(Token arrow) {
    int i = tokens.indexOf(arrow);
    while (i > 0 && tokens.get(i - 1).getType() == ID) {
      i--;
    }
    return i > 0 && tokens.get(i - 1).getType() == LPAR || i < tokens.indexOf(arrow) - 1;
  }

  private Loc loc(Token token) {
    return Sources.loc(path, token);
  }

  private static boolean isKeyword(int type) {
    return type >= TRUE && type <= CASE;
  }

  private static boolean isClosing(int type) {
    return type == RPAR || type == RBRACKET || type == RCURLY;
  }

  private static int closing(int bracket) {
    return switch (bracket) {
      case LPAR -> RPAR;
      case LCURLY -> RCURLY;
      default -> RBRACKET;
    };
  }

  private static String name(Token token) {
    if (token.getType() == EOF) {
      return "end of file";
    }
    String text = token.getText();
    return "'" + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + "'";
  }

  private static String words(IntervalSet expected) {
    var rest = new IntervalSet(expected);
    Set<String> named = new LinkedHashSet<>();
    take(rest, EXPRESSION, Set.of(STRING, LPAR), "an expression", named);
    take(rest, PATTERN, Set.of(UNDERSCORE, LPAR), "a pattern", named);
    take(rest, TYPE_START, Set.of(ID, LPAR, LCURLY), "a type", named);
    take(rest, OPERATORS, Set.of(OPERATOR, STAR), "an operator", named);
    take(rest, DECLARATION, Set.of(DEF, TYPE), "a declaration", named);
    for (int type : rest.toList()) {
      named.add(word(type));
    }
    List<String> words = List.copyOf(named);
    if (words.size() == 1) {
      return words.getFirst();
    }
    return String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
  }

  private static void take(
      IntervalSet rest, Set<Integer> all, Set<Integer> telling, String word, Set<String> words) {
    if (!telling.stream().allMatch(rest::contains)) {
      return;
    }
    words.add(word);
    for (int type : all) {
      rest.remove(type);
    }
  }

  private static String word(int type) {
    return switch (type) {
      case EOF -> "the end of the file";
      case ID -> "a name";
      case LBRACKET, INDEXING -> "'['";
      case CONSTANT_ARRAY -> "an array";
      case NAT -> "a number";
      case INT -> "an integer";
      case FLOAT -> "a decimal number";
      case STRING -> "a string";
      case CHAR -> "a character";
      case CONSTRUCTOR -> "a constructor";
      case DOC -> "a documentation comment";
      case OPERATOR -> "an operator";
      case QUALIFIED_OPERATOR -> "a qualified operator";
      default -> FutharkParser.VOCABULARY.getDisplayName(type);
    };
  }

  private static @Nullable String context(RecognitionException e) {
    if (e.getCtx() == null) {
      return null;
    }
    return switch (e.getCtx().getRuleIndex()) {
      case FutharkParser.RULE_pat, FutharkParser.RULE_param, FutharkParser.RULE_simplePat ->
          "a pattern";
      case FutharkParser.RULE_typeExp, FutharkParser.RULE_typeItem, FutharkParser.RULE_typeAtom ->
          "a type";
      case FutharkParser.RULE_letBinding -> "a let binding";
      case FutharkParser.RULE_array -> "an array";
      case FutharkParser.RULE_record -> "a record";
      case FutharkParser.RULE_dims, FutharkParser.RULE_dim -> "an index";
      case FutharkParser.RULE_paren -> "parentheses";
      case FutharkParser.RULE_loopForm -> "a loop";
      case FutharkParser.RULE_sequence, FutharkParser.RULE_exp -> "an expression";
      default -> null;
    };
  }
}
