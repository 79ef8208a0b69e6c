/** The differentiation pass. */
module futharkc.pass.differentiation {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.differentiation.DifferentiationPass;
}
