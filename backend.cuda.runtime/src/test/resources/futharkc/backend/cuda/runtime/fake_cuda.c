// A CUDA driver without a device: memory is the host's, and kernels are the functions below. Tests say what it is like.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int status;
typedef unsigned long long address;
typedef void (*kernel)(void **arguments, unsigned threads);

static int initial = 0, version = 12060, devices = 2;
static size_t capacity = 1 << 26;

void fake_initial(int x) { initial = x; }
void fake_version(int x) { version = x; }
void fake_devices(int x) { devices = x; }

static int copies;
int fake_copies(void) { int n = copies; copies = 0; return n; }

static size_t used;
static int lost, contexts, current;

static status state(void) { return lost ? 700 : current == 0 ? 201 : 0; }

static void scale(void **arguments, unsigned threads) {
  float *xs = *(float **) arguments[0];
  int64_t n = *(int64_t *) arguments[1];
  for (int64_t i = 0; i < n && i < threads; i++) xs[i] *= *(float *) arguments[2];
}

static void fail(void **arguments, unsigned threads) {
  int32_t *failure = *(int32_t **) arguments[0];
  if (threads > 3 && *failure == -1) {
    *failure = 0;
    ((int64_t *) failure)[1] = *(int64_t *) arguments[1];
    ((int64_t *) failure)[2] = 5;
  }
}

static void crash(void **arguments, unsigned threads) { lost = 1; }

status cuInit(unsigned flags) { return initial; }
status cuDriverGetVersion(int *known) { *known = version; return 0; }
status cuDeviceGetCount(int *count) { *count = devices; return 0; }
status cuDeviceGet(int *device, int i) { *device = i; return 0; }
status cuDeviceGetName(char *name, int length, int device) {
  strncpy(name, device == 0 ? "Fake A" : "Fake B", length);
  return 0;
}
status cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = capacity; return 0; }
status cuDeviceGetAttribute(int *value, int what, int device) {
  switch (what) {
    case 1: *value = 1024; break;             // threads of a block
    case 5: *value = 2147483647; break;       // grid x
    case 6: *value = 65535; break;            // grid y
    case 10: *value = 32; break;              // warp
    case 12: *value = 65536; break;           // registers
    case 16: *value = 132; break;             // multiprocessors
    case 38: *value = 50 << 20; break;        // cache
    case 39: *value = 2048; break;            // threads of a multiprocessor
    case 75: *value = 8 + device; break;      // compute capability
    case 76: *value = 0; break;
    case 97: *value = 232448; break;          // shared memory
    case 111: *value = 1024; break;           // of which reserved
    default: return 1;
  }
  return 0;
}
status cuCtxCreate_v2(void **context, unsigned flags, int device) {
  lost = 0;
  used = 0;
  *context = (void *) (uintptr_t) (current = ++contexts);
  return 0;
}
status cuCtxSetCurrent(void *context) { current = (int) (uintptr_t) context; return 0; }
status cuCtxDestroy_v2(void *context) { current = 0; return state() == 700 ? 700 : 0; }
status cuStreamCreate(void **stream, unsigned flags) { *stream = malloc(1); return state(); }
status cuStreamSynchronize(void *stream) { return state(); }
status cuMemAllocHost_v2(void **pointer, size_t bytes) { *pointer = malloc(bytes); return state(); }
status cuMemFreeHost(void *pointer) { free(pointer); return 0; }
status cuMemAlloc_v2(address *block, size_t bytes) {
  if (state()) return state();
  if (used + bytes > capacity) return 2;
  size_t *sized = malloc(bytes + 256);
  *sized = bytes;
  used += bytes;
  *block = (address) (uintptr_t) sized + 256;
  return 0;
}
status cuMemAllocManaged(address *block, size_t bytes, unsigned flags) { return cuMemAlloc_v2(block, bytes); }
status cuMemFree_v2(address block) {
  size_t *sized = (size_t *) (uintptr_t) (block - 256);
  used -= *sized;
  free(sized);
  return state();
}
status cuMemGetInfo_v2(size_t *available, size_t *total) {
  *total = capacity;
  *available = *total - used;
  return state();
}
static status copy(void *to, const void *from, size_t bytes) { if (!state()) memmove(to, from, bytes); return state(); }
status cuMemcpyHtoD_v2(address to, const void *from, size_t bytes) { return copy((void *) (uintptr_t) to, from, bytes); }
status cuMemcpyHtoDAsync_v2(address to, const void *from, size_t bytes, void *stream) {
  return copy((void *) (uintptr_t) to, from, bytes);
}
status cuMemcpyDtoH_v2(void *to, address from, size_t bytes) { return copy(to, (void *) (uintptr_t) from, bytes); }
status cuMemcpyDtoHAsync_v2(void *to, address from, size_t bytes, void *stream) {
  copies++;
  return copy(to, (void *) (uintptr_t) from, bytes);
}
status cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, void *stream) {
  return copy((void *) (uintptr_t) to, (void *) (uintptr_t) from, bytes);
}
status cuMemsetD8Async(address to, unsigned char x, size_t n, void *stream) {
  if (!state()) memset((void *) (uintptr_t) to, x, n);
  return state();
}
status cuMemsetD16Async(address to, unsigned short x, size_t n, void *stream) {
  for (size_t i = 0; !state() && i < n; i++) ((uint16_t *) (uintptr_t) to)[i] = x;
  return state();
}
status cuMemsetD32Async(address to, unsigned x, size_t n, void *stream) {
  for (size_t i = 0; !state() && i < n; i++) ((uint32_t *) (uintptr_t) to)[i] = x;
  return state();
}
status cuMemsetD2D32Async(address to, size_t pitch, unsigned x, size_t width, size_t height, void *stream) {
  for (size_t j = 0; !state() && j < height; j++)
    for (size_t i = 0; i < width; i++) ((uint32_t *) (uintptr_t) (to + j * pitch))[i] = x;
  return state();
}
status cuModuleLoadData(void **module, const void *image) {
  if (strncmp(image, "bad", 3) == 0) return 200;
  *module = (void *) 1;
  return state();
}
status cuModuleUnload(void *module) { return state(); }
status cuModuleGetFunction(void **function, void *module, const char *name) {
  *function = !strcmp(name, "scale") ? (void *) scale : !strcmp(name, "fail") ? (void *) fail
            : !strcmp(name, "crash") ? (void *) crash : NULL;
  return *function ? state() : 500;
}
status cuFuncGetAttribute(int *value, int what, void *function) {
  *value = what == 0 ? 1024 : what == 1 ? 20 : what == 4 ? 32 : 0;
  return state();
}
status cuFuncSetAttribute(void *function, int what, int value) { return what == 8 && value <= 231424 ? state() : 1; }
status cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, void *stream, void **arguments, void **extra) {
  if (state()) return state();
  ((kernel) function)(arguments, gx * gy * gz * bx * by * bz);
  return 0;
}
status cuEventCreate(void **event, unsigned flags) { *event = malloc(1); return state(); }
status cuEventRecord(void *event, void *stream) { return state(); }
status cuEventSynchronize(void *event) { return state(); }
status cuEventElapsedTime(float *millis, void *from, void *to) { *millis = 0.25f; return state(); }
