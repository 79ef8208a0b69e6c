// The sections of the kernel library that are particular to CUDA C++; core.codegen has the others.

//: hidden
// Hides a divisor: otherwise, the compiler concludes from the division that the divisor is neither 0 nor -1.
FUN i32 hidden(i32 b) { asm("" : "+r"(b)); return b; }
FUN i64 hidden(i64 b) { asm("" : "+l"(b)); return b; }

//: squot_by_variable hidden
template<typename T> FUN T squot_by_variable(T a, T b) { return a / hidden(b); }

//: srem_by_variable hidden
template<typename T> FUN T srem_by_variable(T a, T b) { return a % hidden(b); }

//: sdiv_by_variable hidden
template<typename T> FUN T sdiv_by_variable(T a, T b) {
  b = hidden(b);
  T q = a / b;
  return q - (a % b != 0 && (a ^ b) < 0);
}

//: smod_by_variable hidden
template<typename T> FUN T smod_by_variable(T a, T b) {
  b = hidden(b);
  T r = a % b;
  return r != 0 && (r ^ b) < 0 ? r + b : r;
}

//: shl_i32
FUN i32 shl_i32(u32 a, u32 b) { return (i32) __funnelshift_lc(0, a, b); }

//: lshr_i32
FUN i32 lshr_i32(u32 a, u32 b) { return (i32) __funnelshift_rc(a, 0, b); }

//: popc_i32
FUN i32 popc_i32(u32 a) { return __popc(a); }

//: popc_i64
FUN i32 popc_i64(u64 a) { return __popcll(a); }

//: clz_i32
FUN i32 clz_i32(u32 a) { return __clz((i32) a); }

//: clz_i64
FUN i32 clz_i64(u64 a) { return __clzll((i64) a); }

//: umul_hi_i32
FUN i32 umul_hi_i32(u32 a, u32 b) { return (i32) __umulhi(a, b); }

//: umul_hi_i64
FUN i64 umul_hi_i64(u64 a, u64 b) { return (i64) __umul64hi(a, b); }

//: smul_hi_i32
FUN i32 smul_hi_i32(i32 a, i32 b) { return __mulhi(a, b); }

//: smul_hi_i64
FUN i64 smul_hi_i64(i64 a, i64 b) { return __mul64hi(a, b); }

//: bits_f32
FUN i32 bits_f32(f32 a) { return __float_as_int(a); }

//: from_bits_f32
FUN f32 from_bits_f32(i32 a) { return __int_as_float(a); }

//: bits_f64
FUN i64 bits_f64(f64 a) { return __double_as_longlong(a); }

//: from_bits_f64
FUN f64 from_bits_f64(i64 a) { return __longlong_as_double(a); }

//: bits_f16
FUN i16 bits_f16(f32 a) {
  u16 h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a));
  return (i16) h;
}

//: from_bits_f16
FUN f32 from_bits_f16(i16 a) {
  f32 x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a));
  return x;
}

//: ldexp_f16 round_f16
FUN f32 ldexp_f16(f32 a, i32 n) { return round_f16(ldexpf(a, n < -100 ? -100 : n > 100 ? 100 : n)); }

//: f32_to_i32
FUN i32 f32_to_i32(f32 a) { return fabsf(a) < F32_INF ? __float2int_rz(a) : 0; }

//: f32_to_i64
FUN i64 f32_to_i64(f32 a) { return fabsf(a) < F32_INF ? __float2ll_rz(a) : 0; }

//: f64_to_i32
FUN i32 f64_to_i32(f64 a) { return fabs(a) < F64_INF ? __double2int_rz(a) : 0; }

//: f64_to_i64
FUN i64 f64_to_i64(f64 a) { return fabs(a) < F64_INF ? __double2ll_rz(a) : 0; }

//: tanpi_f32
FUN f32 tanpi_f32(f32 a) { return sinpif(a) / (cospif(a) + 0.0f); }

//: tanpi_f64
FUN f64 tanpi_f64(f64 a) { return sinpi(a) / (cospi(a) + 0.0); }

//: asinpi_f32
FUN f32 asinpi_f32(f32 a) { return asinf(a) * 0.31830988618379067f; }

//: acospi_f32
FUN f32 acospi_f32(f32 a) { return acosf(a) * 0.31830988618379067f; }

//: atanpi_f32
FUN f32 atanpi_f32(f32 a) { return atanf(a) * 0.31830988618379067f; }

//: atan2pi_f32
FUN f32 atan2pi_f32(f32 a, f32 b) { return atan2f(a, b) * 0.31830988618379067f; }

//: gamma_f32
FUN f32 gamma_f32(f32 a) { return tgammaf(a); }

//: lgamma_f32
FUN f32 lgamma_f32(f32 a) { return lgammaf(a); }

//: erf_f32
FUN f32 erf_f32(f32 a) { return erff(a); }

//: erfc_f32
FUN f32 erfc_f32(f32 a) { return erfcf(a); }

//: fail
// Records a failure; returns true if it is the first one.
FUN bool fail(volatile i32 *failure, i32 what) { return atomicCAS((i32 *) failure, -1, what) == -1; }

//: fence_of_block
#define fence_of_block() __threadfence_block()

//: fence
#define fence() __threadfence()

//: shuffle
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

//: sync
#define sync() __syncthreads()

//: atomic_fadd_f64
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
