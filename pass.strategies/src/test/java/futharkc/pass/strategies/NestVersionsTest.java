package futharkc.pass.strategies;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The operations that have an outer and an inner version. */
final class NestVersionsTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/strategies/nests", new NestVersionsPass());
  }
}
