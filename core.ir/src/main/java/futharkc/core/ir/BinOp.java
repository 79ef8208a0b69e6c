package futharkc.core.ir;

import java.util.Locale;

/** A binary operator at a type, which is that of both operands and of the result. */
public record BinOp(Kind kind, PrimType type) {
  /** The operators. */
  public enum Kind {
    /** Wraps. */
    ADD,
    SUB,
    MUL,
    FADD,
    FSUB,
    FMUL,
    /** Unsigned; the divisor must not be zero, here and in all integer division. */
    UDIV,
    /** Unsigned, rounding up. */
    UDIV_UP,
    /** Rounds towards minus infinity. */
    SDIV,
    /** Rounds towards plus infinity. */
    SDIV_UP,
    FDIV,
    /** The remainder of {@link #FDIV} rounded towards zero, as C's {@code fmod}. */
    FMOD,
    UMOD,
    /** Has the sign of the divisor. */
    SMOD,
    /** Rounds towards zero. */
    SQUOT,
    /** Has the sign of the dividend. */
    SREM,
    SMIN,
    UMIN,
    /** Ignores a NaN operand, as C's {@code fmin}. */
    FMIN,
    SMAX,
    UMAX,
    FMAX,
    /** Zero when shifted by the width or more (or by a negative count); the count is unsigned. */
    SHL,
    LSHR,
    /** All sign bits when shifted by the width or more. */
    ASHR,
    AND,
    OR,
    XOR,
    /** By squaring, wrapping; the exponent is not negative. */
    POW,
    FPOW,
    /** Both operands are evaluated. */
    LOG_AND,
    LOG_OR;

    private final String text = name().toLowerCase(Locale.ROOT);

    @Override
    public String toString() {
      return text;
    }
  }

  /** Whether operands of any number can be combined in any order, with the very same result. */
  public boolean isExactInAnyOrder() {
    boolean rounds = kind == Kind.FADD || kind == Kind.FMUL;
    boolean hasNaN = kind == Kind.FMIN || kind == Kind.FMAX;
    return isCommutative() && !rounds && !hasNaN;
  }

  /** Whether swapping the operands changes nothing, but perhaps the sign of a zero (FMIN, FMAX). */
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

  /** Whether some operands have no result: a zero divisor or negative exponent. */
  public boolean isPartial() {
    return switch (kind) {
      case UDIV, UDIV_UP, SDIV, SDIV_UP, UMOD, SMOD, SQUOT, SREM, POW -> true;
      default -> false;
    };
  }

  /** As in {@code add_i32}. */
  @Override
  public String toString() {
    return kind + "_" + type;
  }
}
