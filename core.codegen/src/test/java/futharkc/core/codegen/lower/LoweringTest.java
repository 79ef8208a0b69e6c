package futharkc.core.codegen.lower;

import futharkc.core.codegen.lower.gpu.LowerGpuPass;
import futharkc.core.codegen.lower.multicore.LowerMulticorePass;
import futharkc.core.codegen.lower.multicore.LowerSequentialPass;
import futharkc.core.ir.spi.Pass;
import futharkc.tests.kit.GoldenFiles;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/**
 * Golden tests of the lowering of each operation, for GPUs, for several cores and for one thread.
 * Most programs have a file for each of the three.
 */
final class LoweringTest {
  private static final List<Pass> PASSES =
      List.of(new LowerGpuPass(), new LowerMulticorePass(), new LowerSequentialPass());

  @TestFactory
  Stream<DynamicContainer> golden() {
    return PASSES.stream()
        .map(
            p -> {
              String name = p.info().name();
              return DynamicContainer.dynamicContainer(
                  name, GoldenFiles.in("futharkc/core/codegen/lower/" + name, p));
            });
  }
}
