// The functions of kernels that the dialects' own operators and functions do not provide.
//
// A section begins with "//:" and its name, followed by the names of the sections that it needs. The name of a section
// that dialects give ends in "@"; the section has its place in the text here. Every operation is total: where Futhark
// leaves the result undefined, it is that of core.runtime. A scalar of type f16 is a float whose value an f16 can
// represent.

//: sdiv_i32
FUN i32 sdiv_i32(i32 a, i32 b) {
  if (b == 0) return 0;
  if (b == -1) return (i32) (0 - (u32) a);
  i32 q = a / b;
  return q - (a % b != 0 && (a ^ b) < 0);
}

//: sdiv_i64
FUN i64 sdiv_i64(i64 a, i64 b) {
  if (b == 0) return 0;
  if (b == -1) return (i64) (0 - (u64) a);
  i64 q = a / b;
  return q - (a % b != 0 && (a ^ b) < 0);
}

//: smod_i32
FUN i32 smod_i32(i32 a, i32 b) {
  if (b == 0 || b == -1) return 0;
  i32 r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

//: smod_i64
FUN i64 smod_i64(i64 a, i64 b) {
  if (b == 0 || b == -1) return 0;
  i64 r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

//: sdiv_up_i32
FUN i32 sdiv_up_i32(i32 a, i32 b) {
  if (b == 0) return 0;
  if (b == -1) return (i32) (0 - (u32) a);
  i32 q = a / b;
  return q + (a % b != 0 && (a ^ b) >= 0);
}

//: sdiv_up_i64
FUN i64 sdiv_up_i64(i64 a, i64 b) {
  if (b == 0) return 0;
  if (b == -1) return (i64) (0 - (u64) a);
  i64 q = a / b;
  return q + (a % b != 0 && (a ^ b) >= 0);
}

//: squot_i32
FUN i32 squot_i32(i32 a, i32 b) {
  return b == 0 ? 0 : b == -1 ? (i32) (0 - (u32) a) : a / b;
}

//: squot_i64
FUN i64 squot_i64(i64 a, i64 b) {
  return b == 0 ? 0 : b == -1 ? (i64) (0 - (u64) a) : a / b;
}

//: hidden@
//: squot_by_variable@
//: srem_by_variable@
//: sdiv_by_variable@
//: smod_by_variable@

//: srem_i32
FUN i32 srem_i32(i32 a, i32 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

//: srem_i64
FUN i64 srem_i64(i64 a, i64 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

//: udiv_i32
FUN i32 udiv_i32(u32 a, u32 b) {
  return b == 0 ? 0 : (i32) (a / b);
}

//: udiv_i64
FUN i64 udiv_i64(u64 a, u64 b) {
  return b == 0 ? 0 : (i64) (a / b);
}

//: udiv_up_i32
FUN i32 udiv_up_i32(u32 a, u32 b) {
  return b == 0 || a == 0 ? 0 : (i32) ((a - 1) / b + 1);
}

//: udiv_up_i64
FUN i64 udiv_up_i64(u64 a, u64 b) {
  return b == 0 || a == 0 ? 0 : (i64) ((a - 1) / b + 1);
}

//: umod_i32
FUN i32 umod_i32(u32 a, u32 b) {
  return b == 0 ? 0 : (i32) (a % b);
}

//: umod_i64
FUN i64 umod_i64(u64 a, u64 b) {
  return b == 0 ? 0 : (i64) (a % b);
}

//: pow_i32
FUN i32 pow_i32(i32 a, u32 e) {
  u32 result = 1;
  u32 square = (u32) a;
  while (e != 0) {
    if (e & 1) result *= square;
    square *= square;
    e >>= 1;
  }
  return (i32) result;
}

//: pow_i64
FUN i64 pow_i64(i64 a, u64 e) {
  u64 result = 1;
  u64 square = (u64) a;
  while (e != 0) {
    if (e & 1) result *= square;
    square *= square;
    e >>= 1;
  }
  return (i64) result;
}

//: shl_i32@

//: shl_i64
FUN i64 shl_i64(u64 a, u64 b) {
  return b < 64 ? (i64) (a << b) : 0;
}

//: lshr_i32@

//: lshr_i64
FUN i64 lshr_i64(u64 a, u64 b) {
  return b < 64 ? (i64) (a >> b) : 0;
}

//: ashr_i32
FUN i32 ashr_i32(i32 a, u32 b) {
  return a >> (b < 32 ? b : 31);
}

//: ashr_i64
FUN i64 ashr_i64(i64 a, u64 b) {
  return a >> (b < 64 ? b : 63);
}

//: smin_i32
FUN i32 smin_i32(i32 a, i32 b) { return a < b ? a : b; }

//: smin_i64
FUN i64 smin_i64(i64 a, i64 b) { return a < b ? a : b; }

//: smax_i32
FUN i32 smax_i32(i32 a, i32 b) { return a > b ? a : b; }

//: smax_i64
FUN i64 smax_i64(i64 a, i64 b) { return a > b ? a : b; }

//: umin_i32
FUN i32 umin_i32(u32 a, u32 b) { return (i32) (a < b ? a : b); }

//: umin_i64
FUN i64 umin_i64(u64 a, u64 b) { return (i64) (a < b ? a : b); }

//: umax_i32
FUN i32 umax_i32(u32 a, u32 b) { return (i32) (a > b ? a : b); }

//: umax_i64
FUN i64 umax_i64(u64 a, u64 b) { return (i64) (a > b ? a : b); }

//: abs_i32
FUN i32 abs_i32(i32 a) { return a < 0 ? (i32) (0 - (u32) a) : a; }

//: abs_i64
FUN i64 abs_i64(i64 a) { return a < 0 ? (i64) (0 - (u64) a) : a; }

//: popc_i32@
//: popc_i64@
//: clz_i32@
//: clz_i64@
//: umul_hi_i32@
//: umul_hi_i64@
//: smul_hi_i32@
//: smul_hi_i64@

//: ctz_i32 popc_i32
FUN i32 ctz_i32(u32 a) { return popc_i32(~a & (a - 1)); }

//: ctz_i64 popc_i64
FUN i32 ctz_i64(u64 a) { return popc_i64(~a & (a - 1)); }

//: bits_f32@
//: from_bits_f32@
//: bits_f64@
//: from_bits_f64@
//: bits_f16@
//: from_bits_f16@

//: round_f16 bits_f16 from_bits_f16
// Returns the nearest f16.
FUN f32 round_f16(f32 a) { return from_bits_f16(bits_f16(a)); }

//: round_odd_f32 bits_f32 from_bits_f32
// Rounds an inexact sum s to odd, so that a further rounding to fewer bits is correct.
FUN f32 round_odd_f32(f32 s, bool too_small, bool too_large) {
  i32 b = bits_f32(s);
  if ((b & 1) == 0 && (too_small || too_large)) b += too_small ? 1 : -1;
  return from_bits_f32(b);
}

//: f64_to_f16 round_f16 round_odd_f32
FUN f32 f64_to_f16(f64 a) {
  f32 s = (f32) a;
  f64 x = a < 0 ? -a : a;
  f64 y = s < 0 ? -(f64) s : (f64) s;
  return round_f16(x <= 65536.0 ? round_odd_f32(s, y < x, y > x) : s);
}

//: fma_f16 round_f16 round_odd_f32
// The product is exact, and the rounding error of the sum is computed exactly.
FUN f32 fma_f16(f32 a, f32 b, f32 c) {
  f32 p = a * b;
  f32 s = p + c;
  f32 t = s - p;
  f32 e = (p - (s - t)) + (c - t);
  if (!(e == e) || e == 0) return round_f16(s);
  return round_f16(round_odd_f32(s, (e > 0) == (s > 0), (e > 0) != (s > 0)));
}

//: ldexp_f16@

//: nextafter_f16 bits_f16 from_bits_f16
FUN f32 nextafter_f16(f32 a, f32 b) {
  if (a != a || b != b) return F32_NAN;
  if (a == b) return b;
  if (a == 0) return from_bits_f16((i16) (b > 0 ? 1 : 0x8001));
  i16 h = bits_f16(a);
  return from_bits_f16((i16) ((a < b) == (a > 0) ? h + 1 : h - 1));
}

//: f32_to_i32@
//: f32_to_i64@

//: f32_to_u64 f32_to_i64
FUN i64 f32_to_u64(f32 a) {
  return a >= 9223372036854775808.0f && a < F32_INF
    ? f32_to_i64(a - 9223372036854775808.0f) ^ (-I64(9223372036854775807) - 1)
    : f32_to_i64(a);
}

//: f64_to_i32@
//: f64_to_i64@

//: f64_to_u64 f64_to_i64
FUN i64 f64_to_u64(f64 a) {
  return a >= 9223372036854775808.0 && a < F64_INF
    ? f64_to_i64(a - 9223372036854775808.0) ^ (-I64(9223372036854775807) - 1)
    : f64_to_i64(a);
}

//: signum_f32
FUN f32 signum_f32(f32 a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : a; }

//: signum_f64
FUN f64 signum_f64(f64 a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }

//: isnan_f32 bits_f32
FUN bool isnan_f32(f32 a) { return (bits_f32(a) & 0x7fffffff) > 0x7f800000; }

//: isnan_f64 bits_f64
FUN bool isnan_f64(f64 a) { return (bits_f64(a) & I64(0x7fffffffffffffff)) > I64(0x7ff0000000000000); }



//: tanpi_f32@
//: tanpi_f64@
//: asinpi_f32@

//: asinpi_f64
FUN f64 asinpi_f64(f64 a) { return asin(a) * 0.31830988618379067; }

//: acospi_f32@

//: acospi_f64
FUN f64 acospi_f64(f64 a) { return acos(a) * 0.31830988618379067; }

//: atanpi_f32@

//: atanpi_f64
FUN f64 atanpi_f64(f64 a) { return atan(a) * 0.31830988618379067; }

//: atan2pi_f32@

//: atan2pi_f64
FUN f64 atan2pi_f64(f64 a, f64 b) { return atan2(a, b) * 0.31830988618379067; }

//: gamma_f32@

//: gamma_f64
FUN f64 gamma_f64(f64 a) { return tgamma(a); }

//: lgamma_f32@

//: lgamma_f64
FUN f64 lgamma_f64(f64 a) { return lgamma(a); }

//: erf_f32@

//: erf_f64
FUN f64 erf_f64(f64 a) { return erf(a); }

//: erfc_f32@

//: erfc_f64
FUN f64 erfc_f64(f64 a) { return erfc(a); }

//: fail@
//: fence_of_block@
//: fence@

//: further_on
FUN i32 further_on(i64 distance, i32 width) {
  const i32 thread = THREAD(0);
  const bool there = distance >= -(thread % width) && distance < width - thread % width && distance < (i32) THREADS(0) - thread;
  return there ? thread + (i32) distance : thread;
}

//: shuffle@
//: sync@
//: stays_inside@
//: atomic_fadd_f32$@
//: atomic_fadd_f64@
//: atomic_fadd_f64$@
