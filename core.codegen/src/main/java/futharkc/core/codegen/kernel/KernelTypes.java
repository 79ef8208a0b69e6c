package futharkc.core.codegen.kernel;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;

/** A mapping from types, names and constants of the IR to C. */
final class KernelTypes {
  private KernelTypes() {}

  /** Returns the type of a variable for a scalar; an f16 is computed as an f32. */
  static String scalar(PrimType t) {
    return switch (t) {
      case F16 -> "f32";
      case BOOL -> "bool";
      case UNIT -> throw new IllegalArgumentException("unit has no carrier");
      case I8, I16, I32, I64, F32, F64 -> t.toString();
    };
  }

  /** Returns the type of an element of a block, and of a kernel's parameter. */
  static String element(PrimType t) {
    return switch (t) {
      case F16 -> "i16";
      case BOOL -> "u8";
      case UNIT -> throw new IllegalArgumentException("unit has no carrier");
      case I8, I16, I32, I64, F32, F64 -> t.toString();
    };
  }

  /** Returns the unsigned type of an integer's width. */
  static String unsigned(PrimType t) {
    return "u" + t.bits();
  }

  /** Returns a constant as a C expression. */
  static String constant(PrimValue v) {
    return switch (v.type()) {
      case I8, I16 -> "((" + v.type() + ") " + v.asLong() + ")";
      case I32 ->
          v.asLong() == Integer.MIN_VALUE
              ? "(-2147483647 - 1)"
              : v.asLong() < 0 ? "(" + v.asLong() + ")" : Long.toString(v.asLong());
      case I64 -> i64(v.asLong());
      case F16, F32 -> f32((float) v.asDouble());
      case F64 -> f64(v.asDouble());
      case BOOL -> v.asBoolean() ? "true" : "false";
      case UNIT -> throw new IllegalArgumentException("unit has no carrier");
    };
  }

  static String i64(long x) {
    if (x == Long.MIN_VALUE) {
      return "(-I64(9223372036854775807) - 1)";
    }
    return x < 0 ? "(-I64(" + -x + "))" : "I64(" + x + ")";
  }

  private static String f32(float x) {
    if (Float.isNaN(x)) {
      return "F32_NAN";
    }
    if (Float.isInfinite(x)) {
      return x < 0 ? "(-F32_INF)" : "F32_INF";
    }
    String s = Float.toString(x) + "f";
    return s.startsWith("-") ? "(" + s + ")" : s;
  }

  private static String f64(double x) {
    if (Double.isNaN(x)) {
      return "F64_NAN";
    }
    if (Double.isInfinite(x)) {
      return x < 0 ? "(-F64_INF)" : "F64_INF";
    }
    String s = Double.toString(x);
    return s.startsWith("-") ? "(" + s + ")" : s;
  }
}
