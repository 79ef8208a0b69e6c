package futharkc.benchmarks.device;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.device.KernelSource;
import java.util.List;

/** Hand-written kernels in a common subset of CUDA C++ and OpenCL C. */
final class HandwrittenKernels {
  private HandwrittenKernels() {}

  private static final String TEXT =
      """
      #ifdef __OPENCL_VERSION__
      #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
      #define KERNEL __kernel
      #define GLOBAL __global
      #define INDEX ((long) get_global_id(0))
      #define THREAD ((int) get_local_id(0))
      #define BLOCK ((int) get_group_id(0))
      #define THREADS ((int) get_local_size(0))
      #define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
      #define SHARED_PARAMETER , __local int *shared
      #define SHARED
      #define EXCHANGE(p, old, x) atomic_cmpxchg(p, old, x)
      typedef long i64;
      #else
      #define KERNEL extern "C" __global__
      #define GLOBAL
      #define INDEX ((i64) blockIdx.x * blockDim.x + threadIdx.x)
      #define THREAD ((int) threadIdx.x)
      #define BLOCK ((int) blockIdx.x)
      #define THREADS ((int) blockDim.x)
      #define BARRIER __syncthreads()
      #define SHARED_PARAMETER
      #define SHARED extern __shared__ int shared[];
      #define EXCHANGE(p, old, x) atomicCAS((int *) p, old, x)
      typedef long long i64;
      #endif

      KERNEL void tiny(GLOBAL int *out, int x) {
        if (INDEX == 0) out[0] = x;
      }

      KERNEL void map_one(GLOBAL float *out, GLOBAL const float *in, i64 n, float a) {
        i64 i = INDEX;
        if (i < n) out[i] = a * in[i] + 1.0f;
      }

      KERNEL void map_four(GLOBAL float *out, GLOBAL const float *in, i64 n, float a) {
        i64 base = (i64) BLOCK * THREADS * 4 + THREAD;
        float x[4];
        for (int k = 0; k < 4; k++) {
          i64 i = base + (i64) k * THREADS;
          if (i < n) x[k] = in[i];
        }
        for (int k = 0; k < 4; k++) {
          i64 i = base + (i64) k * THREADS;
          if (i < n) out[i] = a * x[k] + 1.0f;
        }
      }

      KERNEL void sums(GLOBAL int *out, int x SHARED_PARAMETER) {
        SHARED
        shared[THREAD] = (int) INDEX + x;
        BARRIER;
        if (THREAD == 0) {
          int s = 0;
          for (int i = 0; i < THREADS; i++) s += shared[i];
          out[BLOCK] = s;
        }
      }

      KERNEL void index(GLOBAL volatile int *failure, i64 i, i64 n) {
        if ((i < 0 || i >= n) && EXCHANGE(failure, -1, 0) == -1) {
          GLOBAL volatile i64 *arguments = (GLOBAL volatile i64 *) failure + 1;
          arguments[0] = i;
          arguments[1] = n;
        }
      }

      KERNEL void stray(GLOBAL int *out, i64 far) {
        out[far + INDEX] = 1;
      }

      KERNEL void parameters(GLOBAL float *out, unsigned char b, short s, int i, i64 l, float f) {
        out[0] = b; out[1] = s; out[2] = i; out[3] = l; out[4] = f;
      }
      """;

  static final KernelSource SOURCE =
      new KernelSource(
          TEXT,
          List.of(),
          List.of(
              kernel("tiny", false, 8, 4),
              kernel("map_one", false, 8, 8, 8, 4),
              kernel("map_four", false, 8, 8, 8, 4),
              kernel("sums", true, 8, 4),
              kernel("index", false, 8, 8, 8),
              kernel("stray", false, 8, 8),
              kernel("parameters", false, 8, 1, 2, 4, 8, 4)),
          List.of(
              new KernelSource.Failure(
                  List.of("Index [", "] out of bounds for array of shape [", "]."),
                  List.of(ElemType.I64, ElemType.I64),
                  "")),
          null);

  private static KernelSource.KernelDeclaration kernel(
      String name, boolean shared, int... parameters) {
    return new KernelSource.KernelDeclaration(name, "unknown", parameters, shared);
  }
}
