package futharkc.core.ir.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays that are put over others: while these are read, or later. */
final class OverwriteCheckTest {
  private static List<String> violations(String body) {
    Program p = Parser.parse("t", "#futhark-ir seq-mem v1\n" + body);
    return Verifier.memoryViolations(p).stream().map(v -> v.function() + ": " + v.rule()).toList();
  }

  /** The second array is in the block of the first, from a place on. */
  private static String twoInOneBlock(String offset, String read) {
    return """
    fun f(n_1: i64) -> (r_2: i64) = {
      let {k_3: i64} = add_i64(n_1, 1i64)
      let {size_4: i64} = add_i64(n_1, k_3)
      let {m_5: mem i64} = alloc(size_4, i64)
      let {xs_6: [n_1]i64 @ m_5 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
      let {ys_7: [k_3]i64 @ m_5 -> OFFSET + {k_3: 1}} = iota_i64(k_3, 0i64, 1i64)
      let {a_8: i64} = READ[0i64]
      in {a_8}
    }
    """
        .replace("OFFSET", offset)
        .replace("READ", read);
  }

  @Test
  void findsArraysOverOthers() {
    String found = "function f: ys_7 is written over xs_6, which is read later";
    assertEquals(List.of(found), violations(twoInOneBlock("0", "xs_6")));
    assertEquals(List.of(), violations(twoInOneBlock("0", "ys_7")));
  }

  @Test
  void triesSizesForPartsOfBlocks() {
    assertEquals(List.of(), violations(twoInOneBlock("n_1", "xs_6")));
    assertEquals(List.of(), violations(twoInOneBlock("1", "xs_6")));
    assertEquals(
        List.of("function f: ys_7 is written over xs_6, which is read later"),
        violations(twoInOneBlock("1", "xs_6").replace("xs_6[0i64]", "xs_6[1i64]")));
  }

  private static String copyInPlace(String read) {
    return """
    fun f(n_1: i64) -> (r_2: i64) = {
      let {m_3: mem i64} = alloc(n_1, i64)
      let {xs_4: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
      let {ys_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = replicate([], xs_4)
      let {a_6: i64} = xs_4[1i64]
      let {zs_7: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = ys_5 with [1i64] = 7i64
      let {b_8: i64} = READ
      in {b_8}
    }
    """
        .replace("READ", read);
  }

  @Test
  void letsCopiesStayWhereTheyAre() {
    assertEquals(List.of(), violations(copyInPlace("zs_7[1i64]")));
    assertEquals(List.of(), violations(copyInPlace("xs_4[2i64]")));
    assertEquals(
        List.of("function f: zs_7 is written over xs_4, which is read later"),
        violations(copyInPlace("xs_4[1i64]")));
  }

  @Test
  void looksIntoBranches() {
    String program =
        """
        fun f(c_0: bool, n_1: i64) -> (r_2: i64) = {
          let {m_3: mem i64} = alloc(n_1, i64)
          let {xs_4: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
          let {a_5: i64} = if c_0 then {
            let {ys_6: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
            let {b_7: i64} = ys_6[0i64]
            in {b_7}
          } else {
            let {d_8: i64} = xs_4[0i64]
            in {d_8}
          }
          READ
          in {e_9}
        }
        """;
    String found = "function f: ys_6 is written over xs_4, which is read later";
    assertEquals(
        List.of(), violations(program.replace("READ", "let {e_9: i64} = add_i64(a_5, 1i64)")));
    assertEquals(
        List.of(found), violations(program.replace("READ", "let {e_9: i64} = xs_4[0i64]")));
  }
}
