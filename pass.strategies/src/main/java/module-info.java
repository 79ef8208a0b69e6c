/** The passes that choose the versions of parallel operations before their lowering. */
module futharkc.pass.strategies {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.strategies.HistogramStrategyPass,
      futharkc.pass.strategies.InvariantStatementsPass,
      futharkc.pass.strategies.NestVersionsPass,
      futharkc.pass.strategies.SegmentStrategyPass;
}
