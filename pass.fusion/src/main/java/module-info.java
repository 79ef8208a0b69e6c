/** The fusion pass. */
module futharkc.pass.fusion {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.fusion.FusionPass;
}
