package futharkc.pass.hoist;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class HoistTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/hoist", new HoistPass());
  }
}
