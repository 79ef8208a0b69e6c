/** The pass that tiles matrix products and their kin. */
module futharkc.pass.tiling {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.tiling.BlockTilingPass;
}
