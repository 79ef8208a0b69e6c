/** The pass that converts SOACs to sequential code. */
module futharkc.pass.sequentialise {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.sequentialise.SequentialisePass;
}
