package futharkc.pass.loops;

import futharkc.core.ir.spi.Pass;
import futharkc.tests.kit.GoldenFiles;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** Golden tests of each pass on imperative programs in text form. */
class GoldenTest {
  private static final List<Pass> PASSES =
      List.of(
          new EqualityPropagationPass(),
          new CancellationChecksPass(),
          new DeadCodePass(),
          new DivRemPairsPass(),
          new IfConversionPass(),
          new InductionVariableNarrowingPass(),
          new InvariantExpansionPass(),
          new LoopDistributionPass(),
          new LoopInvariantMotionPass(),
          new LoopOutliningPass(),
          new LoopUnswitchingPass(),
          new LoopVersioningPass(),
          new ReassociateReductionsPass(),
          new RegionSharingPass(),
          new RowStagingPass(),
          new SineCosinePairsPass(),
          new StripMinePass(),
          new ThreadCoarseningPass(),
          new ThreadDistributionPass(),
          new ThreadUnrollingPass(),
          new UnrollAndJamPass(),
          new VectoriseMemoryAccessesPass(),
          new VectorisePass());

  @TestFactory
  Stream<DynamicContainer> golden() {
    return PASSES.stream()
        .map(
            p -> {
              String name = p.info().name();
              return DynamicContainer.dynamicContainer(name, GoldenFiles.in("golden/" + name, p));
            });
  }
}
