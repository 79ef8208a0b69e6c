/**
 * The run time of programs on NVIDIA's devices, through CUDA: what compiled programs need, without
 * the compiler.
 */
module futharkc.backend.cuda.runtime {
  requires transitive futharkc.core.runtime;
  requires jcuda;
  requires static org.jspecify;

  exports futharkc.backend.cuda.runtime;

  provides futharkc.core.runtime.device.Diagnosis with
      futharkc.backend.cuda.runtime.CudaDiagnosis;
  provides futharkc.core.runtime.device.DeviceApi with
      futharkc.backend.cuda.runtime.CudaApi;
}
