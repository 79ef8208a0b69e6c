/** NVIDIA's devices, through CUDA. */
module futharkc.backend.cuda {
  requires transitive futharkc.core.runtime;
  requires jcuda;
  requires static org.jspecify;

  exports futharkc.backend.cuda.runtime;

  provides futharkc.core.runtime.device.Diagnosis with
      futharkc.backend.cuda.runtime.CudaDiagnosis;
}
