/** The pass that moves scalar work from the host to the device. */
module futharkc.pass.migration {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.migration.MigrationPass;
}
