/** The pass that moves reads of elements into the branches that use them. */
module futharkc.pass.sink {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.sink.SinkPass;
}
