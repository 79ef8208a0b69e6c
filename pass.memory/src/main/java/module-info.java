/** The passes that say where arrays are in memory. */
module futharkc.pass.memory {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.memory.AllocateMulticorePass,
      futharkc.pass.memory.AllocateSequentialPass;
}
