package futharkc.pass.sink;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class SinkTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/sink", new SinkPass());
  }
}
