/** The pass that hoists invariant computations out of loops and maps. */
module futharkc.pass.hoist {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.hoist.HoistPass;
}
