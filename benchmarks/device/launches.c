// The launches of the device benchmark in C, for comparison: launches FILE.ptx, which contains a kernel tiny(int *, int).
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(call) do { int s_ = (call); if (s_) { fprintf(stderr, "%s: %d\n", #call, s_); exit(1); } } while (0)
enum { LAUNCHES = 20000, REPEATS = 9 };

static double micros(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * t.tv_sec + t.tv_nsec / 1e3;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static void print(const char *name, double *times) {
  qsort(times, REPEATS, sizeof(double), ascending);
  printf("%-44s %10.3f us, least %.3f\n", name, times[REPEATS / 2], times[0]);
}

int main(int argc, char **argv) {
  CUdevice device; CUcontext context; CUmodule module; CUfunction tiny; CUstream stream; CUdeviceptr out;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&tiny, module, "tiny"));
  CHECK(cuStreamCreate(&stream, 0));
  CHECK(cuMemAlloc(&out, 256));
  int x = 0, y;
  void *arguments[] = {&out, &x};
  double times[REPEATS];
  for (int r = -1; r < REPEATS; r++) {
    double begin = micros();
    for (x = 0; x < LAUNCHES; x++) CHECK(cuLaunchKernel(tiny, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
    CHECK(cuStreamSynchronize(stream));
    if (r >= 0) times[r] = (micros() - begin) / LAUNCHES;
  }
  print("launch (C), waiting at the end", times);
  for (int r = -1; r < REPEATS; r++) {
    double begin = micros();
    for (x = 0; x < 1000; x++) {
      CHECK(cuLaunchKernel(tiny, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
      CHECK(cuStreamSynchronize(stream));
    }
    if (r >= 0) times[r] = (micros() - begin) / 1000;
  }
  print("launch and wait (C)", times);
  // The same launches as a graph that is recorded once: unchanged, and with one argument of each launch changed every time,
  // as in loops with loop-carried results.
  enum { NODES = 100 };
  CUgraph graph; CUgraphExec exec; CUgraphNode nodes[NODES]; size_t n = NODES;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  for (x = 0; x < NODES; x++) CHECK(cuLaunchKernel(tiny, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphGetNodes(graph, nodes, &n));
  double begun = micros();
  CHECK(cuGraphInstantiateWithFlags(&exec, graph, 0));
  printf("%-44s %10.3f us\n", "making a graph of 100 launches (C)", micros() - begun);
  for (int change = 0; change < 2; change++) {
    for (int r = -1; r < REPEATS; r++) {
      double begin = micros();
      for (int g = 0; g < LAUNCHES / NODES; g++) {
        for (x = 0; change && x < NODES; x++) {
          CUDA_KERNEL_NODE_PARAMS params;
          CHECK(cuGraphKernelNodeGetParams(nodes[x], &params));
          params.kernelParams = arguments;
          CHECK(cuGraphExecKernelNodeSetParams(exec, nodes[x], &params));
        }
        CHECK(cuGraphLaunch(exec, stream));
      }
      CHECK(cuStreamSynchronize(stream));
      if (r >= 0) times[r] = (micros() - begin) / LAUNCHES;
    }
    print(change ? "launch in a graph, arguments changed (C)" : "launch in a graph (C)", times);
  }
  int *host;
  CHECK(cuMemAllocHost((void **) &host, 64));
  for (int r = -1; r < REPEATS; r++) {
    double begin = micros();
    for (int i = 0; i < 1000; i++) {
      CHECK(cuMemcpyDtoHAsync(host, out, 4, stream));
      CHECK(cuStreamSynchronize(stream));
    }
    if (r >= 0) times[r] = (micros() - begin) / 1000;
  }
  print("read of a scalar (C)", times);
  y = *host;
  return y == LAUNCHES - 1 || y == 999 || y == NODES - 1 ? 0 : 1;
}
