package futharkc.core.ir.text;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Space;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A parser of the elements of the text form: tokens, names, operands and types. */
class Reader {
  private final String source;
  private final String text;
  private final List<Token> tokens;
  private int at;

  /** The greatest number of a name so far; -1 if there is none. */
  int maxTag = -1;

  Reader(String source, String text, int from) {
    this.source = source;
    this.text = text;
    this.tokens = Lexer.tokens(source, text, from);
  }

  final Token peek() {
    return tokens.get(at);
  }

  final Token peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  final Token next() {
    Token t = tokens.get(at);
    if (t.kind() != Token.Kind.END) {
      at++;
    }
    return t;
  }

  final boolean sees(String s) {
    return peek().is(s);
  }

  /** Skips the given word or punctuation mark if it is next, and returns whether it was. */
  final boolean skip(String s) {
    if (!sees(s)) {
      return false;
    }
    at++;
    return true;
  }

  final void expect(String s) {
    if (!skip(s)) {
      throw expected("'" + s + "'");
    }
  }

  final void expectEnd() {
    if (peek().kind() != Token.Kind.END) {
      throw expected("the end");
    }
  }

  final ParseException expected(String what) {
    return error(peek(), "expected " + what + ", found " + peek().described());
  }

  final ParseException error(Token t, String message) {
    return Lexer.error(source, text, t.start(), message);
  }

  /** Reads items between brackets, separated by commas. */
  final <T> List<T> list(String open, Supplier<T> item, String close) {
    expect(open);
    return rest(item, close);
  }

  /** Reads items up to the closing bracket, after the opening bracket. */
  final <T> List<T> rest(Supplier<T> item, String close) {
    List<T> items = new ArrayList<>();
    if (skip(close)) {
      return items;
    }
    do {
      items.add(item.get());
    } while (skip(","));
    if (!skip(close)) {
      throw expected("',' or '" + close + "'");
    }
    return items;
  }

  /** Reads the word of an operator, which is next, and its operands. */
  final <T> List<T> operands(OperatorWords.Operator op, Supplier<T> operand) {
    Token t = next();
    List<T> args = list("(", operand, ")");
    if (args.size() != op.arity()) {
      throw error(t, t.text() + " takes " + op.arity() + " operands, not " + args.size());
    }
    return args;
  }

  final String string() {
    if (peek().kind() != Token.Kind.STRING) {
      throw expected("a string");
    }
    return next().text();
  }

  /** Reads a word, which may look like a name or be a string literal. */
  final String word() {
    Token t = peek();
    return switch (t.kind()) {
      case IDENT, STRING -> next().text();
      case NAME -> {
        next();
        yield t.text() + "_" + t.tag();
      }
      case NUMBER, PUNCTUATION, END -> throw expected("a word or string");
    };
  }

  /** Reads an integer without a type. */
  final long number() {
    Token t = peek();
    if (t.kind() != Token.Kind.NUMBER) {
      throw expected("a number");
    }
    next();
    try {
      return Long.parseLong(t.text());
    } catch (NumberFormatException e) {
      throw error(t, "expected an integer without a type, found " + t.text());
    }
  }

  final int smallNumber() {
    Token t = peek();
    long n = number();
    if (n != (int) n) {
      throw error(t, n + " is too large");
    }
    return (int) n;
  }

  final Name name() {
    Token t = peek();
    if (t.kind() != Token.Kind.NAME) {
      throw expected("a name, such as x_12");
    }
    next();
    maxTag = Math.max(maxTag, t.tag());
    return new Name(t.text(), t.tag());
  }

  final List<Name> names() {
    return list("{", this::name, "}");
  }

  final List<SubExp> subExps() {
    return list("{", this::subExp, "}");
  }

  final List<SubExp> shape() {
    return list("[", this::subExp, "]");
  }

  final List<Integer> permutation() {
    return list("(", this::smallNumber, ")");
  }

  final SubExp subExp() {
    return peek().kind() == Token.Kind.NAME ? SubExp.of(name()) : SubExp.of(primValue());
  }

  /** Tests whether a constant is next. */
  final boolean seesPrimValue() {
    Token t = peek();
    return t.kind() == Token.Kind.NUMBER
        || t.is("true")
        || t.is("false")
        || t.is("-")
        || t.is("(")
        || primType(t) != null && peek(1).is(".");
  }

  final PrimValue primValue() {
    Token t = peek();
    if (skip("true")) {
      return PrimValue.TRUE;
    }
    if (skip("false")) {
      return PrimValue.FALSE;
    }
    if (skip("(")) {
      expect(")");
      return PrimValue.UNIT;
    }
    if (t.kind() == Token.Kind.NUMBER) {
      return numeral(next());
    }
    boolean negative = skip("-");
    PrimType type = primType(peek());
    if (type == null || !type.isFloat() || !peek(1).is(".")) {
      throw expected("a name or constant");
    }
    at += 2;
    if (skip("inf")) {
      double inf = Double.POSITIVE_INFINITY;
      return PrimValue.ofFloat(type, negative ? -inf : inf);
    }
    expect("nan");
    if (!skip("(")) {
      return PrimValue.ofFloat(type, Double.NaN);
    }
    String bits = string();
    expect(")");
    try {
      return new PrimValue(type, Long.parseUnsignedLong(bits, 16));
    } catch (NumberFormatException e) {
      throw error(t, "expected hexadecimal digits in the string");
    }
  }

  private PrimValue numeral(Token t) {
    String s = t.text();
    for (PrimType type : PrimType.values()) {
      String suffix = type.toString();
      if (!s.endsWith(suffix) || !type.isInt() && !type.isFloat()) {
        continue;
      }
      String digits = s.substring(0, s.length() - suffix.length());
      try {
        if (type.isFloat()) {
          return PrimValue.ofFloat(
              type, type == PrimType.F64 ? Double.parseDouble(digits) : Float.parseFloat(digits));
        }
        long value = Long.parseLong(digits);
        PrimValue v = PrimValue.ofInt(type, value);
        if (v.asLong() != value) {
          throw error(t, value + " is not in the range of " + type);
        }
        return v;
      } catch (NumberFormatException e) {
        throw error(t, "malformed number " + s);
      }
    }
    throw error(t, "a constant needs a type, as in " + s + "i64");
  }

  final PrimType primType() {
    PrimType t = primType(peek());
    if (t == null) {
      throw expected("a primitive type");
    }
    next();
    return t;
  }

  private static @Nullable PrimType primType(Token t) {
    return t.kind() == Token.Kind.IDENT ? primType(t.text()) : null;
  }

  static @Nullable PrimType primType(String s) {
    for (PrimType p : PrimType.values()) {
      if (p.toString().equals(s)) {
        return p;
      }
    }
    return null;
  }

  /** A primitive type of an entry point, which may be unsigned. */
  record External(PrimType type, boolean unsigned) {}

  final External external() {
    if (skip("unsigned")) {
      return new External(primType(), true);
    }
    Token t = peek();
    if (t.kind() == Token.Kind.IDENT && t.text().startsWith("u")) {
      PrimType p = primType("i" + t.text().substring(1).toLowerCase(Locale.ROOT));
      if (p != null) {
        next();
        return new External(p, true);
      }
    }
    return new External(primType(), false);
  }

  final Type type() {
    if (skip("acc")) {
      expect("(");
      Name token = name();
      expect(",");
      List<SubExp> space = shape();
      expect(",");
      List<Type> elems = list("{", this::type, "}");
      expect(")");
      return new Type.Acc(token, space, elems);
    }
    if (skip("mem")) {
      return new Type.Mem(space());
    }
    if (!sees("[")) {
      return Type.prim(primType());
    }
    List<SubExp> dims = new ArrayList<>();
    while (skip("[")) {
      dims.add(subExp());
      expect("]");
    }
    PrimType elem = primType();
    if (!sees("@") || peek(1).kind() == Token.Kind.STRING) {
      return new Type.Array(elem, dims);
    }
    next();
    Name block = name();
    expect("->");
    return new Type.Array(elem, dims, new ArrayMem(block, lmad()));
  }

  final Space space() {
    if (skip("device")) {
      return new Space.Device();
    }
    if (skip("shared")) {
      return new Space.Shared();
    }
    if (peek().kind() == Token.Kind.STRING) {
      return new Space.Named(string());
    }
    if (skip("scalar")) {
      List<SubExp> shape = shape();
      return new Space.Scalar(shape, primType());
    }
    return new Space.Elements(primType());
  }

  private Lmad lmad() {
    Poly offset = poly();
    expect("+");
    List<Lmad.Dim> dims =
        list(
            "{",
            () -> {
              SubExp size = subExp();
              expect(":");
              return new Lmad.Dim(poly(), size);
            },
            "}");
    return new Lmad(offset, dims);
  }

  final Poly poly() {
    Poly sum = term();
    while (sees("+") && !peek(1).is("{")) {
      next();
      sum = sum.plus(term());
    }
    return sum;
  }

  private Poly term() {
    Poly product = factor();
    while (skip("*")) {
      product = product.times(factor());
    }
    return product;
  }

  private Poly factor() {
    return switch (peek().kind()) {
      case NUMBER -> Poly.of(number());
      case NAME -> Poly.of(name());
      case IDENT, STRING, PUNCTUATION, END -> throw expected("a number or name");
    };
  }

  /** Reads a parameter: {@code name: *type}. */
  final Param param() {
    Name n = name();
    expect(":");
    boolean unique = skip("*");
    return new Param(n, type(), unique);
  }

  /** Reads an optional location, including the mark before it. */
  final Loc optionalLoc() {
    if (!sees("@")) {
      return Loc.NONE;
    }
    return loc();
  }

  final Loc loc() {
    expect("@");
    String file = string();
    expect(":");
    int line = smallNumber();
    expect(":");
    int column = smallNumber();
    int end = lessThanZero();
    if (!skip(":")) {
      return new Loc(file, line, column, line, end);
    }
    return new Loc(file, line, column, end, smallNumber());
  }

  /** Reads the number after a hyphen, which is its sign. */
  private int lessThanZero() {
    Token t = peek();
    if (t.kind() != Token.Kind.NUMBER || !t.text().startsWith("-")) {
      throw expected("'-' and a number");
    }
    return -smallNumber();
  }

  /** Reads optional attributes. */
  final List<String> attrs() {
    if (!skip("#")) {
      return List.of();
    }
    return list("[", this::word, "]");
  }
}
