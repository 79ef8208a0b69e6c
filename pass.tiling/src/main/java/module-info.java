/**
 * The pass that tiles matrix products and their kin, and loops that read the same for all threads.
 */
module futharkc.pass.tiling {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.tiling.BlockTilingPass;
}
