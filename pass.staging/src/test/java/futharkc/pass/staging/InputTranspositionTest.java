package futharkc.pass.staging;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class InputTranspositionTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in(
        "futharkc/pass/staging/input-transposition", new InputTranspositionPass());
  }
}
