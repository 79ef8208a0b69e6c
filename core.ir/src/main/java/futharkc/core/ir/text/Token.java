package futharkc.core.ir.text;

/**
 * A token.
 *
 * @param text an identifier, a punctuation mark or a number as written; the content of a string; or
 *     the base of a name
 * @param tag the number of a name
 * @param start the offset of the first character
 */
record Token(Kind kind, String text, int tag, int start) {
  /** The kinds of tokens. */
  enum Kind {
    /** A name: {@code x_12}. */
    NAME,
    IDENT,
    /** A number: sign, digits, and an optional type suffix. */
    NUMBER,
    STRING,
    PUNCTUATION,
    END
  }

  boolean is(String punctuationOrWord) {
    return (kind == Kind.PUNCTUATION || kind == Kind.IDENT) && text.equals(punctuationOrWord);
  }

  /** Returns the description of the token in error messages. */
  String described() {
    return switch (kind) {
      case NAME -> "name '" + text + "_" + tag + "'";
      case IDENT, PUNCTUATION -> "'" + text + "'";
      case NUMBER -> "number " + text;
      case STRING -> "a string";
      case END -> "the end of the text";
    };
  }
}
