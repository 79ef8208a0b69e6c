package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.Scalar;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test of GPU programs: their device operations, and the detection of invalid ones. */
final class DeviceStateTest {
  private static Program gpu(String body) {
    return program("gpu", body);
  }

  private static Program program(String rep, String body) {
    Program p = Parser.parse("t", "#futhark-ir " + rep + " v1\n" + body);
    Verifier.verify(p);
    return p;
  }

  private static void faults(String message, String rep, String body, Options options) {
    var run = new Interpreter(program(rep, body), options);
    String got =
        assertThrows(Fault.class, () -> run.call("f", List.of(Scalar.i64(4)))).getMessage();
    assertTrue(got.contains(message), got);
  }

  private static final String ACTIVE =
      """
      fun f(n_1: i64) -> (r_2: i64) = {
        let {xs_3: [n_1]i64} = iota_i64(n_1, 0i64, 1i64)
        let {ys_4: [n_1]i64} = segmap thread [flat_5; i_6 < n_1] do {i64} {
          let {x_7: i64} = xs_3[i_6]
          let {zs_8: [2i64]i64} = [x_7, 1i64] : i64
          let {z_9: i64} = zs_8[0i64]
          in {z_9}
        }
        let {us_10: [n_1]i64} = replicate([], ys_4)
        let {vs_11: [n_1]i64} = us_10 with [0i64] = 7i64
        let {a_12: i64, b_13: i64} = read(vs_11[0i64], vs_11[1i64])
        let {c_14: i64} = vs_11[2i64]
        let {d_15: [1i64]i64} = gpu_body {i64} {let {e_16: i64} = vs_11[3i64] in {e_16}}
        let {f_17: i64} = d_15[0i64]
        in {f_17}
      }
      """;

  @Test
  void countsWhatTheHostDoes() {
    var run = new Interpreter(gpu(ACTIVE), Options.DEFAULT.withWatched(true));
    run.call("f", List.of(Scalar.i64(4)));
    assertEquals(new DeviceActivity(3, 3, 4, 3, 1, 1, 32, 8), run.activity());
  }

  @Test
  void refusesReadsThatAreNotSaid() {
    faults(
        "host code uses an element of vs_11 without reading it",
        "gpu",
        ACTIVE,
        Options.DEFAULT.withExplicitReads(true));
  }

  @Test
  void findsWhatWasNeverWritten() {
    faults(
        "was never written",
        "gpu",
        """
        fun f(n_1: i64) -> (r_2: i64) = {
          let {xs_3: [n_1]i64} = scratch([n_1] i64)
          let {ys_4: [n_1]i64} = xs_3 with [1i64] = 1i64
          let {zs_5: [n_1]i64} = replicate([], ys_4)
          let {a_6: i64} = zs_5[1i64]
          let {b_7: i64} = zs_5[2i64]
          in {b_7}
        }
        """,
        Options.DEFAULT.withWatched(true));
  }

  private static String scattering(String index, String value) {
    return """
    fun f(n_1: i64) -> (r_2: [n_1]i64) = {
      let {xs_3: [n_1]i64} = replicate([n_1], 0i64)
      let {ys_4: [n_1]i64} = with_acc
          acc([n_1], {xs_3})
          do \\{t_5: unit, acc_6: acc(t_5, [n_1], {i64})} -> {acc(t_5, [n_1], {i64})} {
            let {acc_7: acc(t_5, [n_1], {i64})} = segmap thread [flat_8; i_9 < n_1] do {acc(t_5, [n_1], {i64})} {
              let {acc_10: acc(t_5, [n_1], {i64})} = update_acc(acc_6, [INDEX], {VALUE})
              in {acc_10}
            }
            in {acc_7}
          }
      in {ys_4}
    }
    """
        .replace("INDEX", index)
        .replace("VALUE", value);
  }

  @Test
  void findsThreadsThatWriteTheSameElement() {
    Options watched = Options.DEFAULT.withWatched(true);
    faults("a race: two threads write element 0", "gpu", scattering("0i64", "i_9"), watched);
    for (String fine : List.of(scattering("i_9", "i_9"), scattering("0i64", "1i64"))) {
      new Interpreter(gpu(fine), watched).call("f", List.of(Scalar.i64(4)));
    }
  }

  private static String inPlace(String source) {
    return """
    fun f(n_1: i64) -> (r_2: i64) = {
      let {size_3: i64} = mul_i64(n_1, 8i64)
      let {mem_4: mem device} = alloc(size_3, device)
      let {xs_5: [n_1]i64 @ mem_4 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
      let {ys_6: [n_1]i64 @ mem_4 -> 0 + {n_1: 1}} = segmap thread [flat_7; i_8 < n_1] do {i64} {
        let {k_12: i64} = SOURCE
        let {j_9: i64} = smin_i64(k_12, 3i64)
        let {x_10: i64} = xs_5[j_9]
        in {x_10}
      }
      let {a_11: i64} = read(ys_6[0i64])
      in {a_11}
    }
    """
        .replace("SOURCE", source);
  }

  @Test
  void findsThreadsThatReadWhatOthersWrite() {
    Options watched = Options.DEFAULT.withWatched(true);
    faults("a race: one thread reads", "gpu-mem", inPlace("smin_i64(i_8, 1i64)"), watched);
    faults("a race: one thread reads", "gpu-mem", inPlace("add_i64(i_8, 1i64)"), watched);
    Program fine = program("gpu-mem", inPlace("add_i64(i_8, 0i64)"));
    new Interpreter(fine, watched).call("f", List.of(Scalar.i64(4)));
  }

  @Test
  void barriersOrderTheThreadsOfABlock() {
    Program p =
        program(
            "gpu-mem",
            """
            fun f(n_1: i64) -> (r_2: i64) = {
              let {size_3: i64} = mul_i64(n_1, 8i64)
              let {mem_4: mem device} = alloc(size_3, device)
              let {ys_6: [n_1]i64 @ mem_4 -> 0 + {n_1: 1}} = segmap block [flat_7; i_8 < n_1] do {i64} {
                let {mem_9: mem shared} = alloc(size_3, shared)
                let {xs_10: [n_1]i64 @ mem_9 -> 0 + {n_1: 1}} = segmap thread_in_block [flat_11; j_12 < n_1] do {i64} {
                  in {j_12}
                }
                let {mem_13: mem shared} = alloc(size_3, shared)
                let {zs_14: [n_1]i64 @ mem_13 -> 0 + {n_1: 1}} = segmap thread_in_block [flat_15; j_16 < n_1] do {i64} {
                  let {k_17: i64} = sub_i64(3i64, j_16)
                  let {x_18: i64} = xs_10[k_17]
                  in {x_18}
                }
                let {z_19: i64} = zs_14[i_8]
                in {z_19}
              }
              let {a_20: i64} = read(ys_6[0i64])
              in {a_20}
            }
            """);
    var run = new Interpreter(p, Options.DEFAULT.withWatched(true));
    assertEquals(List.of(Scalar.i64(3)), run.call("f", List.of(Scalar.i64(4))));
    assertEquals(new DeviceActivity(1, 1, 1, 1, 0, 0, 8, 0), run.activity());
  }

  private static String inTurns(String place) {
    return """
    fun f(n_1: i64) -> (r_2: i64) = {
      let {size_3: i64} = mul_i64(n_1, 8i64)
      let {mem_4: mem device} = alloc(16i64, device)
      let {mem_5: mem device} = alloc(size_3, device)
      let {ys_6: [n_1]i64 @ mem_5 -> 0 + {n_1: 1}} = segmap thread virt (1i64, 2i64) [flat_7; i_8 < n_1] do {i64} {
        let {turn_9: i64} = umod_i64(flat_7, 2i64)
        let {own_10: [1i64]i64 @ mem_4 -> PLACE + {1i64: 2}} = replicate([1i64], i_8)
        let {x_11: i64} = own_10[0i64]
        in {x_11}
      }
      let {a_12: i64} = read(ys_6[3i64])
      in {a_12}
    }
    """
        .replace("PLACE", place);
  }

  @Test
  void threadsThatTakeTurnsUseTheirMemoryAgain() {
    Options watched = Options.DEFAULT.withWatched(true);
    Program fine = program("gpu-mem", inTurns("turn_9"));
    assertEquals(
        List.of(Scalar.i64(3)), new Interpreter(fine, watched).call("f", List.of(Scalar.i64(4))));
    faults("a race: two threads write element 0", "gpu-mem", inTurns("0"), watched);
  }
}
