package futharkc.core.runtime.embed;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import org.jspecify.annotations.Nullable;

/** Conversions between Futhark scalars and boxed Java values. */
final class JavaScalars {
  private JavaScalars() {}

  /**
   * Converts a boxed Java value to a Futhark scalar. Integer types accept every boxed integer in
   * range; unsigned types also accept the signed carrier. Float types accept boxed floats and
   * integers.
   *
   * @return the scalar, or null if the object represents no value of the type
   */
  static @Nullable Scalar toFuthark(ElemType type, @Nullable Object x) {
    return switch (type) {
      case BOOL -> x instanceof Boolean b ? Scalar.bool(b) : null;
      case UNIT -> x == null ? Scalar.UNIT : null;
      case F64 ->
          switch (x) {
            case Double d -> Scalar.f64(d);
            case Float f -> Scalar.f64(f);
            case Integer i -> Scalar.f64(i);
            case null, default -> null;
          };
      case F32 -> x instanceof Float f ? Scalar.f32(f) : null;
      case F16 -> x instanceof Float f ? Scalar.f16(Float.floatToFloat16(f)) : null;
      case I8, I16, I32, I64, U8, U16, U32, U64 -> integer(type, x);
    };
  }

  private static @Nullable Scalar integer(ElemType type, @Nullable Object x) {
    if (!(x instanceof Byte || x instanceof Short || x instanceof Integer || x instanceof Long)) {
      return null;
    }
    long value = ((Number) x).longValue();
    int bits = 8 * type.bytes();
    long min = bits == 64 ? Long.MIN_VALUE : -(1L << (bits - 1));
    long max = bits == 64 ? Long.MAX_VALUE : (1L << (type.isUnsigned() ? bits : bits - 1)) - 1;
    return value < min || value > max ? null : new Scalar(type, value);
  }

  /** Returns the boxed carrier of a scalar: a {@code Float} for {@code f16}, null for unit. */
  static @Nullable Object toJava(Scalar s) {
    return switch (s.type()) {
      case I8, U8 -> s.asByte();
      case I16, U16 -> s.asShort();
      case I32, U32 -> s.asInt();
      case I64, U64 -> s.asLong();
      case F16 -> Float.float16ToFloat(s.asShort());
      case F32 -> s.asFloat();
      case F64 -> s.asDouble();
      case BOOL -> s.asBoolean();
      case UNIT -> null;
    };
  }

  /** Returns the class of the results of {@link #toJava}, as a primitive class. */
  static Class<?> carrier(ElemType type) {
    return switch (type) {
      case I8, U8 -> byte.class;
      case I16, U16 -> short.class;
      case I32, U32 -> int.class;
      case I64, U64 -> long.class;
      case F16, F32 -> float.class;
      case F64 -> double.class;
      case BOOL -> boolean.class;
      case UNIT -> void.class;
    };
  }
}
