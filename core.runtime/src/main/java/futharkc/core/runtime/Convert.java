package futharkc.core.runtime;

/**
 * Conversions between primitive types for which Java has no cast. Java's casts convert between
 * signed integers, from narrower signed integers to floats, and between {@code f32} and {@code
 * f64}.
 *
 * <p>Floats are truncated to integers. NaN and the infinities become 0; values out of range become
 * unspecified integers.
 */
public final class Convert {
  private Convert() {}

  /** Converts {@code f16} to {@code i8}. */
  public static byte f16ToI8(short a) {
    return f32ToI8(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code u8}. */
  public static byte f16ToU8(short a) {
    return f32ToU8(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code i16}. */
  public static short f16ToI16(short a) {
    return f32ToI16(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code u16}. */
  public static short f16ToU16(short a) {
    return f32ToU16(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code i32}. */
  public static int f16ToI32(short a) {
    return f32ToI32(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code u32}. */
  public static int f16ToU32(short a) {
    return f32ToU32(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code i64}. */
  public static long f16ToI64(short a) {
    return f32ToI64(Float.float16ToFloat(a));
  }

  /** Converts {@code f16} to {@code u64}. */
  public static long f16ToU64(short a) {
    return f32ToU64(Float.float16ToFloat(a));
  }

  /** Converts {@code f32} to {@code i8}. */
  public static byte f32ToI8(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (byte) (int) a : 0;
  }

  /** Converts {@code f32} to {@code u8}. */
  public static byte f32ToU8(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (byte) (int) a : 0;
  }

  /** Converts {@code f32} to {@code i16}. */
  public static short f32ToI16(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (short) (int) a : 0;
  }

  /** Converts {@code f32} to {@code u16}. */
  public static short f32ToU16(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (short) (int) a : 0;
  }

  /** Converts {@code f32} to {@code i32}. */
  public static int f32ToI32(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (int) a : 0;
  }

  /** Converts {@code f32} to {@code u32}. */
  public static int f32ToU32(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (int) (long) a : 0;
  }

  /** Converts {@code f32} to {@code i64}. */
  public static long f32ToI64(float a) {
    return Math.abs(a) <= Float.MAX_VALUE ? (long) a : 0;
  }

  /** Converts {@code f32} to {@code u64}. */
  public static long f32ToU64(float a) {
    return a >= 0x1p63f && a <= Float.MAX_VALUE
        ? f32ToI64(a - 0x1p63f) ^ Long.MIN_VALUE
        : f32ToI64(a);
  }

  /** Converts {@code f64} to {@code i8}. */
  public static byte f64ToI8(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (byte) (int) a : 0;
  }

  /** Converts {@code f64} to {@code u8}. */
  public static byte f64ToU8(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (byte) (int) a : 0;
  }

  /** Converts {@code f64} to {@code i16}. */
  public static short f64ToI16(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (short) (int) a : 0;
  }

  /** Converts {@code f64} to {@code u16}. */
  public static short f64ToU16(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (short) (int) a : 0;
  }

  /** Converts {@code f64} to {@code i32}. */
  public static int f64ToI32(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (int) a : 0;
  }

  /** Converts {@code f64} to {@code u32}. */
  public static int f64ToU32(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (int) (long) a : 0;
  }

  /** Converts {@code f64} to {@code i64}. */
  public static long f64ToI64(double a) {
    return Math.abs(a) <= Double.MAX_VALUE ? (long) a : 0;
  }

  /** Converts {@code f64} to {@code u64}. */
  public static long f64ToU64(double a) {
    return a >= 0x1p63 && a <= Double.MAX_VALUE
        ? f64ToI64(a - 0x1p63) ^ Long.MIN_VALUE
        : f64ToI64(a);
  }

  /** Converts {@code i8} to {@code f16}. */
  public static short i8ToF16(byte a) {
    return Float.floatToFloat16(a);
  }

  /** Converts {@code u8} to {@code f16}. */
  public static short u8ToF16(byte a) {
    return Float.floatToFloat16(a & 0xff);
  }

  /** Converts {@code i16} to {@code f16}. */
  public static short i16ToF16(short a) {
    return Float.floatToFloat16(a);
  }

  /** Converts {@code u16} to {@code f16}. */
  public static short u16ToF16(short a) {
    return Float.floatToFloat16(a & 0xffff);
  }

  /** Converts {@code i32} to {@code f16}. */
  public static short i32ToF16(int a) {
    return Float.floatToFloat16(a);
  }

  /** Converts {@code u32} to {@code f16}. */
  public static short u32ToF16(int a) {
    return Float.floatToFloat16((float) (a & 0xffffffffL));
  }

  /** Converts {@code i64} to {@code f16}. */
  public static short i64ToF16(long a) {
    return Float.floatToFloat16((float) a);
  }

  /** Converts {@code u64} to {@code f16}. */
  public static short u64ToF16(long a) {
    return Float.floatToFloat16(u64ToF32(a));
  }

  /** Converts {@code u8} to {@code f32}. */
  public static float u8ToF32(byte a) {
    return a & 0xff;
  }

  /** Converts {@code u16} to {@code f32}. */
  public static float u16ToF32(short a) {
    return a & 0xffff;
  }

  /** Converts {@code u32} to {@code f32}. */
  public static float u32ToF32(int a) {
    return a & 0xffffffffL;
  }

  /** Converts {@code u64} to {@code f32}. */
  public static float u64ToF32(long a) {
    return a >= 0 ? a : (float) (a >>> 1 | a & 1) * 2;
  }

  /** Converts {@code u8} to {@code f64}. */
  public static double u8ToF64(byte a) {
    return a & 0xff;
  }

  /** Converts {@code u16} to {@code f64}. */
  public static double u16ToF64(short a) {
    return a & 0xffff;
  }

  /** Converts {@code u32} to {@code f64}. */
  public static double u32ToF64(int a) {
    return a & 0xffffffffL;
  }

  /** Converts {@code u64} to {@code f64}. */
  public static double u64ToF64(long a) {
    return a >= 0 ? a : (double) (a >>> 1 | a & 1) * 2;
  }

  /** Converts {@code f32} to {@code f16}. */
  public static short f32ToF16(float a) {
    return Float.floatToFloat16(a);
  }

  /** Converts {@code f64} to {@code f16} with a single rounding. */
  public static short f64ToF16(double a) {
    float f = (float) a;
    int bits = Float.floatToRawIntBits(f);
    if (f != a && !Double.isNaN(a) && (bits & 1) == 0) {
      // Rounding to odd preserves, in the last bit, whether the second rounding must round up.
      bits += Math.abs((double) f) < Math.abs(a) ? 1 : -1;
    }
    return Float.floatToFloat16(Float.intBitsToFloat(bits));
  }

  /** Converts {@code f16} to {@code f32}. */
  public static float f16ToF32(short a) {
    return Float.float16ToFloat(a);
  }

  /** Converts {@code f16} to {@code f64}. */
  public static double f16ToF64(short a) {
    return Float.float16ToFloat(a);
  }

  /** Converts {@code bool} to {@code f16}. */
  public static short boolToF16(boolean a) {
    return (short) (a ? 0x3c00 : 0);
  }

  /** Converts {@code f16} to {@code bool}. */
  public static boolean f16ToBool(short a) {
    return (a & 0x7fff) != 0;
  }
}
