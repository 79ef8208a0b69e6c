/** The passes {@code read-packing}, {@code read-batching} and {@code speculative-launch}. */
module futharkc.pass.readbatching {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.readbatching.ReadBatchingPass,
      futharkc.pass.readbatching.ReadPackingPass,
      futharkc.pass.readbatching.SpeculativeLaunchPass;
}
