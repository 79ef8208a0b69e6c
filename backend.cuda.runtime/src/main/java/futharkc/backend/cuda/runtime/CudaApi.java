package futharkc.backend.cuda.runtime;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE;
import static jcuda.driver.CUresult.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE;
import static jcuda.driver.CUresult.CUDA_ERROR_NO_DEVICE;
import static jcuda.driver.CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
import static jcuda.driver.CUresult.CUDA_SUCCESS;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.Driver;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** The CUDA driver interface, through the Java binding JCuda. */
public final class CudaApi implements DeviceApi {
  /** Creates the interface; called by generated programs. */
  public CudaApi() {}

  @Override
  public String name() {
    return "CUDA";
  }

  @Override
  public List<DeviceInfo> devices() {
    int version = CudaLibrary.load();
    int status = JCudaDriver.cuInit(0);
    if (status == CUDA_ERROR_NO_DEVICE) {
      return List.of();
    }
    if (status != CUDA_SUCCESS) {
      throw new FutharkError("CUDA: cuInit: " + CUresult.stringFor(status) + advice(status));
    }
    int[] count = new int[1];
    check(JCudaDriver.cuDeviceGetCount(count), "cuDeviceGetCount");
    List<DeviceInfo> devices = new ArrayList<>();
    for (int i = 0; i < count[0]; i++) {
      devices.add(describe(i, version));
    }
    return devices;
  }

  @Override
  public NoDevices noDevices() {
    String visible = System.getenv("CUDA_VISIBLE_DEVICES");
    return new NoDevices(
        "NVIDIA's driver is installed and finds none"
            + (visible == null ? "" : " with CUDA_VISIBLE_DEVICES=" + visible),
        "see what 'nvidia-smi' says, and CUDA_VISIBLE_DEVICES");
  }

  @Override
  public void prepare(int times) {
    CudaLibrary.prepare();
    try {
      // The class is loaded early: a second implementation of {@code Driver} would invalidate code
      // that was compiled with only one.
      Class<?> unused = CudaDriver.class;
      CudaFunctions.warmUp(times);
    } catch (LinkageError e) {
      // The driver is missing; opening a device reports this.
    }
  }

  private static String advice(int status) {
    return switch (status) {
      case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ->
          ": the driver's library and its kernel module are of different versions; restart the"
              + " machine after an update.";
      case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE ->
          ": take the folder of CUDA's compatibility libraries out of LD_LIBRARY_PATH.";
      default -> ". 'nvidia-smi' may say more.";
    };
  }

  private static void check(int status, String call) {
    if (status != CUDA_SUCCESS) {
      throw new FutharkError("CUDA: " + call + ": " + CUresult.stringFor(status));
    }
  }

  /** Returns the driver's handle of a device. */
  static CUdevice device(int index) {
    CUdevice device = new CUdevice();
    check(JCudaDriver.cuDeviceGet(device, index), "cuDeviceGet");
    return device;
  }

  private static DeviceInfo describe(int index, int version) {
    CUdevice device = device(index);
    byte[] name = new byte[256];
    check(JCudaDriver.cuDeviceGetName(name, name.length, device), "cuDeviceGetName");
    long[] memory = new long[1];
    check(JCudaDriver.cuDeviceTotalMem(memory, device), "cuDeviceTotalMem");
    int shared =
        attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
            - attribute(device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    DeviceInfo.Limits limits =
        new DeviceInfo.Limits(
            memory[0],
            memory[0],
            attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
            attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
            attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
            attribute(device, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
            shared,
            attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
            attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
            attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
            true,
            true);
    int capability =
        10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
            + attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return new DeviceInfo(
        "cuda",
        "NVIDIA CUDA",
        new String(name, StandardCharsets.UTF_8).replace("\0", "").strip(),
        CudaLibrary.text(version),
        "sm_" + capability,
        DeviceInfo.Kind.GPU,
        limits,
        0,
        index);
  }

  private static int attribute(CUdevice device, int what) {
    int[] value = new int[1];
    check(JCudaDriver.cuDeviceGetAttribute(value, what, device), "cuDeviceGetAttribute");
    return value[0];
  }

  /** Returns the compute capability of a device: 90 for {@code sm_90}. */
  static int capability(DeviceInfo device) {
    return Integer.parseInt(device.architecture().substring("sm_".length()));
  }

  /** Returns the position of the first device with the highest compute capability. */
  @Override
  public int preferred(List<DeviceInfo> devices) {
    int best = 0;
    for (int i = 1; i < devices.size(); i++) {
      if (capability(devices.get(i)) > capability(devices.get(best))) {
        best = i;
      }
    }
    return best;
  }

  @Override
  public Driver open(DeviceInfo device, DeviceOptions options) {
    return new CudaDriver(device, options.unifiedMemory());
  }
}
