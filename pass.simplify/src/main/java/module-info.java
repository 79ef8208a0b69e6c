/** The simplifier. */
module futharkc.pass.simplify {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.simplify.SimplifyPass;
}
