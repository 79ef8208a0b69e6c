/** The pass that rounds a product and a sum once. */
module futharkc.pass.contraction {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.contraction.ContractionPass;
}
