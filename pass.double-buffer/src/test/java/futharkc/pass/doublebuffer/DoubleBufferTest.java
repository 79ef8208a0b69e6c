package futharkc.pass.doublebuffer;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class DoubleBufferTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/doublebuffer", new DoubleBufferPass());
  }
}
