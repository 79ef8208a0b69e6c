/** Inlining. */
module futharkc.pass.inlining {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.inlining.InliningPass;
}
