/** The pass that turns second-order operations of GPU threads into loops. */
module futharkc.pass.threadloops {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.threadloops.ThreadLoopsPass;
}
