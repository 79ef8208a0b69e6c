/** The pass that turns nested parallelism into flat parallelism. */
module futharkc.pass.flattening {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.flattening.FlatteningPass;
}
