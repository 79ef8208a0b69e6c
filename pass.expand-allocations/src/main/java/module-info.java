/** The pass that moves allocations out of threads and thread blocks. */
module futharkc.pass.expandallocations {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.expandallocations.ExpandAllocationsPass;
}
