package futharkc.core.ir.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of arrays that overwrite others, before and after these are last read. */
final class OverwriteCheckTest {
  private static List<String> violations(String body) {
    Program p = Parser.parse("t", "#futhark-ir seq-mem v1\n" + body);
    return Verifier.memoryViolations(p).stream().map(v -> v.function() + ": " + v.rule()).toList();
  }

  /** Returns a program whose second array is in the block of the first, from an offset. */
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
  void findsOverwrittenArrays() {
    String found = "function f: ys_7 overwrites xs_6, which is read later";
    assertEquals(List.of(found), violations(twoInOneBlock("0", "xs_6")));
    assertEquals(List.of(), violations(twoInOneBlock("0", "ys_7")));
  }

  @Test
  void triesSizesForRegions() {
    assertEquals(List.of(), violations(twoInOneBlock("n_1", "xs_6")));
    assertEquals(List.of(), violations(twoInOneBlock("1", "xs_6")));
    assertEquals(
        List.of("function f: ys_7 overwrites xs_6, which is read later"),
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
  void acceptsCopiesInPlace() {
    assertEquals(List.of(), violations(copyInPlace("zs_7[1i64]")));
    assertEquals(List.of(), violations(copyInPlace("xs_4[2i64]")));
    assertEquals(
        List.of("function f: zs_7 overwrites xs_4, which is read later"),
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
    String found = "function f: ys_6 overwrites xs_4, which is read later";
    assertEquals(
        List.of(), violations(program.replace("READ", "let {e_9: i64} = add_i64(a_5, 1i64)")));
    assertEquals(
        List.of(found), violations(program.replace("READ", "let {e_9: i64} = xs_4[0i64]")));
  }

  // Each program first writes an array to m_3; the check must refuse or accept the statements
  // after it

  private static boolean isRefused(String rep, String statements, String results) {
    String space = rep.equals("gpu-mem") ? "device" : "i64";
    String size = rep.equals("gpu-mem") ? "size_90" : "n_1";
    String program =
        """
        #futhark-ir REP v1
        fun f(c_0: bool, n_1: i64, k_2: i64, ws_mem_80: mem SPACE, ws_81: *[n_1]i64 @ ws_mem_80 -> 0 + {n_1: 1}) -> (r_99: i64) = {
          let {size_90: i64} = mul_i64(8i64, n_1)
          let {m_3: mem SPACE} = alloc(SIZE, SPACE)
          let {xs_4: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
        STATEMENTS
          in {RESULTS}
        }
        """
            .replace("REP", rep)
            .replace("SPACE", space)
            .replace("SIZE", size)
            .replace("STATEMENTS", statements)
            .replace("RESULTS", results);
    List<String> found =
        Verifier.memoryViolations(Parser.parse("t", program)).stream().map(v -> v.rule()).toList();
    for (String rule : found) {
      assertTrue(rule.endsWith("which is read later"), rule);
    }
    return !found.isEmpty();
  }

  /**
   * Checks that statements are refused with one operand in place of READ, and accepted with
   * another.
   */
  private static void matters(String rep, String statements, String refused, String accepted) {
    assertTrue(isRefused(rep, statements.replace("READ", refused), "e_9"), refused);
    assertFalse(isRefused(rep, statements.replace("READ", accepted), "e_9"), accepted);
  }

  /** Returns a statement that writes consecutive numbers to an array in the first block. */
  private static String made(String name) {
    return "let {" + name + ": [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 5i64, 1i64)\n";
  }

  private static final String OVER =
      made("as_10") + made("bs_11") + "let {b_12: i64} = bs_11[0i64]\n";

  @Test
  void functionsReturnArrays() {
    String statements = made("ys_5") + "let {a_6: i64} = ys_5[0i64]\n";
    assertTrue(isRefused("seq-mem", statements, "m_3, xs_4, a_6"));
    assertFalse(isRefused("seq-mem", statements, "m_3, ys_5, a_6"));
  }

  @Test
  void branchesReturnArrays() {
    String z = "let {z_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = if c_0 then {";
    String other = made("cs_20") + "in {cs_20}";
    String read = "let {e_9: i64} = z_5[1i64]\n";
    matters("seq-mem", z + OVER + "in {READ}} else {" + other + "}\n" + read, "as_10", "bs_11");
    matters("seq-mem", z + other + "} else {" + OVER + "in {READ}}\n" + read, "as_10", "bs_11");
  }

  @Test
  void offsetsComeFromBranches() {
    String z =
        "let {m_5: mem i64, o_6: i64, z_7: [n_1]i64 @ m_5 -> o_6 + {n_1: 1}} = if c_0 then {";
    String other = made("cs_20") + "in {m_3, 0i64, cs_20}} else {";
    String read = "in {m_3, 0i64, READ}}\nlet {e_9: i64} = z_7[1i64]\n";
    matters("seq-mem", z + other + OVER + read, "as_10", "bs_11");
  }

  @Test
  void loopsReturnArrays() {
    String z =
        "let {z_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = loop {p_6: *[n_1]i64 @ m_3 -> 0 + {n_1: 1} ="
            + " xs_4} for i_7: i64 < k_2 do {";
    matters("seq-mem", z + OVER + "in {READ}}\nlet {e_9: i64} = z_5[1i64]\n", "as_10", "bs_11");
    // The next iteration reads its parameter; no statement reads the result.
    String next =
        z.replace("{z_5", "{e_9: i64, z_5").replace("{p_6", "{s_30: i64 = 0i64, p_6")
            + "let {v_8: i64} = p_6[1i64]\n"
            + OVER
            + "in {v_8, READ}}\n";
    matters("seq-mem", next, "as_10", "bs_11");
    // The iteration overwrites another element than the next one reads.
    String own =
        next.replace("p_6[1i64]", "p_6[i_7]")
            .replace(
                "bs_11: [n_1]i64 @ m_3 -> 0 + {n_1: 1}",
                "bs_11: [1i64]i64 @ m_3 -> i_7 + {1i64: 1}")
            .replace("bs_11[0i64]", "bs_11[0i64]")
            .replace("READ", "as_10");
    assertFalse(isRefused("seq-mem", own, "e_9"));
    // The parameter is written, but not read.
    String written =
        z
            + "let {q_8: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = p_6 with [1i64] = i_7\n"
            + OVER
            + "in {as_10}}\n";
    assertFalse(isRefused("seq-mem", written, "k_2"));
  }

  @Test
  void loopsRunBeforeReads() {
    matters(
        "seq-mem",
        "let {s_5: i64} = loop {s_6: i64 = 0i64} for i_7: i64 < k_2 do {"
            + OVER
            + "in {b_12}}\nlet {e_9: i64} = READ\n",
        "xs_4[1i64]",
        "add_i64(s_5, 1i64)");
  }

  @Test
  void accumulationsRunBeforeReads() {
    String acc = "acc(t_20, [n_1], {i64})";
    String with =
        "with_acc acc([n_1], {ws_81}) do \\{t_20: unit, a_21: ACC} -> {ACC OTHER} {"
            + OVER
            + "let {a_22: ACC} = update_acc(a_21, [0i64], {b_12})\nin {a_22 RESULT}}\n";
    String w = "let {w_5: [n_1]i64 @ ws_mem_80 -> 0 + {n_1: 1}";
    matters(
        "seq-mem",
        w
            + "} = "
            + with.replace("ACC", acc).replace("OTHER", "").replace("RESULT", "")
            + "let {e_9: i64} = READ\n",
        "xs_4[1i64]",
        "w_5[1i64]");
    matters(
        "seq-mem",
        w
            + ", z_6: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = "
            + with.replace("ACC", acc).replace("OTHER", ", [n_1]i64").replace("RESULT", ", READ")
            + "let {e_9: i64} = z_6[1i64]\n",
        "as_10",
        "bs_11");
  }

  @Test
  void parallelOperationsRunBeforeReads() {
    String read = "let {e_9: i64} = READ\n";
    String other = "let {z_5: [n_1]i64 @ ws_mem_80 -> 0 + {n_1: 1}} = ";
    String there = "let {z_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = ";
    String plain = "segmap LEVEL [flat_20; i_7 < n_1] do {i64} {in {i_7}}\n";
    String inside =
        "segmap LEVEL [flat_20; i_7 < n_1] do {i64} {let {row_21: [1i64]i64 @ m_3 -> i_7 + {1i64:"
            + " 1}} = iota_i64(1i64, i_7, 1i64)\n"
            + "let {v_22: i64} = row_21[0i64]\n"
            + "in {v_22}}\n";
    String nested =
        plain.strip()
            + " nested {"
            + OVER
            + "let {z_23: [n_1]i64 @ ws_mem_80 -> 0 + {n_1: 1}} = iota_i64(n_1, b_12, 1i64)\n"
            + "in {z_23}}\n";
    for (String op : List.of(other + "OP" + inside, there + "OP" + plain, other + "OP" + nested)) {
      String cores = op.replace("OP", "par ").replace("LEVEL", "cores");
      matters("mc-mem", cores + read, "xs_4[1i64]", "z_5[1i64]");
      if (op.contains("nested")) {
        continue;
      }
      String threads = op.replace("OP", "").replace("LEVEL", "thread");
      String onDevice = read.replace("READ", "read(READ)");
      matters("gpu-mem", threads + onDevice, "xs_4[1i64]", "z_5[1i64]");
    }
  }

  @Test
  void updatesAreWrites() {
    String blank = "let {ys_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = scratch([n_1] i64)\n";
    String two =
        "let {two_6: [2i64]i64 @ ws_mem_80 -> 0 + {2i64: 1}} = iota_i64(2i64, 7i64, 1i64)\n";
    String z = "let {z_7: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = ys_5 with ";
    String read = "let {e_9: i64} = xs_4[READ]\n";
    String flat = blank + two + z + "[flat 1i64; 2i64: 1i64] = two_6\n" + read;
    matters("seq-mem", flat, "1i64", "3i64");
    String element = blank + z + "[1i64] = 7i64\n" + read;
    matters("seq-mem", element, "1i64", "3i64");
    // An update does not read the elements that it replaces. It reads the new value, but does not
    // write it.
    String row = "let {row_5: [1i64]i64 @ m_3 -> 0 + {1i64: 1}} = iota_i64(1i64, 7i64, 1i64)\n";
    String replaced =
        row
            + "let {b_6: i64} = row_5[0i64]\n"
            + "let {z_7: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = xs_4 with [0i64] = b_6\n"
            + "let {e_9: i64} = z_7[1i64]\n";
    assertFalse(isRefused("seq-mem", replaced, "e_9"));
    String value =
        "let {part_20: [2i64]i64 @ m_3 -> 0 + {2i64: 1}} = xs_4[0i64 :+ 2i64 * 1i64]\n"
            + "let {part_21: [2i64]i64 @ m_3 -> 1 + {2i64: 1}} = xs_4[1i64 :+ 2i64 * 1i64]\n"
            + blank.replace("m_3 -> 0", "m_3 -> n_1")
            + z.replace("m_3 -> 0", "m_3 -> n_1")
            + "[0i64 :+ 2i64 * 1i64] = part_20\n"
            + "let {e_9: i64} = part_21[0i64]\n";
    assertFalse(isRefused("seq-mem", value, "e_9"));
  }

  @Test
  void accumulatedArraysAreRead() {
    String statements =
        "let {w_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = with_acc acc([n_1], {xs_4}) do \\{t_20: unit,"
            + " a_21: ACC} -> {ACC} {INSIDE let {a_22: ACC} = update_acc(a_21, [1i64], {5i64})\n"
            + "in {a_22}}\n";
    String program = statements.replace("ACC", "acc(t_20, [n_1], {i64})");
    assertTrue(isRefused("seq-mem", program.replace("INSIDE", OVER), "k_2"));
    assertFalse(isRefused("seq-mem", program.replace("INSIDE", ""), "k_2"));
  }

  @Test
  void stridesAreNotZero() {
    String spread =
        "let {as_5: [2i64]i64 @ m_3 -> 0 + {2i64: k_2}} = iota_i64(2i64, 0i64, 1i64)\n"
            + "let {bs_6: [2i64]i64 @ m_3 -> AT + {2i64: k_2}} = iota_i64(2i64, 0i64, 1i64)\n"
            + "let {b_7: i64} = bs_6[0i64]\nlet {e_9: i64} = as_5[1i64]\n";
    assertFalse(isRefused("seq-mem", spread.replace("AT", "2*k_2"), "e_9"));
    assertTrue(isRefused("seq-mem", spread.replace("AT", "k_2"), "e_9"));
  }

  @Test
  void elementsOfDifferentSizesAreNotCompared() {
    String bytes =
        "let {bytes_5: [8i64]i8 @ m_3 -> 0 + {8i64: 1}} = replicate([8i64], 1i8)\n"
            + "let {e_9: i64} = read(xs_4[READ])\n";
    assertFalse(isRefused("gpu-mem", bytes.replace("READ", "1i64"), "e_9"));
  }

  @Test
  void acceptsUncertainOverlaps() {
    String row = "let {row_5: [1i64]i64 @ m_3 -> AT + {1i64: 1}} = iota_i64(1i64, 7i64, 1i64)\n";
    String use = "let {b_6: i64} = row_5[0i64]\n";
    String read = "let {e_9: i64} = xs_4[READ]\n";
    String check =
        "let {c_7: bool} = sle_i64(n_1, k_2)\nlet {cert_8: unit} = assert(c_7, \"No.\")\n";
    String at = row.replace("AT", "k_2") + use + read.replace("READ", "1i64");
    assertTrue(isRefused("seq-mem", at, "e_9"));
    assertFalse(isRefused("seq-mem", check + at, "e_9"));
    String loop =
        "let {s_20: i64} = loop {s_21: i64 = 0i64} for i_7: i64 < k_2 do {"
            + row.replace("AT", "OFFSET + i_7")
            + use
            + "in {b_6}}\n"
            + read.replace("READ", "0i64");
    assertTrue(isRefused("seq-mem", loop.replace("OFFSET", "0"), "e_9"));
    assertFalse(isRefused("seq-mem", loop.replace("OFFSET", "n_1"), "e_9"));
    String map =
        "let {z_20: [n_1]i64 @ ws_mem_80 -> 0 + {n_1: 1}} = par segmap cores [flat_21; i_7 < n_1]"
            + " do {i64} {";
    String inMap =
        map
            + row.replace("AT", "OFFSET + i_7")
            + use
            + "in {b_6}}\n"
            + read.replace("READ", "0i64");
    assertTrue(isRefused("mc-mem", inMap.replace("OFFSET", "0"), "e_9"));
    assertFalse(isRefused("mc-mem", inMap.replace("OFFSET", "n_1"), "e_9"));
    String inBranch =
        map
            + "let {c_22: bool} = slt_i64(i_7, 1i64)\nlet {v_23: i64} = if c_22 then {"
            + row.replace("AT", "i_7")
            + use
            + "in {b_6}} else {in {0i64}}\nin {v_23}}\n"
            + read;
    matters("mc-mem", inBranch, "0i64", "1i64");
  }
}
