// The sections of the kernel library that are particular to OpenCL C; core.codegen has the others.

//: shl_i32
FUN i32 shl_i32(u32 a, u32 b) {
  return b < 32 ? (i32) (a << b) : 0;
}

//: lshr_i32
FUN i32 lshr_i32(u32 a, u32 b) {
  return b < 32 ? (i32) (a >> b) : 0;
}

//: popc_i32
FUN i32 popc_i32(u32 a) { return (i32) popcount(a); }

//: popc_i64
FUN i32 popc_i64(u64 a) { return (i32) popcount(a); }

//: clz_i32
FUN i32 clz_i32(u32 a) { return (i32) clz(a); }

//: clz_i64
FUN i32 clz_i64(u64 a) { return (i32) clz(a); }

//: umul_hi_i32
FUN i32 umul_hi_i32(u32 a, u32 b) { return (i32) mul_hi(a, b); }

//: umul_hi_i64
FUN i64 umul_hi_i64(u64 a, u64 b) { return (i64) mul_hi(a, b); }

//: smul_hi_i32
FUN i32 smul_hi_i32(i32 a, i32 b) { return mul_hi(a, b); }

//: smul_hi_i64
FUN i64 smul_hi_i64(i64 a, i64 b) { return mul_hi(a, b); }

//: bits_f32
FUN i32 bits_f32(f32 a) { return as_int(a); }

//: from_bits_f32
FUN f32 from_bits_f32(i32 a) { return as_float(a); }

//: bits_f64
FUN i64 bits_f64(f64 a) { return as_long(a); }

//: from_bits_f64
FUN f64 from_bits_f64(i64 a) { return as_double(a); }

//: bits_f16
FUN i16 bits_f16(f32 a) {
  u16 h;
  vstore_half_rte(a, 0, (half *) &h);
  return (i16) h;
}

//: from_bits_f16
FUN f32 from_bits_f16(i16 a) {
  return vload_half(0, (half *) &a);
}

//: ldexp_f16 round_f16
FUN f32 ldexp_f16(f32 a, i32 n) { return round_f16(ldexp(a, n < -100 ? -100 : n > 100 ? 100 : n)); }

//: f32_to_i32
FUN i32 f32_to_i32(f32 a) {
  if (!(a > -F32_INF && a < F32_INF)) return 0;
  return a >= 2147483648.0f ? 2147483647 : a <= -2147483648.0f ? -2147483647 - 1 : (i32) a;
}

//: f32_to_i64
FUN i64 f32_to_i64(f32 a) {
  if (!(a > -F32_INF && a < F32_INF)) return 0;
  return a >= 9223372036854775808.0f ? I64(9223372036854775807)
    : a <= -9223372036854775808.0f ? -I64(9223372036854775807) - 1
    : (i64) a;
}

//: f64_to_i32
FUN i32 f64_to_i32(f64 a) {
  if (!(a > -F64_INF && a < F64_INF)) return 0;
  return a >= 2147483647.0 ? 2147483647 : a <= -2147483648.0 ? -2147483647 - 1 : (i32) a;
}

//: f64_to_i64
FUN i64 f64_to_i64(f64 a) {
  if (!(a > -F64_INF && a < F64_INF)) return 0;
  return a >= 9223372036854775808.0 ? I64(9223372036854775807)
    : a <= -9223372036854775808.0 ? -I64(9223372036854775807) - 1
    : (i64) a;
}

//: tanpi_f32
FUN f32 tanpi_f32(f32 a) { return sinpi(a) / (cospi(a) + 0.0f); }

//: tanpi_f64
FUN f64 tanpi_f64(f64 a) { return sinpi(a) / (cospi(a) + 0.0); }

//: asinpi_f32
FUN f32 asinpi_f32(f32 a) { return asin(a) * 0.31830988618379067f; }

//: acospi_f32
FUN f32 acospi_f32(f32 a) { return acos(a) * 0.31830988618379067f; }

//: atanpi_f32
FUN f32 atanpi_f32(f32 a) { return atan(a) * 0.31830988618379067f; }

//: atan2pi_f32
FUN f32 atan2pi_f32(f32 a, f32 b) { return atan2(a, b) * 0.31830988618379067f; }

//: gamma_f32
FUN f32 gamma_f32(f32 a) { return tgamma(a); }

//: lgamma_f32
FUN f32 lgamma_f32(f32 a) { return lgamma(a); }

//: erf_f32
FUN f32 erf_f32(f32 a) { return erf(a); }

//: erfc_f32
FUN f32 erfc_f32(f32 a) { return erfc(a); }

//: fail
// Records a failure; returns true if it is the first one.
FUN bool fail(GLOBAL volatile i32 *failure, i32 what) { return atomic_cmpxchg(failure, -1, what) == -1; }

//: fence_of_block
#define fence_of_block() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)

//: fence
#ifdef cl_nv_pragma_unroll
#define fence() asm volatile("membar.gl;" ::: "memory")
#else
#define fence() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif

//: sync
#define sync() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

//: stays_inside
// Hides from PoCL whether a loop has a first iteration. PoCL moves that decision out of a loop around a barrier,
// where one thread decides for all threads of the thread block.
#if defined(__x86_64__) || defined(__aarch64__)
#define stays_inside(end) __asm__ volatile("" : "+r"(end))
#else
#define stays_inside(end)
#endif

//: atomic_fadd_f32$
FUN f32 atomic_fadd_f32$(volatile SPACE f32 *p, f32 x) {
  volatile SPACE i32 *bits = (volatile SPACE i32 *) p;
  i32 old = *bits;
  while (true) {
    i32 seen = atomic_cmpxchg(bits, old, as_int(as_float(old) + x));
    if (seen == old) return as_float(old);
    old = seen;
  }
}

//: atomic_fadd_f64$
FUN f64 atomic_fadd_f64$(volatile SPACE f64 *p, f64 x) {
  volatile SPACE i64 *bits = (volatile SPACE i64 *) p;
  i64 old = *bits;
  while (true) {
    i64 seen = atom_cmpxchg(bits, old, as_long(as_double(old) + x));
    if (seen == old) return as_double(old);
    old = seen;
  }
}
