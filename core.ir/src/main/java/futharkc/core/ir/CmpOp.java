package futharkc.core.ir;

import java.util.Locale;

/** A comparison of two operands of the same type. */
public record CmpOp(Kind kind, PrimType type) {
  /** The comparisons. Float comparisons follow IEEE 754. */
  public enum Kind {
    /** Equality at any type. */
    EQ,
    ULT,
    ULE,
    SLT,
    SLE,
    FLT,
    FLE,
    /** A comparison of booleans, false before true. */
    LLT,
    LLE;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns the text form, for example {@code slt_i32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
