package futharkc.core.ir.text;

/**
 * A token.
 *
 * @param text an identifier, a punctuation mark or a number as written; the content of a string;
 *     the readable part of a name
 * @param tag the number of a name
 * @param start offset of the first character
 */
record Token(Kind kind, String text, int tag, int start) {
  /** Kinds of token. */
  enum Kind {
    /** {@code x_12}. */
    NAME,
    IDENT,
    /** Sign, digits, and letters that say the type, if any. */
    NUMBER,
    STRING,
    PUNCTUATION,
    END
  }

  boolean is(String punctuationOrWord) {
    return (kind == Kind.PUNCTUATION || kind == Kind.IDENT) && text.equals(punctuationOrWord);
  }

  /** As shown in messages. */
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
