/** The backend for NVIDIA's devices, through CUDA. */
module futharkc.backend.cuda {
  requires futharkc.core.codegen;
  requires futharkc.core.ir;
  requires transitive futharkc.core.runtime;
  requires futharkc.backend.cuda.runtime;
  requires jcuda;
  requires static org.jspecify;

  exports futharkc.backend.cuda;

  provides futharkc.core.codegen.Backend with
      futharkc.backend.cuda.CudaBackend;
}
