/** The pass {@code galop}. */
module futharkc.pass.galop {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.galop.GalopPass;
}
