package futharkc.core.ir;

import java.util.Locale;

/** A conversion between primitive types. */
public record ConvOp(Kind kind, PrimType from, PrimType to) {
  /** The conversions. */
  public enum Kind {
    /** Integer to integer: extends with zeros or narrows. */
    ZEXT,
    /** Integer to integer: extends with the sign or narrows. */
    SEXT,
    /** Float to float. */
    FPCONV,
    /**
     * Float to integer, rounding towards zero. NaN and infinities become 0. Values out of range
     * give an unspecified result.
     */
    FPTOUI,
    FPTOSI,
    UITOFP,
    SITOFP,
    /** Boolean to integer: false becomes 0, true becomes 1. */
    BTOI,
    /** Integer to boolean: zero becomes false, any other value true. */
    ITOB,
    BTOF,
    FTOB;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** Returns the text form, for example {@code sext_i32_i64}. */
  @Override
  public String toString() {
    return kind + "_" + from + "_" + to;
  }
}
