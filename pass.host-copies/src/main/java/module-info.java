/** The pass {@code host-copies}. */
module futharkc.pass.hostcopies {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.hostcopies.HostCopiesPass;
}
