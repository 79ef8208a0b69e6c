package futharkc.pass.simplify;

import futharkc.pass.simplify.hoist.HoistPass;
import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class HoistTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/simplify/hoist", new HoistPass());
  }
}
