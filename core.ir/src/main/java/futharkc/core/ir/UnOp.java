package futharkc.core.ir;

import java.util.Locale;

/** A unary operator at a type. The operand and the result have that type. */
public record UnOp(Kind kind, PrimType type) {
  /** The operators. */
  public enum Kind {
    /** Negation of an integer (wrapping) or a float. */
    NEG,
    /** Complement of an integer's bits or of a boolean. */
    NOT,
    /** Absolute value of an integer or a float. */
    ABS,
    /** Sign: -1, 0 or 1. The sign of a float preserves NaN and the sign of zero. */
    SSIGNUM,
    USIGNUM,
    FSIGNUM;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns the text form, for example {@code neg_i32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
