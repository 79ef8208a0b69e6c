package futharkc.core.ir.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.text.Parser;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of block uses, including uses of arrays and accumulators, and of last uses. */
final class BlockUsesTest {
  private static final Name A = new Name("a", 3);
  private static final Name B = new Name("b", 5);
  private static final Name LAST = new Name("last", 14);

  private static final FunDef F =
      Parser.parse(
              "t",
              """
              #futhark-ir seq-mem v1
              fun f(n_1: i64, c_2: bool) -> (r_18: mem i64, r_19: [n_1]i64 @ r_18 -> 0 + {n_1: 1}) = {
                let {a_3: mem i64} = alloc(n_1, i64)
                let {xs_4: [n_1]i64 @ a_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
                let {b_5: mem i64} = alloc(n_1, i64)
                let {ys_6: [n_1]i64 @ b_5 -> 0 + {n_1: 1}} = iota_i64(n_1, 1i64, 1i64)
                let {last_14: mem i64, vs_15: [n_1]i64 @ last_14 -> 0 + {n_1: 1}} = loop {param_9: mem i64 = a_3, us_10: [n_1]i64 @ param_9 -> 0 + {n_1: 1} = xs_4} for i_11: i64 < n_1 do {
                  let {made_12: mem i64} = alloc(n_1, i64)
                  let {y_20: i64} = ys_6[i_11]
                  let {ws_13: [n_1]i64 @ made_12 -> 0 + {n_1: 1}} = iota_i64(n_1, y_20, 1i64)
                  in {made_12, ws_13}
                }
                let {v_21: i64} = vs_15[0i64]
                in {last_14, vs_15}
              }
              """)
          .functions()
          .values()
          .iterator()
          .next();

  private final AnalysisCache cache = new AnalysisCache();
  private final BlockUses uses = cache.get(F, BlockUses.ANALYSIS);
  private final List<Stm> stms = F.body().stms();

  @Test
  void lastUseMayBeAnArrayInALoop() {
    Map<Name, Integer> last = uses.last(stms);
    assertEquals(4, last.get(A), "the loop starts with it");
    assertEquals(4, last.get(B), "an element is read inside");
    assertEquals(5, last.get(LAST), "the array that the loop gives");
  }

  @Test
  void nestedUsesBelongToTheStatement() {
    Stm loop = stms.get(4);
    assertTrue(uses.of(loop).allocates());
    assertFalse(uses.of(stms.get(3)).allocates());
    assertTrue(uses.of(loop).passed().contains(A));
    assertFalse(uses.of(loop).passed().contains(B), "only an array in it is used");
    assertTrue(uses.of(F.body()).contains(LAST));
  }

  @Test
  void anArrayIsAUseOfItsBlock() {
    Set<Name> blocks = new HashSet<>();
    uses.addBlocks(new Name("ys", 6), blocks);
    uses.addBlocks(new Name("n", 1), blocks);
    assertEquals(Set.of(B), blocks);
  }

  @Test
  void resultIsShared() {
    assertSame(uses, cache.get(F, BlockUses.ANALYSIS));
  }
}
