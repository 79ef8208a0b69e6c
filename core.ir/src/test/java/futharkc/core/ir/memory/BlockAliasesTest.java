package futharkc.core.ir.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.text.Parser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of block aliases through branches and loops, with and without regard to time. */
final class BlockAliasesTest {
  private static final Name A = new Name("a", 3);
  private static final Name B = new Name("b", 5);
  private static final Name CHOSEN = new Name("chosen", 7);
  private static final Name PARAM = new Name("param", 9);
  private static final Name MADE = new Name("made", 12);
  private static final Name LAST = new Name("last", 14);
  private static final Name OTHER = new Name("other", 16);

  private static BlockAliases aliases() {
    FunDef f =
        Parser.parse(
                "t",
                """
                #futhark-ir seq-mem v1
                fun f(n_1: i64, c_2: bool) -> (r_18: mem i64, r_19: [n_1]i64 @ r_18 -> 0 + {n_1: 1}) = {
                  let {a_3: mem i64} = alloc(n_1, i64)
                  let {xs_4: [n_1]i64 @ a_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
                  let {b_5: mem i64} = alloc(n_1, i64)
                  let {ys_6: [n_1]i64 @ b_5 -> 0 + {n_1: 1}} = iota_i64(n_1, 1i64, 1i64)
                  let {chosen_7: mem i64, zs_8: [n_1]i64 @ chosen_7 -> 0 + {n_1: 1}} = if c_2 then {
                    in {a_3, xs_4}
                  } else {
                    in {b_5, ys_6}
                  }
                  let {last_14: mem i64, vs_15: [n_1]i64 @ last_14 -> 0 + {n_1: 1}} = loop {param_9: mem i64 = chosen_7, us_10: [n_1]i64 @ param_9 -> 0 + {n_1: 1} = zs_8} for i_11: i64 < n_1 do {
                    let {made_12: mem i64} = alloc(n_1, i64)
                    let {ws_13: [n_1]i64 @ made_12 -> 0 + {n_1: 1}} = iota_i64(n_1, i_11, 1i64)
                    in {made_12, ws_13}
                  }
                  let {other_16: mem i64} = alloc(n_1, i64)
                  let {ts_17: [n_1]i64 @ other_16 -> 0 + {n_1: 1}} = iota_i64(n_1, 2i64, 1i64)
                  in {last_14, vs_15}
                }
                """)
            .functions()
            .values()
            .iterator()
            .next();
    return BlockAliases.of(f.body().stms(), Map.of());
  }

  @Test
  void aliasesAreTransitive() {
    BlockAliases aliases = aliases();
    for (Name n : List.of(A, B, CHOSEN, PARAM, MADE)) {
      assertTrue(aliases.maySame(LAST, n), "" + n);
    }
    assertEquals(List.of(B, CHOSEN, PARAM, MADE, LAST), aliases.of(A));
    assertFalse(aliases.maySame(LAST, OTHER));
    assertEquals(List.of(), aliases.of(OTHER));
  }

  /** Checks that the result of a branch is one of two blocks, but the two blocks are different. */
  @Test
  void branchOperandsAreDifferentBlocks() {
    BlockAliases aliases = aliases();
    assertTrue(aliases.maySameAtOnce(A, CHOSEN));
    assertTrue(aliases.maySameAtOnce(B, CHOSEN));
    assertFalse(aliases.maySameAtOnce(A, B));
    assertFalse(aliases.maySameAtOnce(PARAM, MADE));
    assertTrue(aliases.maySameAtOnce(MADE, LAST));
    assertTrue(aliases.maySameAtOnce(A, LAST));
  }
}
