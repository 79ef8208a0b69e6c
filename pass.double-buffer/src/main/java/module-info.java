/** The pass that lets loops alternate between two memory blocks. */
module futharkc.pass.doublebuffer {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.doublebuffer.DoubleBufferPass;
}
