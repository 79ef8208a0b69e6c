package futharkc.core.language.syntax;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The primitive types of the source language. Unlike the types of the IR, they distinguish signed
 * and unsigned integers.
 */
public enum PrimType {
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  BOOL;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the type of a name in the language, or null. */
  public static @Nullable PrimType named(String name) {
    for (PrimType t : values()) {
      if (t.text.equals(name)) {
        return t;
      }
    }
    return null;
  }

  public boolean isSigned() {
    return compareTo(I64) <= 0;
  }

  public boolean isUnsigned() {
    return compareTo(U8) >= 0 && compareTo(U64) <= 0;
  }

  public boolean isInteger() {
    return compareTo(U64) <= 0;
  }

  public boolean isFloat() {
    return compareTo(F16) >= 0 && compareTo(F64) <= 0;
  }

  /** Returns the width in bits; 8 for bool. */
  public int bits() {
    return switch (this) {
      case I8, U8, BOOL -> 8;
      case I16, U16, F16 -> 16;
      case I32, U32, F32 -> 32;
      case I64, U64, F64 -> 64;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
