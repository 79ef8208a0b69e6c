/** The backend for OpenCL devices. */
module futharkc.backend.opencl {
  requires futharkc.core.codegen;
  requires futharkc.core.ir;
  requires transitive futharkc.core.runtime;
  requires futharkc.backend.opencl.runtime;
  requires jocl;
  requires static org.jspecify;

  exports futharkc.backend.opencl;

  provides futharkc.core.codegen.Backend with
      futharkc.backend.opencl.OpenClBackend;
}
