package futharkc.core.ir;

import java.util.Locale;

/** A conversion between primitive types. */
public record ConvOp(Kind kind, PrimType from, PrimType to) {
  /** The conversions. */
  public enum Kind {
    /** Integer to integer, filling with zeros; also narrows. */
    ZEXT,
    /** Integer to integer, filling with the sign; also narrows. */
    SEXT,
    /** Float to float. */
    FPCONV,
    /**
     * Float to integer, towards zero; NaN and infinities become 0, as values out of range are
     * unspecified.
     */
    FPTOUI,
    FPTOSI,
    UITOFP,
    SITOFP,
    /** False is 0, true is 1. */
    BTOI,
    /** Zero is false. */
    ITOB,
    BTOF,
    FTOB;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** As in {@code sext_i32_i64}. */
  @Override
  public String toString() {
    return kind + "_" + from + "_" + to;
  }
}
