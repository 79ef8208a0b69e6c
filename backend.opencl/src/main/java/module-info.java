/** OpenCL devices. */
module futharkc.backend.opencl {
  requires transitive futharkc.core.runtime;
  requires jocl;
  requires static org.jspecify;

  exports futharkc.backend.opencl.runtime;

  provides futharkc.core.runtime.device.Diagnosis with
      futharkc.backend.opencl.runtime.OpenClDiagnosis;
}
