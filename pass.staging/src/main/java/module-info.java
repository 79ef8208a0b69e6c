/** Passes that move data which kernels read often to shared memory. */
module futharkc.pass.staging {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.staging.BankPaddingPass,
      futharkc.pass.staging.BlockStagingPass;
}
