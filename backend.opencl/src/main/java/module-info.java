/** The backend for OpenCL devices. */
module futharkc.backend.opencl {
  requires futharkc.core.codegen;
  requires futharkc.core.ir;
  requires transitive futharkc.core.runtime;
  requires jocl;
  requires static org.jspecify;

  exports futharkc.backend.opencl;
  exports futharkc.backend.opencl.runtime;

  provides futharkc.core.codegen.Backend with
      futharkc.backend.opencl.OpenClBackend;
  provides futharkc.core.runtime.device.Diagnosis with
      futharkc.backend.opencl.runtime.OpenClDiagnosis;
}
