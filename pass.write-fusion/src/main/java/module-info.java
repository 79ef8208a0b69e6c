/** The write fusion pass. */
module futharkc.pass.writefusion {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.writefusion.WriteFusionPass,
      futharkc.pass.writefusion.CheckWritesPass;
}
