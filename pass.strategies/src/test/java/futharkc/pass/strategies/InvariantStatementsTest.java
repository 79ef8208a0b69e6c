package futharkc.pass.strategies;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The statements that lowering puts before the loop over the innermost index. */
final class InvariantStatementsTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/strategies/invariants", new InvariantStatementsPass());
  }
}
