package futharkc.pass.galop;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.spi.Remark;
import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import futharkc.tests.kit.RecordingContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

final class GalopTest {
  private static final Path FOLDER = Path.of("src/test/resources/futharkc/pass/galop");

  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/galop", new GalopPass());
  }

  /** A second run changes nothing: the first one has chosen the layouts. */
  @TestFactory
  Stream<DynamicTest> secondRunsChangeNothing() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> all = files.sorted().toList();
      return all.stream()
          .map(f -> DynamicTest.dynamicTest(f.getFileName().toString(), () -> runTwice(f)));
    }
  }

  private static void runTwice(Path file) throws IOException {
    String text = Files.readString(file);
    Program once = Parser.parse(file.toString(), text.substring(text.indexOf("=====") + 6));
    GalopPass pass = new GalopPass();
    RecordingContext context = new RecordingContext(pass, Map.of());
    for (FunDef f : once.functions().values()) {
      assertSame(f, pass.run(f, once, context));
    }
    assertTrue(context.remarks().stream().noneMatch(r -> r.kind() == Remark.Kind.APPLIED));
  }
}
