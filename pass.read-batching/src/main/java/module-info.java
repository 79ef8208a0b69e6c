/** The pass {@code read-batching}. */
module futharkc.pass.readbatching {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.readbatching.ReadBatchingPass;
}
