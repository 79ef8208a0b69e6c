package futharkc.backend.cuda.runtime;

import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;

/** JCuda's objects, whose native addresses can be asked for. */
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

  /** A function. */
  static final class Function extends CUfunction {
    long address() {
      return getNativePointer();
    }
  }

  /** A place in a device's memory. */
  static final class Place extends CUdeviceptr {
    /** Of an allocation that is to be. */
    Place() {}

    /** At an address. */
    Place(long address) {
      super(new CUdeviceptr(), address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }
}
