package futharkc.core.ir.analysis;

import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.text.Parser;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class AnalysisTest {
  private static final FunDef F =
      Objects.requireNonNull(
          Parser.parse(
                  "f",
                  """
                  #futhark-ir seq v1
                  fun f(n_1: i64, xs_2: *[n_1]i32, ys_3: [n_1]i32, c_4: bool) -> (r_5: i32) = {
                    let {zs_6: [n_1]i32} = replicate([n_1], 0i32)
                    let {as_7: [n_1]i32} = zs_6
                    let {bs_8: [n_1]i32} = if c_4 then {
                      let {us_9: [n_1]i32} = xs_2 with [0i64] = 1i32
                      in {us_9}
                    } else {in {as_7}}
                    let {cs_10: [n_1]i32, ds_11: [n_1]i32} = loop {es_12: [n_1]i32 = bs_8, fs_13: [n_1]i32 = ys_3} for i_14: i64 < n_1 do {
                      let {gs_15: [n_1]i32} = replicate([n_1], 1i32)
                      let {x_16: i32} = gs_15[0i64]
                      in {fs_13, es_12}
                    }
                    let {y_17: i32} = cs_10[0i64]
                    in {y_17}
                  }
                  """)
              .functions()
              .get("f"));

  private static Name name(String s) {
    int at = s.lastIndexOf('_');
    return new Name(s.substring(0, at), Integer.parseInt(s.substring(at + 1)));
  }

  private static String show(Set<Name> names) {
    return new TreeSet<>(names).stream().map(Name::toString).collect(Collectors.joining(" "));
  }

  @Test
  void arraysAliasByCommonRoots() {
    Aliases a = new AnalysisCache().get(F, Aliases.ANALYSIS);
    assertEquals("zs_6", show(a.roots(name("as_7"))));
    assertEquals("xs_2 zs_6", show(a.roots(name("bs_8"))));
    assertEquals("xs_2 ys_3 zs_6 es_12 fs_13", show(a.roots(name("cs_10"))));
    assertTrue(a.mayShare(name("ds_11"), name("xs_2")));
    assertFalse(a.mayShare(name("gs_15"), name("cs_10")));
  }

  @Test
  void iterationOwnsUniqueParameters() {
    FunDef f =
        Objects.requireNonNull(
            Parser.parse(
                    "f",
                    """
                    #futhark-ir seq v1
                    fun f(n_1: i64, xs_2: *[n_1]i32, ys_3: *[n_1]i32) -> (r_4: [n_1]i32) = {
                      let {as_5: [n_1]i32, bs_6: [n_1]i32, cs_7: [n_1]i32} = loop {es_8: *[n_1]i32 = xs_2, fs_9: *[n_1]i32 = ys_3, gs_10: [n_1]i32 = ys_3} for i_11: i64 < n_1 do {
                        let {hs_12: [n_1]i32} = es_8
                        let {us_13: [n_1]i32} = fs_9 with [i_11] = 1i32
                        let {vs_14: [n_1]i32} = replicate([n_1], 1i32)
                        in {us_13, vs_14, hs_12}
                      }
                      in {cs_7}
                    }
                    """)
                .functions()
                .get("f"));
    Aliases all = Aliases.of(f.body().stms());
    Aliases own = Aliases.ofIterations(f.body().stms());
    assertTrue(all.mayShare(name("es_8"), name("us_13")));
    assertFalse(own.mayShare(name("es_8"), name("us_13")));
    assertTrue(own.mayShare(name("es_8"), name("hs_12")));
    assertTrue(own.mayShare(name("es_8"), name("gs_10")));
    assertTrue(own.mayShare(name("es_8"), name("cs_7")));
    assertFalse(own.mayShare(name("as_5"), name("es_8")));
  }

  @Test
  void resultsAreComputedOncePerFunction() {
    AnalysisCache cache = new AnalysisCache();
    Aliases a = cache.get(F, Aliases.ANALYSIS);
    assertSame(a, cache.get(F, Aliases.ANALYSIS));
    FunDef equal = F.withBody(F.body(), F.nextTag());
    cache.get(equal, Aliases.ANALYSIS);
    assertEquals(List.of(new AnalysisCache.Statistics("aliases", 1, 2)), cache.statistics());
  }

  @Test
  void cyclicAnalysisIsReported() {
    record Circular() implements Analysis<FunDef, Integer> {
      @Override
      public String name() {
        return "circular";
      }

      @Override
      public Integer compute(FunDef f, AnalysisCache cache) {
        return cache.get(f, this);
      }
    }
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> new AnalysisCache().get(F, new Circular()));
    assertEquals("analysis circular needs itself", e.getMessage());
  }

  @Test
  void histogramsConsumeTheirBins() {
    FunDef f =
        Objects.requireNonNull(
            Parser.parse(
                    "f",
                    """
                    #futhark-ir mc v1
                    fun f(k_0: i64, n_1: i64, d_2: *[k_0]i64, is_3: [n_1]i64) -> (r_4: [k_0]i64) = {
                      let {b_5: [k_0]i64} = d_2
                      let {h_6: [k_0]i64} = par seghist cores [flat_7; i_8 < n_1]
                          op([k_0], 1i64, {b_5}, {0i64}, []) \\{x_9: i64, y_10: i64} -> {i64} {
                            let {z_11: i64} = add_i64(x_9, y_10)
                            in {z_11}
                          }
                          do {i64, i64} {
                            let {x_12: i64} = is_3[i_8]
                            in {x_12, x_12}
                          }
                      in {h_6}
                    }
                    """)
                .functions()
                .get("f"));
    assertEquals("d_2", show(Consumption.of(f.body(), Aliases.of(f.body().stms()))));
  }

  @Test
  void aliasesOfNestedLoopsTakeLinearTime() {
    int depth = 40;
    StringBuilder text = new StringBuilder("#futhark-ir seq v1\n");
    text.append("fun f(n_0: i64) -> (r_1: [n_0]i32) = {\n");
    for (int d = 0; d < depth; d++) {
      int t = 10 * d;
      text.append("let {c_%d: [n_0]i32} = replicate([n_0], 0i32)\n".formatted(t + 15))
          .append("let {a_%d: [n_0]i32} = loop ".formatted(t + 14))
          .append("{a_%d: [n_0]i32 = c_%d} ".formatted(t + 11, t + 15))
          .append("for i_%d: i64 < n_0 do {\n".formatted(t + 13));
    }
    text.append("let {a_%d: [n_0]i32} = replicate([n_0], 1i32)\n".formatted(10 * depth + 14));
    for (int d = depth; d > 0; d--) {
      text.append("in {a_%d}}\n".formatted(10 * d + 14));
    }
    text.append("in {a_14}}\n");
    List<Stm> stms =
        Objects.requireNonNull(Parser.parse("f", text.toString()).functions().get("f"))
            .body()
            .stms();
    Aliases a = assertTimeoutPreemptively(ofSeconds(20), () -> Aliases.of(stms));
    assertTrue(a.mayShare(name("a_14"), name("c_15")));
    assertTrue(a.mayShare(name("a_14"), name("a_" + (10 * depth + 14))));
  }
}
