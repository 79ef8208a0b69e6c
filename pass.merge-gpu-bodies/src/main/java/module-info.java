/** The pass that joins code of single threads of the device. */
module futharkc.pass.mergegpubodies {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.mergegpubodies.MergeGpuBodiesPass;
}
