package futharkc.pass.tiling;

import futharkc.tests.kit.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Tests the passes on imperative programs in text form. */
class GoldenTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return Stream.concat(
        GoldenFiles.in("golden/block-tiling", new BlockTilingPass()),
        GoldenFiles.in("golden/cache-tiling", new CacheTilingPass()));
  }
}
