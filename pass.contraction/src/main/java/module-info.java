/** The pass that contracts a product and a sum into an operation with one rounding. */
module futharkc.pass.contraction {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.contraction.ContractionPass;
}
