/**
 * The run time of programs on OpenCL devices: what compiled programs need, without the compiler.
 */
module futharkc.backend.opencl.runtime {
  requires transitive futharkc.core.runtime;
  requires jocl;
  requires static org.jspecify;

  exports futharkc.backend.opencl.runtime;

  provides futharkc.core.runtime.device.Diagnosis with
      futharkc.backend.opencl.runtime.OpenClDiagnosis;
  provides futharkc.core.runtime.device.DeviceApi with
      futharkc.backend.opencl.runtime.OpenClApi;
}
