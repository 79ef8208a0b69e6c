package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PrimitiveOperationsTest {
  private static final double NAN = Double.NaN;
  private static final double INF = Double.POSITIVE_INFINITY;

  @Test
  void numbersWithSixDigitsAfterThePoint() {
    assertEquals("0.100000", F64.fixed(0.1));
    assertEquals("-0.000000", F64.fixed(-0.0));
    assertEquals("0.000000", F64.fixed(5e-7));
    assertEquals("100000000000000000000.000000", F64.fixed(1e20));
    assertEquals("-inf", F64.fixed(Double.NEGATIVE_INFINITY));
    assertEquals("nan", F64.fixed(Double.NaN));
  }

  @Test
  void remainderByOneAboveAPowerOfTwo() {
    for (int k = 16; k <= 30; k++) {
      int m = (1 << k) + 1;
      for (int a :
          new int[] {0, 1, m - 1, m, m + 1, -1, -m, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        assertEquals(Integer.remainderUnsigned(a, m), I32.umodAbove(a, k), a + " mod " + m);
      }
    }
  }

  @Test
  void runsInItsModule() {
    assertTrue(I32.class.getModule().isNamed());
  }

  @Test
  void divisionFloorsAndNeverTraps() {
    assertEquals(-4, I32.sdiv(-7, 2));
    assertEquals(1, I32.smod(-7, 2));
    assertEquals(-1, I32.smod(7, -2));
    assertEquals(-3, I32.squot(-7, 2));
    assertEquals(-1, I32.srem(-7, 2));
    assertEquals(Integer.MIN_VALUE, I32.sdiv(Integer.MIN_VALUE, -1));
    assertEquals((byte) -128, I8.sdiv((byte) -128, (byte) -1));
    assertEquals(0, I64.sdiv(5, 0));
    assertEquals(0, I16.umod((short) 5, (short) 0));
    assertEquals((byte) 127, I8.udiv((byte) -1, (byte) 2));
    assertEquals(0x5555555555555555L, I64.udiv(-1, 3));
    assertEquals((short) 5, I16.umod((short) -1, (short) 10));
  }

  @Test
  void shiftsByTheWidthOrMoreShiftEverythingOut() {
    assertEquals(0, I32.shl(1, 32));
    assertEquals(0, I32.shl(1, -1));
    assertEquals(0, I32.lshr(-1, 32));
    assertEquals(-1, I32.ashr(-5, 40));
    assertEquals(0, I64.ashr(5, 64));
    assertEquals((byte) 0xf0, I8.shl((byte) -1, (byte) 4));
    assertEquals((byte) 0x0f, I8.lshr((byte) -1, (byte) 4));
    assertEquals((byte) -1, I8.ashr((byte) -128, (byte) 8));
    assertEquals((short) 1, I16.lshr((short) -1, (short) 15));
  }

  @Test
  void integerPowersWrap() {
    assertEquals(1, I32.pow(0, 0));
    assertEquals(1 << 30, I32.pow(2, 30));
    assertEquals(0, I32.pow(2, 32));
    assertEquals((byte) 27, I8.pow((byte) 3, (byte) 3));
    assertEquals(-8, I64.pow(-2, 3));
  }

  @Test
  void bitsOfEveryWidth() {
    assertEquals(8, I8.popc((byte) -1));
    assertEquals(8, I8.clz((byte) 0));
    assertEquals(0, I8.clz((byte) -1));
    assertEquals(8, I8.ctz((byte) 0));
    assertEquals(16, I16.ctz((short) 0));
    assertEquals(15, I16.clz((short) 1));
    assertEquals(32, I32.ctz(0));
    assertEquals(64, I64.clz(0));
    assertEquals((byte) -2, I8.umulHi((byte) -1, (byte) -1));
    assertEquals((byte) 0, I8.smulHi((byte) -1, (byte) -1));
    assertEquals((short) -2, I16.umulHi((short) -1, (short) -1));
    assertEquals(-2, I32.umulHi(-1, -1));
    assertEquals(0, I32.smulHi(-1, -1));
    assertEquals(-2L, I64.umulHi(-1, -1));
    assertEquals(5, I64.smadHi(-1, -1, 5));
    assertTrue(I8.ult((byte) 1, (byte) -1));
    assertFalse(I32.ule(-1, 1));
    assertEquals((byte) -1, I8.umax((byte) 1, (byte) -1));
    assertEquals(Integer.MIN_VALUE, I32.abs(Integer.MIN_VALUE));
  }

  @Test
  void extremesIgnoreNaN() {
    assertEquals(1, F64.min(NAN, 1));
    assertEquals(1, F64.min(1, NAN));
    assertEquals(2f, F32.max(2f, Float.NaN));
    assertEquals(2f, F32.max(Float.NaN, 2f));
    assertTrue(Double.isNaN(F64.max(NAN, NAN)));
    assertEquals(-INF, F64.max(-INF, -INF));
  }

  @Test
  void floatFunctionsAtTheirCorners() {
    assertEquals(1, F64.pow(1, NAN));
    assertEquals(1, F64.pow(-1, INF));
    assertEquals(1, F64.pow(NAN, 0));
    assertEquals(-1.5, F64.mod(-5.5, 2));
    assertEquals(2, F64.round(2.5));
    assertEquals(-0.0, F64.round(-0.5));
    assertEquals(3, F64.log2(8));
    assertEquals(-1074, F64.log2(Double.MIN_VALUE));
    assertEquals(0, F64.sinpi(1e15));
    assertEquals(-1, F64.cospi(7));
    assertEquals(0, F64.cospi(0.5));
    assertEquals(120, F64.gamma(6));
    assertEquals(INF, F64.gamma(0));
    assertTrue(Double.isNaN(F64.gamma(-2)));
    assertEquals(Math.sqrt(Math.PI), F64.gamma(0.5), 1e-14);
    assertEquals(359.1342053695754, F64.lgamma(100), 1e-11);
    assertEquals(1.2655121234846454, F64.lgamma(-0.5), 1e-13);
    assertEquals(0.8427007929497149, F64.erf(1), 1e-15);
    assertEquals(-0.9953222650189527, F64.erf(-2), 1e-15);
    assertEquals(1.537459794428035e-12, F64.erfc(5), 1e-26);
    assertEquals(2, F64.erfc(-10));
    assertEquals(0, F64.erf(0));
    assertEquals(INF, F64.acosh(INF));
    assertEquals(-INF, F64.atanh(-1));
    assertEquals(Float.POSITIVE_INFINITY, F32.hypot(Float.NaN, Float.NEGATIVE_INFINITY));
    assertEquals(Float.MAX_VALUE, F32.hypot(Float.MAX_VALUE, 1f));
  }

  @Test
  void conversionsOfSpecialAndUnsignedNumbers() {
    assertEquals(0, Convert.f32ToI32(Float.NaN));
    assertEquals(0, Convert.f64ToI64(INF));
    assertEquals(0, Convert.f64ToU64(-INF));
    assertEquals((byte) -1, Convert.f32ToU8(255.9f));
    assertEquals((byte) -3, Convert.f64ToI8(-3.9));
    assertEquals(0xb2d05e00, Convert.f64ToU32(3e9));
    assertEquals(0x8000000000000800L, Convert.f64ToU64(0x1p63 + 2048));
    assertEquals(0x1p64, Convert.u64ToF64(-1));
    assertEquals(255f, Convert.u8ToF32((byte) -1));
    assertEquals(4294967295.0, Convert.u32ToF64(-1));
    assertEquals((short) 0x7c00, Convert.i32ToF16(70000));
    assertEquals((short) 0x5bf8, Convert.u8ToF16((byte) -1));
    assertEquals(65504, Convert.f16ToI32((short) 0x7bff));
  }

  @Test
  void doublesBecomeHalvesInOneRounding() {
    // The double is just above the middle of two halves; rounding to float first would give the
    // middle.
    double x = 1 + 0x1p-11 + 0x1p-40;
    assertEquals((short) 0x3c01, Convert.f64ToF16(x));
    assertEquals((short) 0x3c00, Convert.f64ToF16(1 + 0x1p-11));
    assertEquals((short) 0x7c00, Convert.f64ToF16(1e300));
    assertTrue(F16.isNaN(Convert.f64ToF16(NAN)));
  }

  @Test
  void halvesRoundAndStep() {
    short one = 0x3c00;
    assertEquals((short) 0x3c01, F16.nextAfter(one, (short) 0x7c00));
    assertEquals((short) 0x8001, F16.nextAfter((short) 0, (short) 0xbc00));
    assertEquals((short) 0xbbff, F16.nextAfter((short) 0xbc00, one));
    assertEquals(one, F16.add(one, (short) 0x1000));
    assertEquals((short) 0xbc00, F16.neg(one));
    assertTrue(F16.lt((short) 0xbc00, one));
    assertFalse(F16.eq((short) 0x7e00, (short) 0x7e00));
    assertEquals((short) 0x4200, F16.log2((short) 0x4800));
  }
}
