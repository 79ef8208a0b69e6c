package futharkc.core.ir;

import java.util.Locale;

/** The primitive types. Integer types have no sign; operators do. */
public enum PrimType {
  I8,
  I16,
  I32,
  I64,
  F16,
  F32,
  F64,
  BOOL,
  /** The type of values without content, such as certificates. */
  UNIT;

  private final String text = name().toLowerCase(Locale.ROOT);

  public boolean isInt() {
    return compareTo(I64) <= 0;
  }

  public boolean isFloat() {
    return this == F16 || this == F32 || this == F64;
  }

  /** Returns the width of a number in bits: 8 for bool, 0 for unit. */
  public int bits() {
    return switch (this) {
      case I8, BOOL -> 8;
      case I16, F16 -> 16;
      case I32, F32 -> 32;
      case I64, F64 -> 64;
      case UNIT -> 0;
    };
  }

  /** Returns the size of an array element in bytes. */
  public int bytes() {
    return bits() / 8;
  }

  @Override
  public String toString() {
    return text;
  }
}
