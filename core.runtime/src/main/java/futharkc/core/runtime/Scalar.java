package futharkc.core.runtime;

/**
 * A scalar of a primitive type.
 *
 * @param type the primitive type
 * @param bits integers sign-extended from the Java carrier (unsigned ones too), floats as their
 *     IEEE 754 bits (those of {@code f16} and {@code f32} sign-extended), booleans as 0 or 1, unit
 *     as 0; always in this canonical form, so that equality is equality of bits
 */
public record Scalar(ElemType type, long bits) implements Value {
  /** The unit value. */
  public static final Scalar UNIT = new Scalar(ElemType.UNIT, 0);

  /** Brings the bits into canonical form. */
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

  /** An {@code i8}. */
  public static Scalar i8(byte x) {
    return new Scalar(ElemType.I8, x);
  }

  /** An {@code i16}. */
  public static Scalar i16(short x) {
    return new Scalar(ElemType.I16, x);
  }

  /** An {@code i32}. */
  public static Scalar i32(int x) {
    return new Scalar(ElemType.I32, x);
  }

  /** An {@code i64}. */
  public static Scalar i64(long x) {
    return new Scalar(ElemType.I64, x);
  }

  /** A {@code u8}, carried by a signed byte. */
  public static Scalar u8(byte x) {
    return new Scalar(ElemType.U8, x);
  }

  /** A {@code u16}, carried by a signed short. */
  public static Scalar u16(short x) {
    return new Scalar(ElemType.U16, x);
  }

  /** A {@code u32}, carried by a signed int. */
  public static Scalar u32(int x) {
    return new Scalar(ElemType.U32, x);
  }

  /** A {@code u64}, carried by a signed long. */
  public static Scalar u64(long x) {
    return new Scalar(ElemType.U64, x);
  }

  /** An {@code f16} of the given binary16 bits. */
  public static Scalar f16(short bits) {
    return new Scalar(ElemType.F16, bits);
  }

  /** An {@code f32}. */
  public static Scalar f32(float x) {
    return new Scalar(ElemType.F32, Float.floatToRawIntBits(x));
  }

  /** An {@code f64}. */
  public static Scalar f64(double x) {
    return new Scalar(ElemType.F64, Double.doubleToRawLongBits(x));
  }

  /** A {@code bool}. */
  public static Scalar bool(boolean x) {
    return new Scalar(ElemType.BOOL, x ? 1 : 0);
  }

  /** The carrier of an 8-bit integer. */
  public byte asByte() {
    return (byte) bits;
  }

  /** The carrier of a 16-bit integer or an {@code f16}. */
  public short asShort() {
    return (short) bits;
  }

  /** The carrier of a 32-bit integer. */
  public int asInt() {
    return (int) bits;
  }

  /** The carrier of an integer of any width, sign-extended. */
  public long asLong() {
    return bits;
  }

  /** The value of an {@code f32}. */
  public float asFloat() {
    return Float.intBitsToFloat((int) bits);
  }

  /** The value of an {@code f64}. */
  public double asDouble() {
    return Double.longBitsToDouble(bits);
  }

  /** The value of a {@code bool}. */
  public boolean asBoolean() {
    return bits != 0;
  }
}
