/**
 * The pass that tiles matrix products and similar loops, and loops with the same reads in all
 * threads.
 */
module futharkc.pass.tiling {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.tiling.BlockTilingPass;
}
