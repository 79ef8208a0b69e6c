package futharkc.core.ir;

import java.util.Locale;

/** A unary operator at a type, which is that of the operand and of the result. */
public record UnOp(Kind kind, PrimType type) {
  /** The operators. */
  public enum Kind {
    /** Of integers (wrapping) and floats. */
    NEG,
    /** Bits of an integer, or a boolean. */
    NOT,
    /** Of integers and floats. */
    ABS,
    /** -1, 0 or 1; of a float, keeps NaN and the sign of zero. */
    SSIGNUM,
    USIGNUM,
    FSIGNUM;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** As in {@code neg_i32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
