// Hand-written kernels for comparison with generated ones: see byhand.c. N = 2^28 is the number of elements, SIDE its square root.
#define N (1ll << 28)
#define SIDE 16384

extern "C" __global__ void fill(float *a) {
  for (long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x; i < N; i += (long long) gridDim.x * blockDim.x) {
    unsigned x = (unsigned) i * 2654435761u;
    x ^= x >> 15; x *= 2246822519u; x ^= x >> 13; x *= 3266489917u; x ^= x >> 16;
    a[i] = (x >> 8) / 16777216.0f;
  }
}

// The sum of the part of one thread block; each thread loads four numbers at a time.
extern "C" __global__ __launch_bounds__(256) void sum(const float4 *a, float *out) {
  float s = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < N / 4; i += gridDim.x * 256ll) {
    float4 v = a[i];
    s += (v.x + v.y) + (v.z + v.w);
  }
  for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}

extern "C" __global__ __launch_bounds__(256) void dot(const float4 *a, const float4 *b, float *out) {
  float s = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < N / 8; i += gridDim.x * 256ll) {
    float4 v = a[i], w = b[i];
    s += (v.x * w.x + v.y * w.y) + (v.z * w.z + v.w * w.w);
  }
  for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}

// Histograms with BINS bins, either in COPIES subhistograms in global memory, or in shared memory.
template <int BINS, int COPIES> __device__ void global(const float4 *a, int *bins) {
  int *own = bins + blockIdx.x % COPIES * BINS;
  for (long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x; i < N / 4; i += (long long) gridDim.x * blockDim.x) {
    float4 v = a[i];
    atomicAdd(own + (int) (v.x * BINS), 1);
    atomicAdd(own + (int) (v.y * BINS), 1);
    atomicAdd(own + (int) (v.z * BINS), 1);
    atomicAdd(own + (int) (v.w * BINS), 1);
  }
}
extern "C" __global__ void bins_2_20(const float4 *a, int *bins) { global<1 << 20, 1>(a, bins); }
extern "C" __global__ void bins_2_20_copies_4(const float4 *a, int *bins) { global<1 << 20, 4>(a, bins); }
extern "C" __global__ void bins_2_16_global(const float4 *a, int *bins) { global<1 << 16, 1>(a, bins); }
extern "C" __global__ void bins_2_16_global_copies_8(const float4 *a, int *bins) { global<1 << 16, 8>(a, bins); }

// Several passes, each over the bins that fit in the shared memory of a thread block.
template <int BINS, int PASSES> __device__ void shared(const float4 *a, int *bins) {
  extern __shared__ int own[];
  const int some = BINS / PASSES;
  for (int p = 0; p < PASSES; p++) {
    for (int i = threadIdx.x; i < some; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x; i < N / 4; i += (long long) gridDim.x * blockDim.x) {
      float4 v = a[i];
      unsigned x = (int) (v.x * BINS) - p * some, y = (int) (v.y * BINS) - p * some;
      unsigned z = (int) (v.z * BINS) - p * some, w = (int) (v.w * BINS) - p * some;
      if (x < some) atomicAdd(own + x, 1);
      if (y < some) atomicAdd(own + y, 1);
      if (z < some) atomicAdd(own + z, 1);
      if (w < some) atomicAdd(own + w, 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < some; i += blockDim.x) if (own[i]) atomicAdd(bins + p * some + i, own[i]);
    __syncthreads();
  }
}
extern "C" __global__ void bins_256_shared(const float4 *a, int *bins) { shared<256, 1>(a, bins); }
extern "C" __global__ __launch_bounds__(1024) void bins_2_16_shared(const float4 *a, int *bins) { shared<1 << 16, 4>(a, bins); }
extern "C" __global__ __launch_bounds__(1024) void bins_2_17_shared(const float4 *a, int *bins) { shared<1 << 17, 8>(a, bins); }
extern "C" __global__ void bins_2_17_global(const float4 *a, int *bins) { global<1 << 17, 1>(a, bins); }

// Transposes by tiles of H x W elements, each by a thread block of THREADS threads.
template <typename F, typename G, int W, int H, int THREADS> __device__ void transposed(const F *a, G *out, float scale) {
  __shared__ G tile[H][W + (sizeof(G) == 1 ? 4 : 1)];
  long long x0 = blockIdx.x % (SIDE / W) * W, y0 = blockIdx.x / (SIDE / W) * H;
  F own[W * H / THREADS];
#pragma unroll
  for (int n = 0; n < W * H / THREADS; n++) {
    int t = threadIdx.x + n * THREADS;
    own[n] = a[(y0 + t / W) * SIDE + x0 + t % W];
  }
#pragma unroll
  for (int n = 0; n < W * H / THREADS; n++) {
    int t = threadIdx.x + n * THREADS;
    tile[t / W][t % W] = (G) (scale == 1 ? own[n] : own[n] * scale);
  }
  __syncthreads();
#pragma unroll
  for (int n = 0; n < W * H / THREADS; n++) {
    int t = threadIdx.x + n * THREADS;
    out[(x0 + t / H) * SIDE + y0 + t % H] = tile[t % H][t / H];
  }
}
#define TRANSPOSE(name, F, G, W, H, T, scale) extern "C" __global__ __launch_bounds__(T) \
    void name##_##W##x##H##_##T(const F *a, G *out) { transposed<F, G, W, H, T>(a, out, scale); }
TRANSPOSE(transpose, float, float, 32, 32, 64, 1)
TRANSPOSE(transpose, float, float, 32, 32, 128, 1)
TRANSPOSE(transpose, float, float, 32, 32, 256, 1)
TRANSPOSE(transpose, float, float, 64, 64, 256, 1)
TRANSPOSE(transpose, float, float, 64, 64, 512, 1)
TRANSPOSE(transpose, float, float, 32, 64, 256, 1)
TRANSPOSE(to_bytes, float, signed char, 32, 32, 128, 100)
TRANSPOSE(to_bytes, float, signed char, 32, 64, 256, 100)
TRANSPOSE(to_bytes, float, signed char, 32, 128, 256, 100)
TRANSPOSE(to_bytes, float, signed char, 64, 64, 256, 100)
