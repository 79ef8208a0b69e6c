package futharkc.pass.flattening;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class FlatteningTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/flattening", new FlatteningPass());
  }

  @Test
  void manyUpdatesTakeTimeInProportion() {
    int count = 20_000;
    StringBuilder text = new StringBuilder("#futhark-ir soacs v1\n-- properties: fused, inlined\n");
    text.append("entry \"main\" (\"a\": *[]i32) -> *[]i32\n");
    text.append("fun main(n_0: i64, x_2: *[n_0]i32) -> (y_1: *[n_0]i32)");
    text.append(" next ").append(count + 3).append(" = {\n");
    String update = "let {x_%d: [n_0]i32} = x_%d with [0i64] = 1i32\n";
    for (int i = 3; i < count + 3; i++) {
      text.append(update.formatted(i, i - 1));
    }
    text.append("in {x_").append(count + 2).append("}\n}\n");
    var program = Parser.parse("updates", text.toString());
    assertTimeoutPreemptively(
        ofSeconds(20), () -> GoldenFiles.run(new FlatteningPass(), program, Map.of()));
  }
}
