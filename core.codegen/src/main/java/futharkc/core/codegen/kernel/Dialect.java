package futharkc.core.codegen.kernel;

import java.util.List;

/** The languages in which kernels are printed. */
public enum Dialect {
  /** OpenCL C 1.2. */
  OPENCL(
      List.of("-cl-std=CL1.2", "-w"),
      """
      #pragma OPENCL FP_CONTRACT OFF
      typedef char i8;
      typedef short i16;
      typedef int i32;
      typedef long i64;
      typedef uchar u8;
      typedef ushort u16;
      typedef uint u32;
      typedef ulong u64;
      typedef float f32;
      #define FUN static inline
      #define LARGE_FUN static
      #define KERNEL __kernel
      #define GLOBAL __global
      #define SHARED __local
      #define I64(x) x##L
      #define F32_NAN NAN
      #define F32_INF INFINITY
      #define THREAD(d) get_local_id(d)
      #define THREADS(d) get_local_size(d)
      #define BLOCK(d) get_group_id(d)
      #define BLOCKS(d) get_num_groups(d)
      """,
      """
      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
      typedef double f64;
      #define F64_NAN ((f64) NAN)
      #define F64_INF ((f64) INFINITY)
      """,
      """
      #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
      #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
      """),

  /** CUDA C++, without headers. */
  CUDA(
      List.of("--fmad=false", "--disable-warnings"),
      """
      typedef signed char i8;
      typedef short i16;
      typedef int i32;
      typedef long long i64;
      typedef unsigned char u8;
      typedef unsigned short u16;
      typedef unsigned int u32;
      typedef unsigned long long u64;
      typedef float f32;
      #define FUN static __device__ __forceinline__
      #define LARGE_FUN static __device__ __noinline__
      #define KERNEL extern "C" __global__
      #define GLOBAL
      #define SHARED
      #define I64(x) x##LL
      #define F32_NAN __int_as_float(0x7fc00000)
      #define F32_INF __int_as_float(0x7f800000)
      #define THREAD(d) (d == 0 ? threadIdx.x : d == 1 ? threadIdx.y : threadIdx.z)
      #define THREADS(d) (d == 0 ? blockDim.x : d == 1 ? blockDim.y : blockDim.z)
      #define BLOCK(d) (d == 0 ? blockIdx.x : d == 1 ? blockIdx.y : blockIdx.z)
      #define BLOCKS(d) (d == 0 ? gridDim.x : d == 1 ? gridDim.y : gridDim.z)
      """,
      """
      typedef double f64;
      #define F64_NAN __longlong_as_double(0x7ff8000000000000LL)
      #define F64_INF __longlong_as_double(0x7ff0000000000000LL)
      """,
      "");

  @SuppressWarnings("ImmutableEnumChecker") // The list is a List.of, and thus immutable.
  private final List<String> options;

  private final String preamble;
  private final String doubles;
  private final String wideAtomics;

  Dialect(List<String> options, String preamble, String doubles, String wideAtomics) {
    this.options = options;
    this.preamble = preamble;
    this.doubles = doubles;
    this.wideAtomics = wideAtomics;
  }

  /**
   * Returns the options for the dialect's compilers. Contraction of floating-point operations is
   * off, so that results equal those of other targets.
   */
  public List<String> options() {
    return options;
  }

  /** Returns the beginning of a kernel text, which defines the names that printed code uses. */
  String preamble() {
    return preamble;
  }

  /** Returns the text that enables double precision. */
  String doubles() {
    return doubles;
  }

  /** Returns the text that enables atomic operations on 64 bits. */
  String wideAtomics() {
    return wideAtomics;
  }

  /** Returns the suffix of the names of library sections that only this dialect uses. */
  String suffix() {
    return switch (this) {
      case OPENCL -> "@opencl";
      case CUDA -> "@cuda";
    };
  }
}
