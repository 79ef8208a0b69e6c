package futharkc.pass.memorymerge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.symbolic.Facts;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

final class LiveRangeTableTest {
  /** The number of blocks of the body; the next block belongs to the caller. */
  private static final int BLOCKS = 6;

  private static final int READS = 14;

  private final Random random;
  private final FunctionMemory table;
  private final Name result;
  private final StatementOrder order;

  LiveRangeTableTest(RepetitionInfo info) {
    random = new Random(info.getCurrentRepetition());
    result = new Name("xs", 10 * random.nextInt(BLOCKS + 1) + 10);
    Program program = program();
    FunDef f = program.functions().get("main");
    table = new FunctionMemory(f, program);
    order = new StatementOrder(f.body().stms(), Set.of(result), Facts.of(f), table);
  }

  /** Returns a program with an array in each block, and reads of their elements. */
  private Program program() {
    StringBuilder body = new StringBuilder();
    for (int k = 0; k < BLOCKS; k++) {
      body.append("  let {mem_%d: mem i64} = alloc(n_90, i64)\n".formatted(k));
    }
    for (int k = 0; k <= BLOCKS; k++) {
      String exp = k < BLOCKS ? "replicate([n_90], 7i64)" : "own_91 with [0i64] = 7i64";
      body.append(
          "  let {xs_%d: [n_90]i64 @ mem_%d -> 0 + {n_90: 1}} = %s\n"
              .formatted(10 * k + 10, k, exp));
    }
    for (int r = 0; r < READS; r++) {
      int k = random.nextInt(BLOCKS + 1);
      body.append("  let {x_%d: i64} = xs_%d[0i64]\n".formatted(100 + r, 10 * k + 10));
    }
    String params =
        "n_90: i64, mem_%d: mem i64, own_91: *[n_90]i64 @ mem_%d -> 0 + {n_90: 1}"
            .formatted(BLOCKS, BLOCKS);
    return Parser.parse(
        "lives.fir",
        "#futhark-ir seq-mem v1\n\nfun main(%s) -> () next 200 = {\n%s  in {}\n}\n"
            .formatted(params, body));
  }

  /** Tests that the table is correct after moves of statements and merges of blocks. */
  @RepeatedTest(20)
  void changesAreKeptUpWith() {
    LiveRangeTable lives = order.lives(LiveRangeTableTest::size);
    assertRight(lives, "at first");
    for (int step = 0; step < 400; step++) {
      if (step % 80 == 79) {
        merge();
      } else {
        int from = random.nextInt(order.stms().size());
        int to = random.nextInt(from + 1);
        List<Stm> now = new ArrayList<>(order.stms());
        now.add(to, now.remove(from));
        order.reorder(now, 0, now.size());
      }
      assertRight(lives, "after step " + step);
    }
  }

  private void merge() {
    Name from = table.now(new Name("mem", random.nextInt(BLOCKS)));
    Name to = table.now(new Name("mem", random.nextInt(BLOCKS)));
    if (from.equals(to)) {
      return;
    }
    Map<Name, ArrayMem> moved = new HashMap<>();
    for (Name n : table.arraysIn(from)) {
      moved.put(n, new ArrayMem(to, table.place(n).lmad()));
    }
    table.move(moved, List.of(from), to);
    order.merged(List.of(from), to);
  }

  private void assertRight(LiveRangeTable lives, String when) {
    int end = order.stms().size();
    for (int at = 0; at < end; at++) {
      int first = random.nextInt(at + 1);
      int before = first + random.nextInt(at + 1 - first);
      Name without = new Name("mem", random.nextInt(BLOCKS));
      double most = 0;
      for (int p = first; p < before; p++) {
        most = Math.max(most, live(p, without) - live(at, without));
      }
      assertEquals(most, lives.mostBefore(first, before, at, Set.of(without)), when);
    }
    for (int k = 0; k < BLOCKS; k++) {
      Name block = new Name("mem", k);
      if (table.now(block).equals(block)) {
        assertEquals(birth(block), lives.birth(block), when);
      }
    }
  }

  private static double size(Name block) {
    return 1 << block.tag();
  }

  private int birth(Name block) {
    return table.arraysIn(block).stream().mapToInt(order::bound).min().orElseThrow();
  }

  /**
   * Returns the size of the live blocks at a statement that the body allocates, except for one
   * block.
   */
  private double live(int at, Name without) {
    double sum = 0;
    for (int k = 0; k < BLOCKS; k++) {
      Name block = new Name("mem", k);
      List<Name> arrays = table.arraysIn(block);
      if (arrays.isEmpty() || block.equals(without) || birth(block) > at) {
        continue;
      }
      boolean isNeeded =
          arrays.contains(result)
              || arrays.stream()
                  .flatMap(n -> order.mentioning(n).stream())
                  .anyMatch(s -> order.position(s) >= at);
      if (isNeeded) {
        sum += size(block);
      }
    }
    return sum;
  }
}
