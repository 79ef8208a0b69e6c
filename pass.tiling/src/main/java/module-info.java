/**
 * The passes that tile matrix products and similar loops: for the shared memory and the registers
 * of GPUs, and for the caches and vectors of CPUs.
 */
module futharkc.pass.tiling {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.tiling.BlockTilingPass,
      futharkc.pass.tiling.CacheTilingPass;
}
