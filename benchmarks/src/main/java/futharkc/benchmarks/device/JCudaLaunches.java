package futharkc.benchmarks.device;

import java.util.Arrays;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/** A benchmark of the same launches through JCuda alone, for comparison. */
final class JCudaLaunches {
  private JCudaLaunches() {}

  static void run(byte[] ptx) {
    JCudaDriver.setExceptionsEnabled(true);
    JCudaDriver.cuInit(0);
    CUdevice device = new CUdevice();
    JCudaDriver.cuDeviceGet(device, 0);
    CUcontext context = new CUcontext();
    JCudaDriver.cuCtxCreate(context, 0, device);
    CUmodule module = new CUmodule();
    JCudaDriver.cuModuleLoadData(module, Arrays.copyOf(ptx, ptx.length + 1));
    CUfunction tiny = new CUfunction();
    JCudaDriver.cuModuleGetFunction(tiny, module, "tiny");
    CUstream stream = new CUstream();
    JCudaDriver.cuStreamCreate(stream, 0);
    CUdeviceptr out = new CUdeviceptr();
    JCudaDriver.cuMemAlloc(out, 4);
    int[] x = new int[1];
    DeviceTimes.measure(
        "launch (JCuda), waiting at the end",
        DeviceTimes.LAUNCHES,
        () -> {
          for (int i = 0; i < DeviceTimes.LAUNCHES; i++) {
            x[0] = i;
            Pointer arguments = Pointer.to(Pointer.to(out), Pointer.to(x));
            JCudaDriver.cuLaunchKernel(tiny, 1, 1, 1, 32, 1, 1, 0, stream, arguments, null);
          }
          JCudaDriver.cuStreamSynchronize(stream);
        });
    JCudaDriver.cuCtxDestroy(context);
    JCudaDriver.setExceptionsEnabled(false);
  }
}
