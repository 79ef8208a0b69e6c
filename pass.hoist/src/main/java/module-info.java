/** The pass that takes computations out of loops and maps in which they do not vary. */
module futharkc.pass.hoist {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.hoist.HoistPass;
}
