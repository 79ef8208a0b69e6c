/** The backend for multicore CPUs: Java source with parallel streams, compiled in process. */
module futharkc.backend.multicore {
  requires futharkc.core.ir;
  requires futharkc.core.codegen;
  requires futharkc.core.runtime;
  requires static org.jspecify;

  exports futharkc.backend.multicore;

  provides futharkc.core.codegen.Backend with
      futharkc.backend.multicore.MulticoreBackend;
}
