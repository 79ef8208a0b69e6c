/** The pass from SOACs to parallel operations on CPU cores. */
module futharkc.pass.parallelise {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.parallelise.ParallelisePass;
}
