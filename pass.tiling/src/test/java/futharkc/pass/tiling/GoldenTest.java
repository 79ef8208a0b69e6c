package futharkc.pass.tiling;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests the pass on imperative programs in text form. */
class GoldenTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("golden/block-tiling", new BlockTilingPass());
  }
}
