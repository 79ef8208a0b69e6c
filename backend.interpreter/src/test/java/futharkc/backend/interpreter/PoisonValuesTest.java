package futharkc.backend.interpreter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import futharkc.core.ir.Program;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A test that results which depend on a failure vary with the seed, and that all other results do
 * not.
 */
final class PoisonValuesTest {
  private static final String TEXT =
      """
      #futhark-ir soacs v1

      fun main(i_0: i64, xs_1: *[3i64]i64) -> (a_2: i64, b_3: i64, c_4: i64, d_5: i64, e_30: i64) next 40 = {
        let {inside_6: bool} = slt_i64(i_0, 3i64)
        let {ok_7: unit} = assert(inside_6, "index ", i_0: i64, " is too large")
        let {needed_8: i64} = cert{ok_7} xs_1[i_0]
        let {again_19: i64} = cert{ok_7} xs_1[i_0]
        let {none_20: i64} = sub_i64(needed_8, again_19)
        let {zero_9: i64} = mul_i64(needed_8, 0i64)
        let {elems_10: [3i64]i64} = screma(3i64, {xs_1})
            map \\{x_11: i64} -> {i64} {
              let {small_12: bool} = slt_i64(x_11, 20i64)
              let {ok_13: unit} = assert(small_12, "too large")
              let {y_14: i64} = cert{ok_13} add_i64(x_11, 1i64)
              in {y_14}
            }
            post \\{p_15: i64} -> {i64} {in {p_15}}
        let {other_16: i64} = elems_10[0i64]
        let {xs_17: [3i64]i64} = cert{ok_7} xs_1 with [i_0] = 7i64
        let {written_18: i64} = xs_17[0i64]
        in {needed_8, zero_9, other_16, written_18, none_20}
      }
      """;

  private static final Value XS =
      new ArrayValue(ElemType.I64, new long[] {3}, new long[] {1, 5, 50});

  private static List<Value> run(long index, long seed) {
    Program p = Parser.parse("test", TEXT);
    Verifier.verify(p);
    Options options = Options.DEFAULT.withStandIns(seed);
    return Interpreter.run(p, "main", List.of(Scalar.i64(index), XS), options);
  }

  @Test
  void onlyWhatNeedsTheFailureDiffers() {
    List<Set<Value>> seen =
        Stream.generate(() -> (Set<Value>) new HashSet<Value>()).limit(5).toList();
    for (long seed = 0; seed < 10; seed++) {
      List<Value> results = run(5, seed);
      for (int k = 0; k < seen.size(); k++) {
        seen.get(k).add(results.get(k));
      }
    }
    assertNotEquals(1, seen.get(0).size(), "an element out of range");
    assertEquals(Set.of(Scalar.i64(0)), seen.get(1));
    assertEquals(Set.of(Scalar.i64(2)), seen.get(2), "beside an element that fails");
    assertNotEquals(1, seen.get(3).size(), "an array after an update out of range");
    assertEquals(Set.of(Scalar.i64(0)), seen.get(4), "the difference of the same, computed twice");
  }

  @Test
  void whatDoesNotFailIsComputed() {
    assertEquals(
        List.of(1L, 0L, 2L, 7L, 0L), run(0, 1).stream().map(v -> ((Scalar) v).bits()).toList());
  }
}
