/** The pass that gives loops two blocks to go back and forth between. */
module futharkc.pass.doublebuffer {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.doublebuffer.DoubleBufferPass;
}
