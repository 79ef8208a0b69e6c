package futharkc.core.ir;

/**
 * A primitive value in canonical form: equality means identity of type and bits.
 *
 * @param bits the sign-extended value of an integer, 0 or 1 for a boolean, {@link
 *     Double#doubleToRawLongBits} of a float's value (which the float type represents exactly), or
 *     0 for unit
 */
public record PrimValue(PrimType type, long bits) {
  public static final PrimValue TRUE = new PrimValue(PrimType.BOOL, 1);
  public static final PrimValue FALSE = new PrimValue(PrimType.BOOL, 0);
  public static final PrimValue UNIT = new PrimValue(PrimType.UNIT, 0);

  public PrimValue {
    bits =
        switch (type) {
          case I8 -> (byte) bits;
          case I16 -> (short) bits;
          case I32 -> (int) bits;
          case I64, F64 -> bits;
          case F32 -> Double.doubleToRawLongBits((float) Double.longBitsToDouble(bits));
          case F16 -> {
            double d = Double.longBitsToDouble(bits);
            yield Double.doubleToRawLongBits(Float.float16ToFloat(Float.floatToFloat16((float) d)));
          }
          case BOOL -> bits & 1;
          case UNIT -> 0;
        };
  }

  /** Returns an integer, wrapped to the given type. */
  public static PrimValue ofInt(PrimType type, long value) {
    return new PrimValue(type, value);
  }

  /** Returns an i64. */
  public static PrimValue i64(long value) {
    return new PrimValue(PrimType.I64, value);
  }

  /** Returns a float, rounded to the given type. */
  public static PrimValue ofFloat(PrimType type, double value) {
    return new PrimValue(type, Double.doubleToRawLongBits(value));
  }

  /** Returns a boolean. */
  public static PrimValue of(boolean value) {
    return value ? TRUE : FALSE;
  }

  /** Returns zero, false or unit. */
  public static PrimValue zero(PrimType type) {
    return new PrimValue(type, 0);
  }

  /** Returns one or true. */
  public static PrimValue one(PrimType type) {
    return type.isFloat() ? ofFloat(type, 1) : new PrimValue(type, 1);
  }

  /** Returns the sign-extended value of an integer. */
  public long asLong() {
    return bits;
  }

  /** Returns the value of a float. */
  public double asDouble() {
    return Double.longBitsToDouble(bits);
  }

  /** Returns the value of a boolean. */
  public boolean asBoolean() {
    return bits != 0;
  }

  /** Tests whether this is the number zero (of either sign) or false. */
  public boolean isZero() {
    return type.isFloat() ? asDouble() == 0 : bits == 0;
  }

  /** Tests whether this is the number one or true. */
  public boolean isOne() {
    return type.isFloat() ? asDouble() == 1 : bits == 1;
  }

  /**
   * Returns the text form: {@code 1i32}, {@code 2.5f64}, {@code f32.nan}, {@code true}, {@code ()}.
   */
  @Override
  public String toString() {
    return switch (type) {
      case I8, I16, I32, I64 -> bits + type.toString();
      case F16, F32, F64 -> floatText();
      case BOOL -> bits != 0 ? "true" : "false";
      case UNIT -> "()";
    };
  }

  private String floatText() {
    double d = asDouble();
    if (Double.isNaN(d)) {
      return type + ".nan";
    }
    if (Double.isInfinite(d)) {
      return (d < 0 ? "-" : "") + type + ".inf";
    }
    return (type == PrimType.F64 ? Double.toString(d) : Float.toString((float) d)) + type;
  }
}
