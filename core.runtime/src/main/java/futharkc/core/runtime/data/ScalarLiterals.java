package futharkc.core.runtime.data;

import futharkc.core.runtime.Convert;
import futharkc.core.runtime.ElemType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A parser of scalar literals in the bytes of one token. */
final class ScalarLiterals {
  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final int LONGEST_SHOWN = 60;

  private ScalarLiterals() {}

  /** An error in a literal of the requested type; the message gives the reason. */
  static final class BadLiteral extends Exception {
    private static final long serialVersionUID = 1;

    BadLiteral(String message) {
      super(message, null, false, false);
    }

    @Override
    public String getMessage() {
      return String.valueOf(super.getMessage());
    }
  }

  private static String text(byte[] token, int length) {
    return new String(token, 0, length, StandardCharsets.UTF_8);
  }

  /** Returns the text of a token for messages; very long tokens are shortened. */
  static String shown(byte[] token, int length) {
    return length <= LONGEST_SHOWN
        ? text(token, length)
        : text(token, LONGEST_SHOWN) + "... (" + length + " characters)";
  }

  private static BadLiteral notA(ElemType type, byte[] token, int length) {
    ElemType actual = typeOf(token, length);
    return new BadLiteral(
        "expected a value of type "
            + type
            + ", got "
            + (length == 0 ? "the end" : "'" + shown(token, length) + "'")
            + (actual != null && actual != type && hasSuffix(token, length, actual)
                ? " of type " + actual
                : ""));
  }

  private static boolean hasSuffix(byte[] token, int length, ElemType type) {
    String name = type.text();
    int n = name.length();
    if (length <= n) {
      return false;
    }
    for (int i = 0; i < n; i++) {
      if (token[length - n + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the type of a literal by its form; null if it is not a literal. */
  static @Nullable ElemType typeOf(byte[] token, int length) {
    if (length == 0) {
      return null;
    }
    String word = text(token, length);
    if (word.equals("true") || word.equals("false")) {
      return ElemType.BOOL;
    }
    boolean negative = word.charAt(0) == '-';
    int start = negative || word.charAt(0) == '+' ? 1 : 0;
    if (length > start + 4 && word.charAt(start) == 'f') {
      ElemType type = ElemType.ofText(word.substring(start, start + 3));
      String rest = word.substring(start + 3);
      return type != null && (rest.equals(".nan") || rest.equals(".inf")) ? type : null;
    }
    if (length <= start || word.charAt(start) < '0' || word.charAt(start) > '9') {
      return null;
    }
    boolean hex = word.startsWith("0x", start) || word.startsWith("0X", start);
    boolean point = word.indexOf('.') >= 0;
    boolean exponent =
        hex ? word.indexOf('p') >= 0 : word.indexOf('e') >= 0 || word.indexOf('E') >= 0;
    for (ElemType type : ElemType.values()) {
      if (type != ElemType.BOOL
          && hasSuffix(token, length, type)
          && !(hex && type.isFloat() && !exponent)) {
        return type;
      }
    }
    return point || exponent ? ElemType.F64 : ElemType.I32;
  }

  /**
   * Parses a literal.
   *
   * @param type the type
   * @param token the bytes of the token
   * @param length the number of bytes
   * @return the bits, as in {@link futharkc.core.runtime.Scalar}
   */
  static long parse(ElemType type, byte[] token, int length) throws BadLiteral {
    return switch (type) {
      case I8, I16, I32, I64, U8, U16, U32, U64 -> integer(type, token, length);
      case F16 -> Convert.f64ToF16(number(type, token, length));
      case F32 -> Float.floatToRawIntBits(f32(token, length));
      case F64 -> Double.doubleToRawLongBits(number(type, token, length));
      case BOOL -> bool(token, length);
      case UNIT -> throw notA(type, token, length);
    };
  }

  private static long bool(byte[] token, int length) throws BadLiteral {
    if (length == 4 && text(token, length).equals("true")) {
      return 1;
    } else if (length == 5 && text(token, length).equals("false")) {
      return 0;
    }
    throw notA(ElemType.BOOL, token, length);
  }

  private static long integer(ElemType type, byte[] token, int length) throws BadLiteral {
    int i = 0;
    boolean negative = false;
    if (length > 0 && (token[0] == '-' || token[0] == '+')) {
      negative = token[0] == '-';
      i = 1;
    }
    int base = 10;
    if (i + 1 < length && token[i] == '0' && (token[i + 1] | 0x20) == 'x') {
      base = 16;
      i += 2;
    } else if (i + 1 < length && token[i] == '0' && (token[i + 1] | 0x20) == 'b') {
      base = 2;
      i += 2;
    }
    int firstDigit = i;
    long value = 0;
    boolean tooLarge = false;
    for (; i < length; i++) {
      int digit = digit(token[i], base);
      if (digit < 0) {
        if (token[i] == '_' && i > firstDigit) {
          continue;
        }
        break;
      }
      if (value >>> 59 != 0) {
        tooLarge |= Long.compareUnsigned(value, Long.divideUnsigned(-1 - digit, base)) > 0;
      }
      value = value * base + digit;
    }
    if (i == firstDigit || i < length && !isSuffix(type, token, i, length)) {
      throw notA(type, token, length);
    }
    int width = 8 * type.bytes();
    boolean signed = !type.isUnsigned();
    // Hexadecimal and binary literals may also give the bits of a negative number.
    int bits = signed && (base == 10 || negative) ? width - 1 : width;
    long max = bits == 64 ? -1 : (1L << bits) - 1;
    if (signed && negative) {
      max++;
    }
    boolean outOfRange = Long.compareUnsigned(value, max) > 0 || !signed && negative && value != 0;
    // A literal with a type suffix wraps around, as in existing data files.
    boolean named = i < length;
    if (tooLarge || outOfRange && !named) {
      throw new BadLiteral(
          "the number " + shown(token, length) + " is out of the range of type " + type);
    }
    return negative ? -value : value;
  }

  private static int digit(byte c, int base) {
    int d;
    if (c >= '0' && c <= '9') {
      d = c - '0';
    } else if (base == 16 && (c | 0x20) >= 'a' && (c | 0x20) <= 'f') {
      d = (c | 0x20) - 'a' + 10;
    } else {
      return -1;
    }
    return d < base ? d : -1;
  }

  private static boolean isSuffix(ElemType type, byte[] token, int from, int length) {
    String name = type.text();
    if (length - from != name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (token[from + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static float f32(byte[] token, int length) throws BadLiteral {
    double d = number(ElemType.F32, token, length);
    long bits = Double.doubleToRawLongBits(d);
    if ((bits & 0x1fffffff) == 0x10000000 || Math.abs(d) < Float.MIN_NORMAL && d != 0) {
      // The double is in the middle between two floats, or nearly: the decimal digits decide.
      String number = decimal(ElemType.F32, token, length);
      if (number.indexOf('x') < 0 && number.indexOf('X') < 0) {
        return Float.parseFloat(number);
      }
    }
    return (float) d;
  }

  /** Returns the digits of a float literal, without underscores and type suffix. */
  private static String decimal(ElemType type, byte[] token, int length) {
    int end = hasSuffix(token, length, type) ? length - type.text().length() : length;
    String number = text(token, end);
    return number.indexOf('_') < 0 ? number : number.replace("_", "");
  }

  /**
   * Parses a float literal as a double. Short decimal literals are exact in double arithmetic;
   * Java's parser handles the others.
   */
  private static double number(ElemType type, byte[] token, int length) throws BadLiteral {
    int i = 0;
    boolean negative = false;
    if (length > 0 && (token[0] == '-' || token[0] == '+')) {
      negative = token[0] == '-';
      i = 1;
    }
    int start = i;
    long mantissa = 0;
    int digits = 0;
    int exponent = 0;
    for (; i < length && token[i] >= '0' && token[i] <= '9'; i++) {
      mantissa = mantissa * 10 + (token[i] - '0');
      digits++;
    }
    if (i < length && token[i] == '.') {
      for (i++; i < length && token[i] >= '0' && token[i] <= '9'; i++) {
        mantissa = mantissa * 10 + (token[i] - '0');
        digits++;
        exponent--;
      }
    }
    if (digits > 0 && i < length && (token[i] | 0x20) == 'e') {
      int j = i + 1;
      boolean negativeExponent = false;
      if (j < length && (token[j] == '-' || token[j] == '+')) {
        negativeExponent = token[j] == '-';
        j++;
      }
      int e = 0;
      int exponentStart = j;
      for (; j < length && token[j] >= '0' && token[j] <= '9' && e < 10000; j++) {
        e = e * 10 + (token[j] - '0');
      }
      if (j > exponentStart) {
        exponent += negativeExponent ? -e : e;
        i = j;
      }
    }
    if (digits > 0
        && digits <= 18
        && mantissa <= 1L << 53
        && exponent >= -22
        && exponent <= 22
        && (i == length || isSuffix(type, token, i, length))) {
      double d = mantissa;
      d = exponent < 0 ? d / POWERS_OF_TEN[-exponent] : d * POWERS_OF_TEN[exponent];
      return negative ? -d : d;
    }
    return anyNumber(type, token, length, start);
  }

  private static double anyNumber(ElemType type, byte[] token, int length, int start)
      throws BadLiteral {
    ElemType actual = typeOf(token, length);
    if (actual == null || actual == ElemType.BOOL) {
      throw notA(type, token, length);
    }
    if (token[start] == 'f') {
      if (actual != type) {
        throw notA(type, token, length);
      }
      boolean nan = token[length - 1] == 'n' && token[length - 2] == 'a';
      double d = nan ? Double.NaN : Double.POSITIVE_INFINITY;
      return token[0] == '-' ? -d : d;
    }
    if (actual != type && hasSuffix(token, length, actual)) {
      throw notA(type, token, length);
    }
    String number = decimal(type, token, length);
    char last = number.charAt(number.length() - 1);
    boolean hex = number.indexOf('x') >= 0 || number.indexOf('X') >= 0;
    boolean binary = !hex && number.startsWith("0b", start);
    try {
      if (hex && number.indexOf('p') < 0 || binary) {
        byte[] bytes = number.getBytes(StandardCharsets.UTF_8);
        return integer(ElemType.I64, bytes, bytes.length);
      }
      if (last == 'd' || last == 'D' || last == 'f' || last == 'F') {
        throw notA(type, token, length);
      }
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      throw notA(type, token, length);
    }
  }
}
