package futharkc.core.language.parser;

import static futharkc.core.language.grammar.FutharkLexer.*;

import futharkc.core.ir.Loc;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.PrimType;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** The parser of literal tokens. */
final class LiteralParser {
  /**
   * The limit on the digits of a literal. No integer or float type holds as many digits, and
   * parsing them takes quadratic time.
   */
  private static final int MAX_DIGITS = 2000;

  private static final Map<Character, Integer> ESCAPES =
      Map.of(
          'n', 10, 't', 9, 'r', 13, 'a', 7, 'b', 8, 'f', 12, 'v', 11, '\\', 92, '"', 34, '\'', 39);

  private static final Map<String, Integer> ROMAN_PAIRS =
      Map.of("CM", 900, "CD", 400, "XC", 90, "XL", 40, "IX", 9, "IV", 4);

  private static final Map<Character, Integer> ROMAN =
      Map.of('M', 1000, 'D', 500, 'C', 100, 'L', 50, 'X', 10, 'V', 5, 'I', 1);

  private final Sources sources;

  LiteralParser(Sources sources) {
    this.sources = sources;
  }

  /** Returns the literal of a token, or null for any other token. */
  @Nullable Exp of(Token token) {
    Loc loc = sources.loc(token);
    return switch (token.getType()) {
      case NAT, INT -> integer(token.getText(), loc);
      case FLOAT -> real(token.getText(), loc);
      case CHAR -> character(token.getText(), loc);
      case STRING -> new Exp.StringLit(string(token), loc);
      case TRUE -> new Exp.BoolLit(true, loc);
      case FALSE -> new Exp.BoolLit(false, loc);
      default -> null;
    };
  }

  /** Returns the nested array literals of a {@link ConstantArray}. */
  Exp array(ConstantArray array) {
    Deque<Token> starts = new ArrayDeque<>();
    Deque<List<Exp>> open = new ArrayDeque<>();
    Token minus = null;
    for (Token token : array.tokens()) {
      switch (token.getType()) {
        case LBRACKET -> {
          starts.push(token);
          open.push(new ArrayList<>());
        }
        case RBRACKET -> {
          Exp done = new Exp.ArrayLit(open.pop(), sources.loc(starts.pop(), token));
          if (open.isEmpty()) {
            return done;
          }
          open.element().add(done);
        }
        case MINUS -> minus = token;
        case COMMA -> {}
        default -> {
          Exp literal = of(token);
          if (literal == null) {
            throw new IllegalStateException("no constant: " + token.getText());
          }
          if (minus != null) {
            literal = new Exp.Negate(literal, sources.loc(minus, token));
          }
          open.element().add(literal);
          minus = null;
        }
      }
    }
    throw new IllegalStateException("constant array without end");
  }

  /** Returns the value of a string token. */
  String string(Token token) {
    String text = token.getText();
    return unescape(text, 1, text.length() - 1, sources.loc(token));
  }

  static Exp integer(String text, Loc loc) {
    int suffixAt = suffixStart(text);
    PrimType suffix = PrimType.named(text.substring(suffixAt));
    String digits = text.substring(0, suffixAt).replace("_", "");
    if (digits.length() > MAX_DIGITS) {
      throw new DiagnosticException("E0106", loc, "Integer literal out of bounds for every type.");
    }
    char kind = digits.length() > 1 ? Character.toLowerCase(digits.charAt(1)) : '0';
    BigInteger value =
        switch (kind) {
          case 'x' -> new BigInteger(digits.substring(2), 16);
          case 'b' -> new BigInteger(digits.substring(2), 2);
          case 'r' -> BigInteger.valueOf(roman(digits.substring(2)));
          default ->
              digits.length() <= 18
                  ? BigInteger.valueOf(Long.parseLong(digits))
                  : new BigInteger(digits);
        };
    if ((kind == 'x' || kind == 'b')
        && suffix != null
        && suffix.isSigned()
        && value.bitLength() == suffix.bits()) {
      // A literal with the bit pattern of a negative number: the most significant bit is the sign.
      value = value.subtract(BigInteger.ONE.shiftLeft(suffix.bits()));
    }
    return new Exp.IntLit(value, suffix, loc);
  }

  private static int suffixStart(String text) {
    int i = Math.max(text.lastIndexOf('i'), text.lastIndexOf('u'));
    return i < 0 ? text.length() : i;
  }

  private static long roman(String digits) {
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      Integer pair = i + 1 < digits.length() ? ROMAN_PAIRS.get(digits.substring(i, i + 2)) : null;
      if (pair != null) {
        value += pair;
        i++;
      } else {
        value += ROMAN.getOrDefault(digits.charAt(i), 0);
      }
    }
    return value;
  }

  private static Exp real(String text, Loc loc) {
    boolean hex = text.startsWith("0x") || text.startsWith("0X");
    int f = hex ? Math.max(text.lastIndexOf('f'), 0) : text.lastIndexOf('f');
    if (hex && f < Math.max(text.indexOf('p'), text.indexOf('P'))) {
      f = -1;
    }
    PrimType suffix = f < 0 ? null : PrimType.named(text.substring(f));
    String digits = (f < 0 ? text : text.substring(0, f)).replace("_", "");
    return new Exp.FloatLit(digits, suffix, loc);
  }

  private static Exp character(String text, Loc loc) {
    String value = unescape(text, 1, text.length() - 1, loc);
    if (value.isEmpty()) {
      throw invalidEscape('&', loc);
    }
    return new Exp.IntLit(BigInteger.valueOf(value.codePointAt(0)), null, loc);
  }

  private static String unescape(String text, int from, int to, Loc loc) {
    int backslash = text.indexOf('\\', from);
    if (backslash < 0 || backslash >= to) {
      return text.substring(from, to);
    }
    var out = new StringBuilder();
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char e = text.charAt(++i);
      if (e == '&') {
        continue; // The escape \& separates a numeric escape from following digits.
      }
      Integer simple = ESCAPES.get(e);
      if (simple != null) {
        out.append((char) simple.intValue());
        continue;
      }
      int radix = e == 'x' ? 16 : e == 'o' ? 8 : 10;
      int start = radix == 10 ? i : i + 1;
      int end = start;
      while (end < to && Character.digit(text.charAt(end), radix) >= 0) {
        end++;
      }
      if (end == start || end - start > 7) {
        throw invalidEscape(e, loc);
      }
      int code = Integer.parseInt(text, start, end, radix);
      if (!Character.isValidCodePoint(code)) {
        throw invalidEscape(e, loc);
      }
      out.appendCodePoint(code);
      i = end - 1;
    }
    return out.toString();
  }

  private static DiagnosticException invalidEscape(char c, Loc loc) {
    return new DiagnosticException("E0104", loc, "Invalid escape sequence '\\" + c + "'.");
  }
}
