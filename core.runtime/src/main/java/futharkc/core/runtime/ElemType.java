package futharkc.core.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A primitive Futhark type of run-time values.
 *
 * <p>An unsigned integer type has the Java carrier of the signed type of the same width. The
 * carrier of {@code f16} is a {@code short} with the IEEE 754 binary16 bits.
 */
public enum ElemType {
  I8("i8", 1),
  I16("i16", 2),
  I32("i32", 4),
  I64("i64", 8),
  U8("u8", 1),
  U16("u16", 2),
  U32("u32", 4),
  U64("u64", 8),
  F16("f16", 2),
  F32("f32", 4),
  F64("f64", 8),
  BOOL("bool", 1),
  /** The type of the empty value; it has no data format and no arrays. */
  UNIT("()", 0);

  private static final ElemType[] ALL = values();

  private final String text;
  private final int bytes;

  ElemType(String text, int bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  /** Returns the Futhark name of the type, such as {@code i32}. */
  public String text() {
    return text;
  }

  /** Returns the size of one element in bytes, in memory and in the binary data format. */
  public int bytes() {
    return bytes;
  }

  /** Tests whether this is a floating-point type. */
  public boolean isFloat() {
    return this == F16 || this == F32 || this == F64;
  }

  /** Tests whether this is an unsigned integer type. */
  public boolean isUnsigned() {
    return this == U8 || this == U16 || this == U32 || this == U64;
  }

  /** Tests whether this is a signed or unsigned integer type. */
  public boolean isInteger() {
    return ordinal() <= U64.ordinal();
  }

  /** Returns the type with the given Futhark name; null if there is none. */
  public static @Nullable ElemType ofText(String text) {
    for (ElemType type : ALL) {
      if (type.text.equals(text)) {
        return type;
      }
    }
    return null;
  }

  /**
   * Returns a new zeroed Java array of this type's carrier.
   *
   * @param length the number of elements
   * @return a {@code byte[]}, {@code short[]}, {@code int[]}, {@code long[]}, {@code float[]},
   *     {@code double[]} or {@code boolean[]}
   */
  public Object newArray(int length) {
    return switch (this) {
      case I8, U8 -> new byte[length];
      case I16, U16, F16 -> new short[length];
      case I32, U32 -> new int[length];
      case I64, U64 -> new long[length];
      case F32 -> new float[length];
      case F64 -> new double[length];
      case BOOL -> new boolean[length];
      case UNIT -> throw new IllegalArgumentException("there are no arrays of unit");
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
