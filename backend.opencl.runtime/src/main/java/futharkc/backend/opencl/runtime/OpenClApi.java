package futharkc.backend.opencl.runtime;

import static org.jocl.CL.CL_DEVICE_DOUBLE_FP_CONFIG;
import static org.jocl.CL.CL_DEVICE_EXTENSIONS;
import static org.jocl.CL.CL_DEVICE_GLOBAL_MEM_CACHE_SIZE;
import static org.jocl.CL.CL_DEVICE_GLOBAL_MEM_SIZE;
import static org.jocl.CL.CL_DEVICE_LOCAL_MEM_SIZE;
import static org.jocl.CL.CL_DEVICE_MAX_COMPUTE_UNITS;
import static org.jocl.CL.CL_DEVICE_MAX_MEM_ALLOC_SIZE;
import static org.jocl.CL.CL_DEVICE_MAX_WORK_GROUP_SIZE;
import static org.jocl.CL.CL_DEVICE_NAME;
import static org.jocl.CL.CL_DEVICE_NOT_FOUND;
import static org.jocl.CL.CL_DEVICE_TYPE;
import static org.jocl.CL.CL_DEVICE_TYPE_ALL;
import static org.jocl.CL.CL_DEVICE_TYPE_CPU;
import static org.jocl.CL.CL_DEVICE_TYPE_GPU;
import static org.jocl.CL.CL_DRIVER_VERSION;
import static org.jocl.CL.CL_PLATFORM_NAME;
import static org.jocl.CL.CL_SUCCESS;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.Driver;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.cl_device_id;
import org.jocl.cl_platform_id;

/** The OpenCL interface, through the Java binding JOCL. */
public final class OpenClApi implements DeviceApi {
  /** The status of the OpenCL loader if no driver is registered. */
  private static final int PLATFORM_NOT_FOUND = -1001;

  /**
   * The largest thread block of NVIDIA's driver for kernels whose source does not declare its size.
   * The driver reports a larger limit for the device.
   */
  private static final int NVIDIA_THREADS = 256;

  /** Creates the interface; called by generated programs. */
  public OpenClApi() {}

  @Override
  public String name() {
    return "OpenCL";
  }

  @Override
  public List<DeviceInfo> devices() {
    OpenClLibrary.load();
    List<DeviceInfo> devices = new ArrayList<>();
    cl_platform_id[] platforms = platforms();
    for (int p = 0; p < platforms.length; p++) {
      cl_device_id[] ids = devices(platforms[p]);
      String platform = platformName(platforms[p]);
      for (int d = 0; d < ids.length; d++) {
        devices.add(describe(ids[d], platform, p, d));
      }
    }
    return devices;
  }

  @Override
  public NoDevices noDevices() {
    InstalledDrivers drivers = InstalledDrivers.ofMachine();
    return new NoDevices(
        drivers.whyNoDevice(),
        OpenClDiagnosis.INSTALL
            + "; for NVIDIA's, a file nvidia.icd in "
            + drivers.folder()
            + " with the line libnvidia-opencl.so.1");
  }

  @Override
  public void prepare(int times) {
    try {
      // The class is loaded early: a second implementation of {@code Driver} would invalidate code
      // that was compiled with only one.
      Class<?> unused = OpenClDriver.class;
      OpenClFunctions.warmUp(times);
    } catch (LinkageError e) {
      // The library is missing; opening a device reports this.
    }
  }

  private static cl_platform_id[] platforms() {
    int[] count = new int[1];
    int status = CL.clGetPlatformIDs(0, null, count);
    if (status == PLATFORM_NOT_FOUND) {
      return new cl_platform_id[0];
    }
    check(status, "clGetPlatformIDs");
    cl_platform_id[] platforms = new cl_platform_id[count[0]];
    if (count[0] > 0) {
      check(CL.clGetPlatformIDs(count[0], platforms, null), "clGetPlatformIDs");
    }
    return platforms;
  }

  private static cl_device_id[] devices(cl_platform_id platform) {
    int[] count = new int[1];
    int status = CL.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, null, count);
    if (status == CL_DEVICE_NOT_FOUND) {
      return new cl_device_id[0];
    }
    check(status, "clGetDeviceIDs");
    cl_device_id[] devices = new cl_device_id[count[0]];
    check(
        CL.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count[0], devices, null), "clGetDeviceIDs");
    return devices;
  }

  /** Returns the driver's handle of a device. */
  static cl_device_id device(DeviceInfo info) {
    return devices(platforms()[info.platformIndex()])[info.index()];
  }

  private static void check(int status, String call) {
    if (status != CL_SUCCESS) {
      throw new FutharkError("OpenCL: " + call + ": " + CL.stringFor_errorCode(status));
    }
  }

  private static DeviceInfo describe(cl_device_id id, String platform, int p, int d) {
    long type = number(id, CL_DEVICE_TYPE);
    DeviceInfo.Kind kind =
        (type & CL_DEVICE_TYPE_GPU) != 0
            ? DeviceInfo.Kind.GPU
            : (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceInfo.Kind.CPU : DeviceInfo.Kind.OTHER;
    String extensions = string(id, CL_DEVICE_EXTENSIONS);
    boolean nvidia = platform.startsWith("NVIDIA");
    boolean waves =
        kind == DeviceInfo.Kind.GPU
            && (nvidia || platform.startsWith("AMD") || platform.startsWith("rusticl"));
    // Drivers use some shared memory themselves, and do not report how much.
    long shared = number(id, CL_DEVICE_LOCAL_MEM_SIZE) - (nvidia ? 16 : waves ? 20 : 4);
    long cache = number(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    int threads = (int) number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    DeviceInfo.Limits limits =
        new DeviceInfo.Limits(
            number(id, CL_DEVICE_GLOBAL_MEM_SIZE),
            number(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
            (int) number(id, CL_DEVICE_MAX_COMPUTE_UNITS),
            0,
            nvidia ? Math.min(NVIDIA_THREADS, threads) : threads,
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            (int) Math.min(shared, Integer.MAX_VALUE),
            0,
            cache,
            waves ? 32 : 1,
            extensions.contains("cl_khr_fp64") || number(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
            extensions.contains("cl_khr_int64_base_atomics"));
    return new DeviceInfo(
        "opencl",
        platform,
        string(id, CL_DEVICE_NAME),
        string(id, CL_DRIVER_VERSION),
        "",
        kind,
        limits,
        p,
        d);
  }

  private static String platformName(cl_platform_id platform) {
    long[] size = new long[1];
    check(CL.clGetPlatformInfo(platform, CL_PLATFORM_NAME, 0, null, size), "clGetPlatformInfo");
    byte[] text = new byte[(int) size[0]];
    check(
        CL.clGetPlatformInfo(platform, CL_PLATFORM_NAME, text.length, Pointer.to(text), null),
        "clGetPlatformInfo");
    return string(text);
  }

  private static String string(cl_device_id id, int what) {
    long[] size = new long[1];
    check(CL.clGetDeviceInfo(id, what, 0, null, size), "clGetDeviceInfo");
    byte[] text = new byte[(int) size[0]];
    check(CL.clGetDeviceInfo(id, what, text.length, Pointer.to(text), null), "clGetDeviceInfo");
    return string(text);
  }

  /** Returns the text before the final zero byte. */
  private static String string(byte[] text) {
    return new String(text, StandardCharsets.UTF_8).replace("\0", "").strip();
  }

  /**
   * Returns a property that is a number of at most eight bytes; 0 if the device does not have the
   * property.
   */
  static long number(cl_device_id id, int what) {
    long[] number = new long[1];
    int status = CL.clGetDeviceInfo(id, what, 8, Pointer.to(number), null);
    return status == CL_SUCCESS ? number[0] : 0;
  }

  /** Returns the position of the first GPU, or else 0. */
  @Override
  public int preferred(List<DeviceInfo> devices) {
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i).kind() == DeviceInfo.Kind.GPU) {
        return i;
      }
    }
    return 0;
  }

  @Override
  public Driver open(DeviceInfo device, DeviceOptions options) {
    return new OpenClDriver(device, device(device), options.ownProcess());
  }
}
