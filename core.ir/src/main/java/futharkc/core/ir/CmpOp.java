package futharkc.core.ir;

import java.util.Locale;

/** A comparison of two operands of a type. */
public record CmpOp(Kind kind, PrimType type) {
  /** The comparisons; of floats, those of IEEE 754. */
  public enum Kind {
    /** At any type. */
    EQ,
    ULT,
    ULE,
    SLT,
    SLE,
    FLT,
    FLE,
    /** Of booleans, false before true. */
    LLT,
    LLE;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** As in {@code slt_i32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
