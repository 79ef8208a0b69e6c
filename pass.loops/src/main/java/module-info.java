/** Passes on the loops of imperative code. */
module futharkc.pass.loops {
  requires futharkc.core.ir;
  requires static org.jspecify;

  provides futharkc.core.ir.spi.Pass with
      futharkc.pass.loops.EqualityPropagationPass,
      futharkc.pass.loops.CancellationChecksPass,
      futharkc.pass.loops.DeadCodePass,
      futharkc.pass.loops.DivRemPairsPass,
      futharkc.pass.loops.IfConversionPass,
      futharkc.pass.loops.InductionVariableNarrowingPass,
      futharkc.pass.loops.InvariantExpansionPass,
      futharkc.pass.loops.LoopDistributionPass,
      futharkc.pass.loops.LoopInvariantMotionPass,
      futharkc.pass.loops.LoopOutliningPass,
      futharkc.pass.loops.LoopUnswitchingPass,
      futharkc.pass.loops.LoopVersioningPass,
      futharkc.pass.loops.ReassociateReductionsPass,
      futharkc.pass.loops.RegionSharingPass,
      futharkc.pass.loops.RowStagingPass,
      futharkc.pass.loops.SineCosinePairsPass,
      futharkc.pass.loops.StripMinePass,
      futharkc.pass.loops.ThreadCoarseningPass,
      futharkc.pass.loops.ThreadDistributionPass,
      futharkc.pass.loops.ThreadUnrollingPass,
      futharkc.pass.loops.UnrollAndJamPass,
      futharkc.pass.loops.VectoriseMemoryAccessesPass,
      futharkc.pass.loops.VectorisePass;
}
