package futharkc.core.runtime;

/**
 * A scalar of a primitive type.
 *
 * @param type the primitive type
 * @param bits the canonical bits, so that equal scalars have equal bits: integers sign-extended
 *     from the Java carrier (unsigned ones too), floats as IEEE 754 bits (sign-extended for {@code
 *     f16} and {@code f32}), booleans as 0 or 1, unit as 0
 */
public record Scalar(ElemType type, long bits) implements Value {
  /** The unit value. */
  public static final Scalar UNIT = new Scalar(ElemType.UNIT, 0);

  /** Converts the bits to canonical form. */
  public Scalar {
    bits =
        switch (type) {
          case I8, U8 -> (byte) bits;
          case I16, U16, F16 -> (short) bits;
          case I32, U32, F32 -> (int) bits;
          case I64, U64, F64 -> bits;
          case BOOL -> bits != 0 ? 1 : 0;
          case UNIT -> 0;
        };
  }

  /** Returns an {@code i8}. */
  public static Scalar i8(byte x) {
    return new Scalar(ElemType.I8, x);
  }

  /** Returns an {@code i16}. */
  public static Scalar i16(short x) {
    return new Scalar(ElemType.I16, x);
  }

  /** Returns an {@code i32}. */
  public static Scalar i32(int x) {
    return new Scalar(ElemType.I32, x);
  }

  /** Returns an {@code i64}. */
  public static Scalar i64(long x) {
    return new Scalar(ElemType.I64, x);
  }

  /**
   * Returns a {@code u8}.
   *
   * @param x the value, as a signed byte
   */
  public static Scalar u8(byte x) {
    return new Scalar(ElemType.U8, x);
  }

  /**
   * Returns a {@code u16}.
   *
   * @param x the value, as a signed short
   */
  public static Scalar u16(short x) {
    return new Scalar(ElemType.U16, x);
  }

  /**
   * Returns a {@code u32}.
   *
   * @param x the value, as a signed int
   */
  public static Scalar u32(int x) {
    return new Scalar(ElemType.U32, x);
  }

  /**
   * Returns a {@code u64}.
   *
   * @param x the value, as a signed long
   */
  public static Scalar u64(long x) {
    return new Scalar(ElemType.U64, x);
  }

  /** Returns an {@code f16} with the given binary16 bits. */
  public static Scalar f16(short bits) {
    return new Scalar(ElemType.F16, bits);
  }

  /** Returns an {@code f32}. */
  public static Scalar f32(float x) {
    return new Scalar(ElemType.F32, Float.floatToRawIntBits(x));
  }

  /** Returns an {@code f64}. */
  public static Scalar f64(double x) {
    return new Scalar(ElemType.F64, Double.doubleToRawLongBits(x));
  }

  /** Returns a {@code bool}. */
  public static Scalar bool(boolean x) {
    return new Scalar(ElemType.BOOL, x ? 1 : 0);
  }

  /** Returns the carrier of an 8-bit integer. */
  public byte asByte() {
    return (byte) bits;
  }

  /** Returns the carrier of a 16-bit integer or an {@code f16}. */
  public short asShort() {
    return (short) bits;
  }

  /** Returns the carrier of a 32-bit integer. */
  public int asInt() {
    return (int) bits;
  }

  /** Returns the carrier of an integer of any width, sign-extended. */
  public long asLong() {
    return bits;
  }

  /** Returns the value of an {@code f32}. */
  public float asFloat() {
    return Float.intBitsToFloat((int) bits);
  }

  /** Returns the value of an {@code f64}. */
  public double asDouble() {
    return Double.longBitsToDouble(bits);
  }

  /** Returns the value of a {@code bool}. */
  public boolean asBoolean() {
    return bits != 0;
  }
}
