package futharkc.core.codegen.java;

import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;

/** A mapping from types, names and constants of the IR to Java. */
public final class JavaTypes {
  private JavaTypes() {}

  /** Returns the Java type of a scalar. */
  static String type(PrimType t) {
    return switch (t) {
      case I8 -> "byte";
      case I16, F16 -> "short";
      case I32 -> "int";
      case I64 -> "long";
      case F32 -> "float";
      case F64 -> "double";
      case BOOL -> "boolean";
      case UNIT -> throw new IllegalArgumentException("unit has no carrier");
    };
  }

  /** Returns the Java type of a block. */
  static String block(PrimType t) {
    return type(t) + "[]";
  }

  /** Returns the name of the method of {@code Memory} that allocates blocks of a type. */
  static String memoryMethod(PrimType t) {
    return switch (t) {
      case BOOL -> "booleans";
      default -> type(t) + "s";
    };
  }

  /** Returns a constant as a Java expression. */
  static String constant(PrimValue v) {
    return switch (v.type()) {
      case I8 -> "((byte) " + v.asLong() + ")";
      case I16 -> "((short) " + v.asLong() + ")";
      case I32 -> v.asLong() < 0 ? "(" + v.asLong() + ")" : Long.toString(v.asLong());
      case I64 -> v.asLong() < 0 ? "(" + v.asLong() + "L)" : v.asLong() + "L";
      case F16 -> "((short) " + Float.floatToFloat16((float) v.asDouble()) + ")";
      case F32 -> f32((float) v.asDouble());
      case F64 -> f64(v.asDouble());
      case BOOL -> v.asBoolean() ? "true" : "false";
      case UNIT -> throw new IllegalArgumentException("unit has no carrier");
    };
  }

  private static String f32(float x) {
    if (Float.isNaN(x)) {
      return "Float.NaN";
    }
    if (Float.isInfinite(x)) {
      return x < 0 ? "Float.NEGATIVE_INFINITY" : "Float.POSITIVE_INFINITY";
    }
    String s = Float.toString(x) + "f";
    return s.startsWith("-") ? "(" + s + ")" : s;
  }

  private static String f64(double x) {
    if (Double.isNaN(x)) {
      return "Double.NaN";
    }
    if (Double.isInfinite(x)) {
      return x < 0 ? "Double.NEGATIVE_INFINITY" : "Double.POSITIVE_INFINITY";
    }
    String s = Double.toString(x);
    return s.startsWith("-") ? "(" + s + ")" : s;
  }

  /** Returns a string literal. */
  public static String string(String text) {
    StringBuilder s = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> s.append("\\\"");
        case '\\' -> s.append("\\\\");
        case '\n' -> s.append("\\n");
        case '\r' -> s.append("\\r");
        case '\t' -> s.append("\\t");
        default -> {
          if (c < 32 || c > 126) {
            s.append(String.format("\\u%04x", (int) c));
          } else {
            s.append(c);
          }
        }
      }
    }
    return s.append('"').toString();
  }
}
