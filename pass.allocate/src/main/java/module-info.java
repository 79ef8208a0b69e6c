/** The passes that say where arrays are in memory. */
module futharkc.pass.allocate {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.allocate.AllocateGpuPass,
      futharkc.pass.allocate.AllocateMulticorePass,
      futharkc.pass.allocate.AllocateSequentialPass;
}
