/** The pass that has thread blocks keep in shared memory what they read in loops. */
module futharkc.pass.staging {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.staging.BlockStagingPass;
}
