// The functions of kernels that the dialects' own operators and functions do not provide.
//
// A section begins with "//:" and its name, followed by the names of the sections that it needs. A section whose name
// ends in "@opencl" or "@cuda" is for that dialect alone. Every operation is total: where Futhark leaves the result
// undefined, it is that of core.runtime. A scalar of type f16 is a float whose value an f16 can represent.

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

//: hidden@cuda
// Hides a divisor: otherwise, the compiler concludes from the division that the divisor is neither 0 nor -1.
FUN i32 hidden(i32 b) { asm("" : "+r"(b)); return b; }
FUN i64 hidden(i64 b) { asm("" : "+l"(b)); return b; }

//: squot_by_variable@cuda hidden
template<typename T> FUN T squot_by_variable(T a, T b) { return a / hidden(b); }

//: srem_by_variable@cuda hidden
template<typename T> FUN T srem_by_variable(T a, T b) { return a % hidden(b); }

//: sdiv_by_variable@cuda hidden
template<typename T> FUN T sdiv_by_variable(T a, T b) {
  b = hidden(b);
  T q = a / b;
  return q - (a % b != 0 && (a ^ b) < 0);
}

//: smod_by_variable@cuda hidden
template<typename T> FUN T smod_by_variable(T a, T b) {
  b = hidden(b);
  T r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

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

//: shl_i32@opencl
FUN i32 shl_i32(u32 a, u32 b) {
  return b < 32 ? (i32) (a << b) : 0;
}

//: shl_i32@cuda
FUN i32 shl_i32(u32 a, u32 b) { return (i32) __funnelshift_lc(0, a, b); }

//: shl_i64
FUN i64 shl_i64(u64 a, u64 b) {
  return b < 64 ? (i64) (a << b) : 0;
}

//: lshr_i32@opencl
FUN i32 lshr_i32(u32 a, u32 b) {
  return b < 32 ? (i32) (a >> b) : 0;
}

//: lshr_i32@cuda
FUN i32 lshr_i32(u32 a, u32 b) { return (i32) __funnelshift_rc(a, 0, b); }

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

//: popc_i32@opencl
FUN i32 popc_i32(u32 a) { return (i32) popcount(a); }

//: popc_i64@opencl
FUN i32 popc_i64(u64 a) { return (i32) popcount(a); }

//: clz_i32@opencl
FUN i32 clz_i32(u32 a) { return (i32) clz(a); }

//: clz_i64@opencl
FUN i32 clz_i64(u64 a) { return (i32) clz(a); }

//: umul_hi_i32@opencl
FUN i32 umul_hi_i32(u32 a, u32 b) { return (i32) mul_hi(a, b); }

//: umul_hi_i64@opencl
FUN i64 umul_hi_i64(u64 a, u64 b) { return (i64) mul_hi(a, b); }

//: smul_hi_i32@opencl
FUN i32 smul_hi_i32(i32 a, i32 b) { return mul_hi(a, b); }

//: smul_hi_i64@opencl
FUN i64 smul_hi_i64(i64 a, i64 b) { return mul_hi(a, b); }

//: popc_i32@cuda
FUN i32 popc_i32(u32 a) { return __popc(a); }

//: popc_i64@cuda
FUN i32 popc_i64(u64 a) { return __popcll(a); }

//: clz_i32@cuda
FUN i32 clz_i32(u32 a) { return __clz((i32) a); }

//: clz_i64@cuda
FUN i32 clz_i64(u64 a) { return __clzll((i64) a); }

//: umul_hi_i32@cuda
FUN i32 umul_hi_i32(u32 a, u32 b) { return (i32) __umulhi(a, b); }

//: umul_hi_i64@cuda
FUN i64 umul_hi_i64(u64 a, u64 b) { return (i64) __umul64hi(a, b); }

//: smul_hi_i32@cuda
FUN i32 smul_hi_i32(i32 a, i32 b) { return __mulhi(a, b); }

//: smul_hi_i64@cuda
FUN i64 smul_hi_i64(i64 a, i64 b) { return __mul64hi(a, b); }

//: ctz_i32 popc_i32
FUN i32 ctz_i32(u32 a) { return popc_i32(~a & (a - 1)); }

//: ctz_i64 popc_i64
FUN i32 ctz_i64(u64 a) { return popc_i64(~a & (a - 1)); }

//: bits_f32@opencl
FUN i32 bits_f32(f32 a) { return as_int(a); }

//: from_bits_f32@opencl
FUN f32 from_bits_f32(i32 a) { return as_float(a); }

//: bits_f64@opencl
FUN i64 bits_f64(f64 a) { return as_long(a); }

//: from_bits_f64@opencl
FUN f64 from_bits_f64(i64 a) { return as_double(a); }

//: bits_f32@cuda
FUN i32 bits_f32(f32 a) { return __float_as_int(a); }

//: from_bits_f32@cuda
FUN f32 from_bits_f32(i32 a) { return __int_as_float(a); }

//: bits_f64@cuda
FUN i64 bits_f64(f64 a) { return __double_as_longlong(a); }

//: from_bits_f64@cuda
FUN f64 from_bits_f64(i64 a) { return __longlong_as_double(a); }

//: bits_f16@opencl
FUN i16 bits_f16(f32 a) {
  u16 h;
  vstore_half_rte(a, 0, (half *) &h);
  return (i16) h;
}

//: from_bits_f16@opencl
FUN f32 from_bits_f16(i16 a) {
  return vload_half(0, (half *) &a);
}

//: bits_f16@cuda
FUN i16 bits_f16(f32 a) {
  u16 h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  return (i16) h;
}

//: from_bits_f16@cuda
FUN f32 from_bits_f16(i16 a) {
  f32 x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a));
  return x;
}

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

//: ldexp_f16@opencl round_f16
FUN f32 ldexp_f16(f32 a, i32 n) { return round_f16(ldexp(a, n < -100 ? -100 : n > 100 ? 100 : n)); }

//: ldexp_f16@cuda round_f16
FUN f32 ldexp_f16(f32 a, i32 n) { return round_f16(ldexpf(a, n < -100 ? -100 : n > 100 ? 100 : n)); }

//: nextafter_f16 bits_f16 from_bits_f16
FUN f32 nextafter_f16(f32 a, f32 b) {
  if (a != a || b != b) return F32_NAN;
  if (a == b) return b;
  if (a == 0) return from_bits_f16((i16) (b > 0 ? 1 : 0x8001));
  i16 h = bits_f16(a);
  return from_bits_f16((i16) ((a < b) == (a > 0) ? h + 1 : h - 1));
}

//: f32_to_i32@opencl
FUN i32 f32_to_i32(f32 a) {
  if (!(a > -F32_INF && a < F32_INF)) return 0;
  return a >= 2147483648.0f ? 2147483647 : a <= -2147483648.0f ? -2147483647 - 1 : (i32) a;
}

//: f32_to_i32@cuda
FUN i32 f32_to_i32(f32 a) { return fabsf(a) < F32_INF ? __float2int_rz(a) : 0; }

//: f32_to_i64@opencl
FUN i64 f32_to_i64(f32 a) {
  if (!(a > -F32_INF && a < F32_INF)) return 0;
  return a >= 9223372036854775808.0f ? I64(9223372036854775807)
    : a <= -9223372036854775808.0f ? -I64(9223372036854775807) - 1
    : (i64) a;
}

//: f32_to_i64@cuda
FUN i64 f32_to_i64(f32 a) { return fabsf(a) < F32_INF ? __float2ll_rz(a) : 0; }

//: f32_to_u64 f32_to_i64
FUN i64 f32_to_u64(f32 a) {
  return a >= 9223372036854775808.0f && a < F32_INF
    ? f32_to_i64(a - 9223372036854775808.0f) ^ (-I64(9223372036854775807) - 1)
    : f32_to_i64(a);
}

//: f64_to_i32@opencl
FUN i32 f64_to_i32(f64 a) {
  if (!(a > -F64_INF && a < F64_INF)) return 0;
  return a >= 2147483647.0 ? 2147483647 : a <= -2147483648.0 ? -2147483647 - 1 : (i32) a;
}

//: f64_to_i32@cuda
FUN i32 f64_to_i32(f64 a) { return fabs(a) < F64_INF ? __double2int_rz(a) : 0; }

//: f64_to_i64@opencl
FUN i64 f64_to_i64(f64 a) {
  if (!(a > -F64_INF && a < F64_INF)) return 0;
  return a >= 9223372036854775808.0 ? I64(9223372036854775807)
    : a <= -9223372036854775808.0 ? -I64(9223372036854775807) - 1
    : (i64) a;
}

//: f64_to_i64@cuda
FUN i64 f64_to_i64(f64 a) { return fabs(a) < F64_INF ? __double2ll_rz(a) : 0; }

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



//: tanpi_f32@opencl
FUN f32 tanpi_f32(f32 a) { return sinpi(a) / (cospi(a) + 0.0f); }

//: tanpi_f64@opencl
FUN f64 tanpi_f64(f64 a) { return sinpi(a) / (cospi(a) + 0.0); }

//: tanpi_f32@cuda
FUN f32 tanpi_f32(f32 a) { return sinpif(a) / (cospif(a) + 0.0f); }

//: tanpi_f64@cuda
FUN f64 tanpi_f64(f64 a) { return sinpi(a) / (cospi(a) + 0.0); }

//: asinpi_f32@opencl
FUN f32 asinpi_f32(f32 a) { return asin(a) * 0.31830988618379067f; }

//: asinpi_f64
FUN f64 asinpi_f64(f64 a) { return asin(a) * 0.31830988618379067; }

//: acospi_f32@opencl
FUN f32 acospi_f32(f32 a) { return acos(a) * 0.31830988618379067f; }

//: acospi_f64
FUN f64 acospi_f64(f64 a) { return acos(a) * 0.31830988618379067; }

//: atanpi_f32@opencl
FUN f32 atanpi_f32(f32 a) { return atan(a) * 0.31830988618379067f; }

//: atanpi_f64
FUN f64 atanpi_f64(f64 a) { return atan(a) * 0.31830988618379067; }

//: atan2pi_f32@opencl
FUN f32 atan2pi_f32(f32 a, f32 b) { return atan2(a, b) * 0.31830988618379067f; }

//: atan2pi_f64
FUN f64 atan2pi_f64(f64 a, f64 b) { return atan2(a, b) * 0.31830988618379067; }

//: asinpi_f32@cuda
FUN f32 asinpi_f32(f32 a) { return asinf(a) * 0.31830988618379067f; }

//: acospi_f32@cuda
FUN f32 acospi_f32(f32 a) { return acosf(a) * 0.31830988618379067f; }

//: atanpi_f32@cuda
FUN f32 atanpi_f32(f32 a) { return atanf(a) * 0.31830988618379067f; }

//: atan2pi_f32@cuda
FUN f32 atan2pi_f32(f32 a, f32 b) { return atan2f(a, b) * 0.31830988618379067f; }

//: gamma_f32@opencl
FUN f32 gamma_f32(f32 a) { return tgamma(a); }

//: gamma_f32@cuda
FUN f32 gamma_f32(f32 a) { return tgammaf(a); }

//: gamma_f64
FUN f64 gamma_f64(f64 a) { return tgamma(a); }

//: lgamma_f32@opencl
FUN f32 lgamma_f32(f32 a) { return lgamma(a); }

//: lgamma_f32@cuda
FUN f32 lgamma_f32(f32 a) { return lgammaf(a); }

//: lgamma_f64
FUN f64 lgamma_f64(f64 a) { return lgamma(a); }

//: erf_f32@opencl
FUN f32 erf_f32(f32 a) { return erf(a); }

//: erf_f32@cuda
FUN f32 erf_f32(f32 a) { return erff(a); }

//: erf_f64
FUN f64 erf_f64(f64 a) { return erf(a); }

//: erfc_f32@opencl
FUN f32 erfc_f32(f32 a) { return erfc(a); }

//: erfc_f32@cuda
FUN f32 erfc_f32(f32 a) { return erfcf(a); }

//: erfc_f64
FUN f64 erfc_f64(f64 a) { return erfc(a); }

//: fail@opencl
// Records a failure; returns true if it is the first one.
FUN bool fail(GLOBAL volatile i32 *failure, i32 what) { return atomic_cmpxchg(failure, -1, what) == -1; }

//: fail@cuda
// Records a failure; returns true if it is the first one.
FUN bool fail(volatile i32 *failure, i32 what) { return atomicCAS((i32 *) failure, -1, what) == -1; }

//: fence_of_block@opencl
#define fence_of_block() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)

//: fence_of_block@cuda
#define fence_of_block() __threadfence_block()

//: fence@opencl
#ifdef cl_nv_pragma_unroll
#define fence() asm volatile("membar.gl;" ::: "memory")
#else
#define fence() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif

//: fence@cuda
#define fence() __threadfence()

//: further_on@opencl
FUN i32 further_on(i64 distance, i32 width) {
  const i32 thread = THREAD(0);
  const bool there = distance >= -(thread % width) && distance < width - thread % width && distance < (i32) THREADS(0) - thread;
  return there ? thread + (i32) distance : thread;
}

//: shuffle@cuda
template<typename T> FUN T shuffled(u32 mask, T value, i32 from) {
  return (T) __shfl_sync(mask, (i32) value, from);
}
FUN i64 shuffled(u32 mask, i64 value, i32 from) {
  return __shfl_sync(mask, value, from);
}
FUN f32 shuffled(u32 mask, f32 value, i32 from) {
  return __shfl_sync(mask, value, from);
}
FUN double shuffled(u32 mask, double value, i32 from) {
  return __shfl_sync(mask, value, from);
}
template<typename T> FUN T shuffle(T value, i64 distance, i32 width) {
  const i32 thread = threadIdx.x;
  const i32 left = (i32) blockDim.x - (thread & ~31);
  const T other = shuffled(left >= 32 ? ~0u : (1u << left) - 1, value, (thread + (i32) distance) & 31);
  return distance >= -(thread % width) && distance < width - thread % width && distance < (i32) blockDim.x - thread ? other : value;
}

//: sync@opencl
#define sync() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

//: stays_inside@opencl
// Hides from PoCL whether a loop has a first iteration. PoCL moves that decision out of a loop around a barrier,
// where one thread decides for all threads of the thread block.
#if defined(__x86_64__) || defined(__aarch64__)
#define stays_inside(end) __asm__ volatile("" : "+r"(end))
#else
#define stays_inside(end)
#endif

//: sync@cuda
#define sync() __syncthreads()

//: atomic_fadd_f32$@opencl
FUN f32 atomic_fadd_f32$(volatile SPACE f32 *p, f32 x) {
  volatile SPACE i32 *bits = (volatile SPACE i32 *) p;
  i32 old = *bits;
  while (true) {
    i32 seen = atomic_cmpxchg(bits, old, as_int(as_float(old) + x));
    if (seen == old) return as_float(old);
    old = seen;
  }
}

//: atomic_fadd_f64@cuda
// Devices below compute capability 6.0 have no such instruction.
FUN f64 atomic_fadd_f64(f64 *p, f64 x) {
#if __CUDA_ARCH__ >= 600
  return atomicAdd(p, x);
#else
  u64 old = *(volatile u64 *) p;
  while (true) {
    u64 seen = atomicCAS((u64 *) p, old, (u64) __double_as_longlong(__longlong_as_double((i64) old) + x));
    if (seen == old) return __longlong_as_double((i64) old);
    old = seen;
  }
#endif
}

//: atomic_fadd_f64$@opencl
FUN f64 atomic_fadd_f64$(volatile SPACE f64 *p, f64 x) {
  volatile SPACE i64 *bits = (volatile SPACE i64 *) p;
  i64 old = *bits;
  while (true) {
    i64 seen = atom_cmpxchg(bits, old, as_long(as_double(old) + x));
    if (seen == old) return as_double(old);
    old = seen;
  }
}
