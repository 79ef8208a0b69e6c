package futharkc.backend.cuda.runtime;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;

/** Subclasses of JCuda's classes that expose native addresses. */
final class CudaObjects {
  private CudaObjects() {}

  /** A context. */
  static final class Context extends CUcontext {
    long address() {
      return getNativePointer();
    }
  }

  /** A stream. */
  static final class Stream extends CUstream {
    long address() {
      return getNativePointer();
    }
  }

  /** An event. */
  static final class Event extends CUevent {
    long address() {
      return getNativePointer();
    }
  }

  /** A function. */
  static final class Function extends CUfunction {
    long address() {
      return getNativePointer();
    }
  }

  /** A pointer to device memory. */
  static final class DevicePointer extends CUdeviceptr {
    /** Creates the pointer for the result of an allocation. */
    DevicePointer() {}

    /** Creates a pointer to an address. */
    DevicePointer(long address) {
      super(new CUdeviceptr(), address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }
}
