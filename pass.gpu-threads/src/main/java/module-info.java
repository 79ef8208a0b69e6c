/** Passes over the code of GPU threads. */
module futharkc.pass.gputhreads {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.gputhreads.BarrierEliminationPass;
}
