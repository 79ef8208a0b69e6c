package futharkc.core.ir;

import java.util.Locale;

/** A binary operator at a type. Both operands and the result have that type. */
public record BinOp(Kind kind, PrimType type) {
  /** The operators. */
  public enum Kind {
    /** Wrapping arithmetic. */
    ADD,
    SUB,
    MUL,
    FADD,
    FSUB,
    FMUL,
    /** Unsigned division. The divisor must not be zero, here and in all integer division. */
    UDIV,
    /** Unsigned division, rounding up. */
    UDIV_UP,
    /** Signed division, rounding towards minus infinity. */
    SDIV,
    /** Signed division, rounding towards plus infinity. */
    SDIV_UP,
    FDIV,
    /** The remainder of {@link #FDIV} rounded towards zero, equal to C's {@code fmod}. */
    FMOD,
    UMOD,
    /** Signed modulus with the sign of the divisor. */
    SMOD,
    /** Signed division, rounding towards zero. */
    SQUOT,
    /** Signed remainder with the sign of the dividend. */
    SREM,
    SMIN,
    UMIN,
    /** A minimum that ignores a NaN operand, equal to C's {@code fmin}. */
    FMIN,
    SMAX,
    UMAX,
    FMAX,
    /** A left shift by an unsigned count. The result is zero if the count is at least the width. */
    SHL,
    LSHR,
    /**
     * An arithmetic right shift. The result is all sign bits if the count is at least the width.
     */
    ASHR,
    AND,
    OR,
    XOR,
    /** An integer power with wrapping multiplication. The exponent must not be negative. */
    POW,
    FPOW,
    /** Logical conjunction. The operator evaluates both operands. */
    LOG_AND,
    LOG_OR;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** Tests whether any number of operands can be combined in any order with an identical result. */
  public boolean isExactInAnyOrder() {
    boolean rounds = kind == Kind.FADD || kind == Kind.FMUL;
    boolean hasNaN = kind == Kind.FMIN || kind == Kind.FMAX;
    return isCommutative() && !rounds && !hasNaN;
  }

  /**
   * Tests whether swapping the operands leaves the result unchanged, except for the sign of a zero
   * (FMIN, FMAX).
   */
  public boolean isCommutative() {
    return switch (kind) {
      case ADD,
          MUL,
          FADD,
          FMUL,
          SMIN,
          UMIN,
          FMIN,
          SMAX,
          UMAX,
          FMAX,
          AND,
          OR,
          XOR,
          LOG_AND,
          LOG_OR ->
          true;
      case SUB,
          FSUB,
          UDIV,
          UDIV_UP,
          SDIV,
          SDIV_UP,
          FDIV,
          FMOD,
          UMOD,
          SMOD,
          SQUOT,
          SREM,
          SHL,
          LSHR,
          ASHR,
          POW,
          FPOW ->
          false;
    };
  }

  /**
   * Tests whether the operator is undefined for some operands: a zero divisor or a negative
   * exponent.
   */
  public boolean isPartial() {
    return switch (kind) {
      case UDIV, UDIV_UP, SDIV, SDIV_UP, UMOD, SMOD, SQUOT, SREM, POW -> true;
      default -> false;
    };
  }

  /** Returns the text form, for example {@code add_i32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
