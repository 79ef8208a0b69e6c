/** The pass that reads elements where they are needed. */
module futharkc.pass.sink {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.sink.SinkPass;
}
