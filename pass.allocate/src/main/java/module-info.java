/** The passes that allocate memory for arrays. */
module futharkc.pass.allocate {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.allocate.AllocateGpuPass,
      futharkc.pass.allocate.AllocateMulticorePass,
      futharkc.pass.allocate.AllocateSequentialPass;
}
