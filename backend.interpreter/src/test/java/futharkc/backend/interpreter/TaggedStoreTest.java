package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.Scalar;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test of arrays that reuse the memory of other arrays, correctly or too early. */
final class TaggedStoreTest {
  private static final Options TAGGED = Options.DEFAULT.withTagged(true);

  /**
   * Returns an interpreter of an unverified program, since the verifier rejects the simplest
   * errors.
   */
  private static Interpreter interpreter(String rep, String body, Options options) {
    Program p = Parser.parse("t", "#futhark-ir " + rep + " v1\n" + body);
    return new Interpreter(p, options);
  }

  private static void faults(String array, String rep, String body, Options options) {
    Interpreter run = interpreter(rep, body, options);
    String got =
        assertThrows(Fault.class, () -> run.call("f", List.of(Scalar.i64(4)))).getMessage();
    assertTrue(got.startsWith(array + " is read") && got.contains("overwritten"), got);
  }

  private static void runs(String rep, String body, Options options) {
    assertEquals(1, interpreter(rep, body, options).call("f", List.of(Scalar.i64(4))).size());
  }

  /**
   * Returns a program in which the second array has the same elements as the first, in the same
   * block.
   */
  private static String twoInOneBlock(String read) {
    return """
    fun f(n_1: i64) -> (r_2: i64) = {
      let {m_3: mem i64} = alloc(n_1, i64)
      let {xs_4: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
      let {ys_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
      let {a_6: i64} = READ[1i64]
      in {a_6}
    }
    """
        .replace("READ", read);
  }

  @Test
  void findsReadsOfWhatIsGone() {
    faults("xs_4", "seq-mem", twoInOneBlock("xs_4"), TAGGED);
  }

  @Test
  void allowsReadsOfWhatIsThere() {
    runs("seq-mem", twoInOneBlock("ys_5"), TAGGED);
    runs("seq-mem", twoInOneBlock("xs_4"), Options.DEFAULT);
  }

  /**
   * Returns a program that copies an array onto itself and then replaces an element of the copy.
   */
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
  void tellsACopyFromTheOriginal() {
    faults("xs_4", "seq-mem", copyInPlace("xs_4[1i64]"), TAGGED);
    runs("seq-mem", copyInPlace("xs_4[2i64]"), TAGGED);
    runs("seq-mem", copyInPlace("zs_7[1i64]"), TAGGED);
  }

  /** Returns a program in which each index overwrites its own element and reads another one. */
  private static String overNeighbours(String index) {
    return """
    fun f(n_1: i64) -> (r_2: i64) = {
      let {m_3: mem i64} = alloc(n_1, i64)
      let {xs_4: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
      let {ys_5: [n_1]i64 @ m_3 -> 0 + {n_1: 1}} = par segmap cores [flat_6; i_7 < n_1] do {i64} {
        let {j_8: i64} = INDEX
        let {k_9: i64} = smax_i64(j_8, 0i64)
        let {l_10: i64} = smin_i64(k_9, 3i64)
        let {x_11: i64} = xs_4[l_10]
        in {x_11}
      }
      let {a_12: i64} = ys_5[1i64]
      in {a_12}
    }
    """
        .replace("INDEX", index);
  }

  @Test
  void triesBothOrdersOfIndices() {
    Options backwards = TAGGED.withBackwards(true);
    for (Options o : List.of(TAGGED, backwards)) {
      runs("mc-mem", overNeighbours("add_i64(i_7, 0i64)"), o);
    }
    runs("mc-mem", overNeighbours("add_i64(i_7, 1i64)"), TAGGED);
    faults("xs_4", "mc-mem", overNeighbours("add_i64(i_7, 1i64)"), backwards);
    runs("mc-mem", overNeighbours("sub_i64(i_7, 1i64)"), backwards);
    faults("xs_4", "mc-mem", overNeighbours("sub_i64(i_7, 1i64)"), TAGGED);
  }
}
