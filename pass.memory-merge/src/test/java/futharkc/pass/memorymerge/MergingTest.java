package futharkc.pass.memorymerge;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class MergingTest {
  @TestFactory
  Stream<DynamicTest> coalesce() {
    return GoldenFiles.in("futharkc/pass/memorymerge/coalesce", new CoalescePass());
  }

  @TestFactory
  Stream<DynamicTest> reuse() {
    return GoldenFiles.in("futharkc/pass/memorymerge/reuse", new ReusePass());
  }
}
