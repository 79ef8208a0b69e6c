// Measures the kernels of byhand.cu: byhand FILE.cu. Prints a line for each: name, µs (the median of 5 runs), bytes moved, GB/s.
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) do { int s_ = (call); if (s_) { fprintf(stderr, "%s: %d\n", #call, s_); exit(1); } } while (0)
enum { RUNS = 5 };
static const size_t GIB = (size_t) 1 << 30;

static CUmodule module;
static CUdeviceptr a, b;

static int ascending(const void *x, const void *y) { return (*(float *) x > *(float *) y) - (*(float *) x < *(float *) y); }

static char *text(const char *file) {
  FILE *f = fopen(file, "rb");
  if (!f) { perror(file); exit(1); }
  char *s = calloc(1, 1 << 20);
  if (fread(s, 1, (1 << 20) - 1, f) == 0) exit(1);
  fclose(f);
  return s;
}

/* Of a kernel that takes one array and its result, or the two halves of it and its result. */
static void run(const char *name, unsigned blocks, unsigned threads, unsigned shared, int arrays, double bytes) {
  CUfunction f;
  CHECK(cuModuleGetFunction(&f, module, name));
  if (shared > 48 << 10) CHECK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared));
  CUdeviceptr half = a + GIB / 2;
  void *one[] = {&a, &b}, *two[] = {&a, &half, &b};
  float times[RUNS];
  CUevent begin, end;
  CHECK(cuEventCreate(&begin, 0));
  CHECK(cuEventCreate(&end, 0));
  for (int r = -2; r < RUNS; r++) {
    CHECK(cuEventRecord(begin, 0));
    CHECK(cuLaunchKernel(f, blocks, 1, 1, threads, 1, 1, shared, 0, arrays == 2 ? two : one, 0));
    CHECK(cuEventRecord(end, 0));
    CHECK(cuEventSynchronize(end));
    if (r >= 0) CHECK(cuEventElapsedTime(&times[r], begin, end));
  }
  qsort(times, RUNS, sizeof(float), ascending);
  printf("%-28s %5u x %4u %9.0f us %8.1f GB/s\n", name, blocks, threads, 1e3 * times[RUNS / 2], bytes / times[RUNS / 2] / 1e6);
  fflush(stdout);
}

int main(int argc, char **argv) {
  CUdevice device; CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  int major, minor, processors;
  CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  CHECK(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  CHECK(cuDeviceGetAttribute(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
  char arch[40];
  snprintf(arch, sizeof arch, "--gpu-architecture=sm_%d%d", major, minor);
  const char *options[] = {arch};
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, text(argc > 1 ? argv[1] : "byhand.cu"), "byhand.cu", 0, 0, 0));
  if (nvrtcCompileProgram(program, 1, options)) {
    char *log = calloc(1, 1 << 20);
    nvrtcGetProgramLog(program, log);
    fputs(log, stderr);
    return 1;
  }
  size_t size;
  CHECK(nvrtcGetCUBINSize(program, &size));
  char *binary = malloc(size);
  CHECK(nvrtcGetCUBIN(program, binary));
  CHECK(cuModuleLoadData(&module, binary));
  CHECK(cuMemAlloc(&a, GIB));
  CHECK(cuMemAlloc(&b, GIB));
  unsigned full = 8 * processors;
  run("fill", 8 * full, 256, 0, 1, GIB);
  CUevent begin, end;
  float best = 1e9, ms;
  CHECK(cuEventCreate(&begin, 0));
  CHECK(cuEventCreate(&end, 0));
  for (int r = 0; r < RUNS; r++) {
    CHECK(cuEventRecord(begin, 0));
    CHECK(cuMemcpyDtoDAsync(b, a, GIB, 0));
    CHECK(cuEventRecord(end, 0));
    CHECK(cuEventSynchronize(end));
    CHECK(cuEventElapsedTime(&ms, begin, end));
    if (ms < best) best = ms;
  }
  printf("%-28s %12s %9.0f us %8.1f GB/s\n", "copy", "", 1e3 * best, 2e-6 * GIB / best);
  for (int k = 1; k <= 4; k *= 2) {
    run("sum", k * full, 256, 0, 1, GIB);
    run("dot", k * full, 256, 0, 2, GIB);
  }
  run("bins_256_shared", full, 256, 1 << 10, 1, GIB);
  run("bins_2_16_shared", 2 * processors, 1024, 1 << 16, 1, GIB);
  run("bins_2_17_shared", 2 * processors, 1024, 1 << 16, 1, GIB);
  for (int k = 1; k <= 8; k *= 8) {
    run("bins_2_16_global", k * full, 256, 0, 1, GIB);
    run("bins_2_16_global_copies_8", k * full, 256, 0, 1, GIB);
    run("bins_2_17_global", k * full, 256, 0, 1, GIB);
    run("bins_2_20", k * full, 256, 0, 1, GIB);
    run("bins_2_20_copies_4", k * full, 256, 0, 1, GIB);
  }
  unsigned tiles = (16384 / 32) * (16384 / 32);
  run("transpose_32x32_64", tiles, 64, 0, 1, 2.0 * GIB);
  run("transpose_32x32_128", tiles, 128, 0, 1, 2.0 * GIB);
  run("transpose_32x32_256", tiles, 256, 0, 1, 2.0 * GIB);
  run("transpose_64x64_256", tiles / 4, 256, 0, 1, 2.0 * GIB);
  run("transpose_64x64_512", tiles / 4, 512, 0, 1, 2.0 * GIB);
  run("transpose_32x64_256", tiles / 2, 256, 0, 1, 2.0 * GIB);
  run("to_bytes_32x32_128", tiles, 128, 0, 1, 1.25 * GIB);
  run("to_bytes_32x64_256", tiles / 2, 256, 0, 1, 1.25 * GIB);
  run("to_bytes_32x128_256", tiles / 4, 256, 0, 1, 1.25 * GIB);
  run("to_bytes_64x64_256", tiles / 4, 256, 0, 1, 1.25 * GIB);
  return 0;
}
