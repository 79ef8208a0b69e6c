package futharkc.pass.doublebuffer;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import futharkc.core.ir.text.Parser;
import futharkc.tests.kit.GoldenFiles;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class DoubleBufferTest {
  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in("futharkc/pass/doublebuffer", new DoubleBufferPass());
  }

  /**
   * Tests a chain of loops, each of which begins with the result of the previous one. One traversal
   * must find all uses.
   */
  @Test
  void manyLoopsTakeTimeInProportion() {
    int count = 8_000;
    StringBuilder text = new StringBuilder("#futhark-ir seq-mem v1\n");
    text.append("fun f(n_1: i64) -> (r_2: mem i64, r_3: [n_1]i64 @ r_2 -> 0 + {n_1: 1}) = {\n");
    text.append("let {m_4: mem i64} = alloc(n_1, i64)\n");
    text.append("let {x_5: [n_1]i64 @ m_4 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)\n");
    int block = 4;
    for (int i = 0; i < count; i++) {
      int next = 10 + 10 * i;
      text.append(loop(block, next));
      block = next;
    }
    text.append("in {m_%d, x_%d}\n}\n".formatted(block, block + 1));
    var program = Parser.parse("loops", text.toString());
    assertTimeoutPreemptively(
        ofSeconds(20), () -> GoldenFiles.run(new DoubleBufferPass(), program, Map.of()));
  }

  private static String loop(int block, int next) {
    return """
    let {m_%1$d: mem i64, x_%2$d: [n_1]i64 @ m_%1$d -> 0 + {n_1: 1}} = loop {\
    p_%3$d: mem i64 = m_%4$d, y_%5$d: [n_1]i64 @ p_%3$d -> 0 + {n_1: 1} = x_%6$d\
    } for i_%7$d: i64 < n_1 do {
      let {q_%8$d: mem i64} = alloc(n_1, i64)
      let {z_%9$d: [n_1]i64 @ q_%8$d -> 0 + {n_1: 1}} = iota_i64(n_1, i_%7$d, 1i64)
      in {q_%8$d, z_%9$d}
    }
    """
        .formatted(
            next, next + 1, next + 2, block, next + 3, block + 1, next + 4, next + 5, next + 6);
  }
}
