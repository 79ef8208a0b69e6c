/** Passes on where kernels read what they read often: shared memory, or copies. */
module futharkc.pass.staging {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.staging.BankPaddingPass,
      futharkc.pass.staging.BlockStagingPass,
      futharkc.pass.staging.InputTranspositionPass;
}
