package futharkc.pass.strategies;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The divisions of reductions and scans among threads: each golden file fails if the condition of
 * its name is removed.
 */
final class SegmentStrategyTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/strategies/segments", new SegmentStrategyPass());
  }
}
