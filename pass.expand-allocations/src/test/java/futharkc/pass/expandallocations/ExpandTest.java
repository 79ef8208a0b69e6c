package futharkc.pass.expandallocations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Program;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.DeviceMapper;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassException;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.core.ir.verify.Verifier;
import futharkc.tests.kit.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class ExpandTest {
  private static final String FOLDER = "futharkc/pass/expandallocations";

  @TestFactory
  Stream<DynamicTest> golden() {
    return GoldenFiles.in(FOLDER, new ExpandAllocationsPass());
  }

  @Test
  void noThreadAllocates() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(Path.of("src/test/resources", FOLDER))) {
      files = all.toList();
    }
    for (Path file : files) {
      String text = Files.readString(file);
      String after = text.substring(text.indexOf("=====\n") + "=====\n".length());
      Program p = Parser.parse(file.toString(), after);
      for (FunDef f : p.functions().values()) {
        new OnHost(file).body(f.body());
      }
    }
  }

  private static String refusal(String level, String body) {
    return refusal(program(level, body));
  }

  private static String program(String level, String body) {
    return """
    #futhark-ir gpu-mem v1
    fun main(n_0: i64, c_1: bool, is_mem_2: mem device, is_3: [n_0]i64 @ is_mem_2 -> 0 + {n_0: 1}) -> (r_mem_6: mem device, r_7: *[n_0]i64 @ r_mem_6 -> 0 + {n_0: 1}) next 90 = {
      let {size_8: i64} = mul_i64(8i64, n_0)
      let {mem_9: mem device} = alloc(size_8, device)
      let {ys_10: [n_0]i64 @ mem_9 -> 0 + {n_0: 1}} = segmap LEVEL [flat_11; i_12 < n_0] do {i64} {
        let {k_13: i64} = is_3[i_12]
        let {size_14: i64} = mul_i64(8i64, k_13)
        BODY
        in {k_13}
      }
      in {mem_9, ys_10}
    }
    """
        .replace("LEVEL", level)
        .replace("BODY", body);
  }

  private static String refusal(String program) {
    Program p = Parser.parse("t", program);
    Verifier.verify(p);
    Pass pass = new ExpandAllocationsPass();
    PassException e =
        assertThrows(PassException.class, () -> GoldenFiles.run(pass, p, Map.of()), program);
    return String.valueOf(e.getMessage());
  }

  @Test
  void refusesWhatThreadsCannotDo() {
    String inside =
        "let {row_15: [k_13]i64 @ m_16 -> 0 + {k_13: 1}} = segmap thread_in_block [flat_17; j_18 <"
            + " k_13] do {i64} {INSIDE in {j_18}}";
    String block = "block (n_0, 4i64)";
    String size =
        "let {sum_30: i64} = segred thread_in_block [flat_31; j_32 < k_13] reduce_comm({0i64}, [])"
            + " \\{x_33: i64, y_34: i64} -> {i64} {let {s_35: i64} = add_i64(x_33, y_34) in {s_35}}"
            + " do {i64} {in {j_32}}\nlet {size_36: i64} = mul_i64(8i64, sum_30)\n";
    String row =
        "let {row_15: [sum_30]i64 @ m_16 -> 0 + {sum_30: 1}} = segmap thread_in_block [flat_17;"
            + " j_18 < sum_30] do {i64} {in {j_18}}";
    String varies =
        refusal(block, size + "let {m_16: mem device} = alloc(size_36, device)\n" + row);
    assertTrue(varies.contains("depends on the contents of such arrays"), varies);
    String own = "let {m_16: mem shared} = alloc(size_14, shared)\n";
    String shared = refusal(block, own + row.replace("sum_30", "k_13"));
    assertTrue(shared.contains("In the shared memory of a thread block"), shared);
    String threads =
        refusal(
            block,
            "let {m_16: mem device} = alloc(size_8, device)\n"
                + inside.replace(
                    "INSIDE",
                    "let {m_19: mem device} = alloc(size_8, device)\n"
                        + "let {own_20: [n_0]i64 @ m_19 -> 0 + {n_0: 1}} = iota_i64(n_0, 0i64,"
                        + " 1i64)\n"));
    assertTrue(threads.contains("the number of threads varies among thread blocks"), threads);
  }

  @Test
  void refusesWhatOperatorsCannotDo() {
    String reduction =
        "let {v_15: i64} = segred thread_in_block [flat_16; j_17 < 4i64] reduce_comm({0i64}, [])"
            + " \\{x_18: i64, y_19: i64} -> {i64} {OPERATOR in {s_20}} do {i64} {in {j_17}}";
    String two =
        "let {m_21: mem device} = alloc(32i64, device)\n"
            + "let {a_22: [4i64]i64 @ m_21 -> 0 + {4i64: 1}} = replicate([4i64], x_18)\n"
            + "let {m_23: mem device} = alloc(32i64, device)\n"
            + "let {b_24: [4i64]i64 @ m_23 -> 0 + {4i64: 1}} = replicate([4i64], y_19)\n";
    String chosen =
        two
            + "let {m_25: mem device, c_26: [4i64]i64 @ m_25 -> 0 + {4i64: 1}} = if c_1 then {in"
            + " {m_21, a_22}} else {in {m_23, b_24}}\nlet {s_20: i64} = c_26[1i64]\n";
    String kinds =
        two
            + "let {e_25: i64} = a_22[1i64]\n"
            + "let {c_26: [8i64]i32 @ m_21 -> 0 + {8i64: 1}} = replicate([8i64], 1i32)\n"
            + "let {f_27: i32} = c_26[1i64]\nlet {g_28: i64} = sext_i32_i64(f_27)\n"
            + "let {h_29: i64} = b_24[0i64]\nlet {i_30: i64} = add_i64(g_28, h_29)\n"
            + "let {s_20: i64} = add_i64(e_25, i_30)\n";
    for (String operator : List.of(chosen, kinds)) {
      String why = refusal("block (n_0, 4i64)", reduction.replace("OPERATOR", operator));
      assertTrue(why.contains("The operator of a parallel operation allocates an array"), why);
    }
  }

  /**
   * Tests sizes that cannot be computed before the kernel: they depend on values that the kernel
   * writes to given arrays, or on the contents of the array itself.
   */
  @Test
  void refusesSizesOfWhatIsWritten() {
    String use =
        "let {b_18: i64} = mul_i64(8i64, t_17)\n"
            + "let {m_19: mem device} = alloc(b_18, device)\n"
            + "let {xs_20: [t_17]i64 @ m_19 -> 0 + {t_17: 1}} = iota_i64(t_17, 0i64, 1i64)\n";
    String given =
        "let {row_16: [2i64]i64 @ is_mem_2 -> 0 + {2i64: 1}} = iota_i64(2i64, k_13, 1i64)\n"
            + "let {t_17: i64} = row_16[1i64]\n"
            + use;
    String itself =
        "let {r_40: i64} = loop {t_17: i64 = 1i64} for j_42: i64 < k_13 do {\n"
            + use
            + "let {u_43: i64} = xs_20[0i64]\nin {u_43}\n}\n";
    for (String row : List.of(given, itself)) {
      String why = refusal("thread", row);
      assertTrue(why.contains("depends on the contents of such arrays"), why);
    }
  }

  @Test
  void refusesWhatFunctionsAreGiven() {
    String given =
        "\nfun given(xs_mem_0: mem device, xs_1: [4i64]i64 @ xs_mem_0 -> 0 + {4i64: 1}) -> (r_3:"
            + " i64) next 4 = {\nlet {x_2: i64} = xs_1[3i64]\nin {x_2}\n}\n";
    String call =
        "let {m_15: mem device} = alloc(32i64, device)\n"
            + "let {row_16: [4i64]i64 @ m_15 -> 0 + {4i64: 1}} = replicate([4i64], k_13)\n"
            + "let {v_17: i64} = apply given(m_15, row_16)\n";
    String inThread = refusal(program("thread", call) + given);
    assertTrue(inThread.contains("is an argument of a function"), inThread);
    String operator =
        "let {w_18: i64} = segred thread_in_block [flat_19; j_20 < 4i64] reduce_comm({0i64}, [])"
            + " \\{x_21: i64, y_22: i64} -> {i64} {"
            + call.replace("k_13", "x_21")
            + " in {v_17}} do {i64} {in {j_20}}";
    String inOperator = refusal(program("block (n_0, 4i64)", operator) + given);
    assertTrue(inOperator.contains("The operator of a parallel operation"), inOperator);
  }

  /**
   * Tests branches of the program, and versions of which one does not fit the device: the pass
   * drops no branch for a failure of the other.
   */
  @Test
  void dropsNoBranches() {
    String[] parts = program("thread", "MAKES").split("let \\{ys_10", 2);
    String loop =
        "let {m_15: mem device} = loop {p_16: mem device = mem_9} for i_17: i64 < k_13 do {\n"
            + "let {m_18: mem device} = alloc(size_8, device)\nin {m_18}}\n";
    String kernel = "let {ys_10" + parts[1].substring(0, parts[1].indexOf("\n  in {mem_9"));
    String makes = kernel.replace("MAKES", loop) + "\nin {mem_9, ys_10}";
    String plain =
        "let {ys_30: [n_0]i64 @ mem_9 -> 0 + {n_0: 1}} = replicate([n_0], 0i64)\nin {mem_9, ys_30}";
    String threshold = "let {d_41: bool} = cmp_size_le(\"t.suff_0\": threshold(def), n_0)\n";
    String fits = threshold + "let {c_40: bool} = log_and_bool(d_41, c_1)\n";
    String chosen = "let {c_40: bool} = sle_i64(n_0, 7i64)\n";
    for (List<String> t :
        List.of(
            List.of(chosen, makes, plain),
            List.of(chosen, plain, makes),
            List.of(fits, plain, makes))) {
      String p =
          parts[0]
              + t.get(0)
              + "let {m_50: mem device, x_51: [n_0]i64 @ m_50 -> 0 + {n_0: 1}} = if c_40 then {"
              + t.get(1)
              + "} else {"
              + t.get(2).replace("_1", "_6").replace("c_6", "c_1")
              + "}\nin {m_50, x_51}\n}\n";
      String why = refusal(p);
      assertTrue(why.contains("In a thread, a loop constructs arrays"), why);
    }
  }

  /** Tests nested versions of which one is impossible: the pass keeps one copy of the other. */
  @Test
  void keepsOneCopyOfPossibleVersions() {
    String impossible =
        "let {m_15: mem device} = loop {p_16: mem device = mem_9} for i_17: i64 < k_13 do {\n"
            + "let {m_18: mem device} = alloc(size_8, device)\nin {m_18}}\n";
    String[] parts =
        program("thread", impossible).split("(?=let \\{ys_10)|(?=in \\{mem_9, ys_10})");
    String body =
        "let {r_4: [n_0]i64 @ mem_9 -> 0 + {n_0: 1}} = replicate([n_0], 0i64)\nin {mem_9, r_4}\n";
    for (int i = 1; i <= 30; i++) {
      body =
          "let {d_20: bool} = cmp_size_le(\"t.suff_20\": threshold(def), n_0)\n"
                  .replaceAll("_20", "_" + i + "20")
              + "let {m_21: mem device, x_22: [n_0]i64 @ m_21 -> 0 + {n_0: 1}} = if d_20 then {\n"
                  .replaceAll("_2(\\d)", "_" + i + "2$1")
              + (parts[1] + "\nin {mem_9, ys_10}\n").replaceAll("_1(\\d)", "_" + i + "1$1")
              + "} else {\n"
              + body
              + "}\nin {m_21, x_22}\n".replaceAll("_2(\\d)", "_" + i + "2$1");
    }
    String text = (parts[0] + body + "}\n").replace("next 90", "next 9999");
    Program program = Parser.parse("t", text);
    Verifier.verify(program);
    Program expanded = GoldenFiles.run(new ExpandAllocationsPass(), program, Map.of());
    Verifier.verify(expanded);
    String result = Printer.print(expanded);
    assertEquals(1, result.split("replicate\\(", -1).length - 1, result);
    assertFalse(result.contains("segmap") || result.contains("if "), result);
  }

  @Test
  void refusesLoopsOfThreads() {
    String first =
        "let {m_15: mem device} = alloc(128i64, device)\n"
            + "let {a_16: [4i64][4i64]i64 @ m_15 -> 0 + {4i64: 4, 4i64: 1}} = replicate([4i64,"
            + " 4i64], 0i64)\n";
    String next = first.replace("15", "17").replace("16", "18").replace("0i64)", "1i64)");
    String loop =
        "let {m_20: mem device PAT} = loop {p_22: mem device = m_15 PARAM} for i_24: i64 < n_0 do"
            + " {NEXT in {m_17 RESULT}}";
    String array = ", a_21: [4i64][4i64]i64 @ m_20 -> 0 + {4i64: 4, 4i64: 1}";
    String param = ", b_23: [4i64][4i64]i64 @ p_22 -> 0 + {4i64: 4, 4i64: 1} = a_16";
    String more =
        "let {t_25: [4i64][4i64]i64 @ m_15 -> 0 + {4i64: 1, 4i64: 4}} = rearrange((1, 0), a_16)\n";
    String last =
        "let {t_26: [4i64][4i64]i64 @ m_17 -> 0 + {4i64: 1, 4i64: 4}} = rearrange((1, 0), a_18)\n";
    String turned = "{4i64: 4, 4i64: 1}";
    String columns = "{4i64: 1, 4i64: 4}";
    List<String> loops =
        List.of(
            loop.replace("PAT", "")
                .replace("PARAM", "")
                .replace("NEXT", next)
                .replace("RESULT", ""),
            more
                + loop.replace("PAT", array.replace(turned, columns))
                    .replace("PARAM", param.replace(turned, columns).replace("= a_16", "= t_25"))
                    .replace("NEXT", next + last)
                    .replace("RESULT", ", t_26"),
            loop.replace("PAT", array + array.replace("21", "27"))
                .replace("PARAM", param + param.replace("23", "28"))
                .replace("NEXT", next)
                .replace("RESULT", ", a_18, a_18"));
    for (String l : loops) {
      String why = refusal("thread", first + l);
      assertTrue(why.contains("In a thread, a loop constructs arrays"), why);
    }
  }

  /**
   * A search for allocations by threads, except private memory and the first allocations of a
   * thread block.
   */
  private static final class OnHost extends DeviceMapper {
    private final Path file;
    private final Set<Stm> first = new HashSet<>();

    OnHost(Path file) {
      super(false);
      this.file = file;
    }

    @Override
    public SegOp segOp(SegOp op) {
      if (!inThread()) {
        for (Stm s : op.body().stms()) {
          if (!(s.exp() instanceof MemOp.Alloc a) || !(a.space() instanceof Space.Shared)) {
            break;
          }
          first.add(s);
        }
      }
      return super.segOp(op);
    }

    @Override
    public Stm stm(Stm s) {
      Exp e = s.exp();
      boolean allocates = e instanceof MemOp.Alloc a && !(a.space() instanceof Space.Scalar);
      assertTrue(!allocates || !inThread() || first.contains(s), () -> file + ": " + s);
      return super.stm(s);
    }
  }
}
