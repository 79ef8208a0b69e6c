/** The passes that reduce the number of memory blocks and copies. */
module futharkc.pass.memorymerge {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.memorymerge.CoalescePass,
      futharkc.pass.memorymerge.ReusePass;
}
