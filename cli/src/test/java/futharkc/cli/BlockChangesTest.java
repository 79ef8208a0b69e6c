package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockChangesTest {
  /** Returns a program that allocates a block of each name. */
  private static Program program(String... blocks) {
    StringBuilder text = new StringBuilder("#futhark-ir seq-mem v1\n");
    text.append("fun f(n_0: i64) -> (r_1: i64) = {\n");
    for (String block : blocks) {
      String array = "x" + block.substring(block.indexOf('_')) + "0";
      text.append("  let {%s: mem i64} = alloc(n_0, i64)\n".formatted(block));
      text.append(
          "  let {%s: [n_0]i64 @ %s -> 0 + {n_0: 1}} = iota_i64(n_0, 0i64, 1i64)\n"
              .formatted(array, block));
    }
    return Parser.parse("test", text.append("  in {n_0}\n}\n").toString());
  }

  @Test
  void blocksAreAttributedToThePassThatAddedOrRemovedThem() {
    BlockChanges changes = new BlockChanges();
    changes.start(program("a_2", "b_3"));
    changes.after("reuse", program("a_2"));
    changes.after("hoist", program("a_2"));
    changes.after("double-buffer", program("a_2", "buffer_4", "buffer_5"));
    assertEquals(
        List.of(
            new BlockChanges.Change("b_3", "reuse", false),
            new BlockChanges.Change("buffer_4", "double-buffer", true),
            new BlockChanges.Change("buffer_5", "double-buffer", true)),
        changes.of("f"));
    assertEquals(List.of(), changes.of("g"));
  }
}
