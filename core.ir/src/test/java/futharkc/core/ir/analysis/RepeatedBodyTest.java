package futharkc.core.ir.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests of trip counts and loop invariance. */
final class RepeatedBodyTest {
  private static Stm statement(String text) {
    return Objects.requireNonNull(
            Parser.parse(
                    "f",
                    "#futhark-ir soacs v1\n"
                        + "fun f(n_1: i64, k_2: i32, c_3: bool, xs_4: [n_1]i64) -> (r_5: i64)"
                        + " next 90 = {\n"
                        + text
                        + "\n  in {0i64}\n}\n")
                .functions()
                .get("f"))
        .body()
        .stms()
        .get(0);
  }

  private static final String LOOP =
      """
      let {l_10: i64} = loop {a_11: i64 = 0i64} for i_12: %s do {
        let {u_13: i64} = add_i64(n_1, 1i64)
        let {v_14: i64} = add_i64(a_11, 1i64)
        let {w_15: i64} = add_i64(v_14, u_13)
        let {x_16: unit} = assert(c_3, "c")
        let {y_17: i64} = cert{x_16} add_i64(n_1, 2i64)
        in {w_15}
      }
      """;

  private static final String SCREMA =
      """
      let {r_10: i64, s_11: [n_1]i64} = screma(n_1, {xs_4})
          map \\{a_12: i64} -> {i64, i64} {
            let {b_13: i64} = add_i64(a_12, 1i64)
            let {c_14: i64} = add_i64(n_1, 1i64)
            in {b_13, c_14}
          }
          reduce({0i64}) \\{d_15: i64, e_16: i64} -> {i64} {
            let {f_17: i64} = add_i64(d_15, e_16)
            let {g_18: i64} = add_i64(n_1, 3i64)
            in {f_17}
          }
          post \\{h_19: i64} -> {i64} {
            let {i_20: i64} = add_i64(h_19, 1i64)
            let {j_21: i64} = add_i64(n_1, 2i64)
            in {i_20}
          }
      """;

  /** Returns the trip count of each body, and its invariant statements if all others remain. */
  private static List<String> bodies(Stm s) {
    List<String> found = new ArrayList<>();
    Exp same =
        RepeatedBody.map(
            s.exp(),
            new FreeNamesOfStms(),
            body -> {
              List<String> invariant = new ArrayList<>();
              for (Stm t : body.stms()) {
                if (body.isInvariant(t)) {
                  invariant.add(t.names().get(0).toString());
                } else {
                  body.stays(t);
                }
              }
              TripCount n = body.tripCount();
              String often = n == null ? "?" : n.type().name() + (n.isPositive() ? "+" : "");
              found.add(often + " " + invariant);
              return body.stms();
            });
    assertSame(s.exp(), same);
    return found;
  }

  @Test
  void parametersIndicesAndDependentsVary() {
    assertEquals(List.of("I64 [u_13, x_16, y_17]"), bodies(statement(LOOP.formatted("i64 < n_1"))));
    assertEquals(List.of("I64 [c_14]", "I64 [j_21]", "? [g_18]"), bodies(statement(SCREMA)));
  }

  @Test
  void indicesVary() {
    String uses = LOOP.replace("add_i64(n_1, 1i64)", "add_i64(i_12, 1i64)");
    assertEquals(List.of("I64 [x_16, y_17]"), bodies(statement(uses.formatted("i64 < n_1"))));
  }

  @Test
  void certificatesAreUsed() {
    Stm s = statement(LOOP.formatted("i64 < n_1"));
    RepeatedBody.map(
        s.exp(),
        new FreeNamesOfStms(),
        body -> {
          body.stays(body.stms().get(3));
          assertEquals(false, body.isInvariant(body.stms().get(4)));
          return body.stms();
        });
  }

  @Test
  void onlyConstantsAreKnownPositive() {
    assertEquals("I64+", bodies(statement(LOOP.formatted("i64 < 1i64"))).get(0).split(" ")[0]);
    assertEquals("I64", bodies(statement(LOOP.formatted("i64 < 0i64"))).get(0).split(" ")[0]);
    assertEquals("I32", bodies(statement(LOOP.formatted("i32 < k_2"))).get(0).split(" ")[0]);
  }

  @Test
  void guardTestsForNoEvaluation() {
    Stm s = statement(LOOP.formatted("i32 < k_2"));
    RepeatedBody.map(
        s.exp(),
        new FreeNamesOfStms(),
        body -> {
          Builder b = new Builder(new NameSource(90));
          Objects.requireNonNull(body.tripCount()).isZero(b);
          BasicOp.CmpOpExp guard = (BasicOp.CmpOpExp) b.stms().get(0).exp();
          assertEquals(
              "SLE I32 k_2",
              guard.op().kind().name() + " " + guard.op().type().name() + " " + guard.left());
          assertEquals(SubExp.of(PrimValue.zero(PrimType.I32)), guard.right());
          return body.stms();
        });
  }

  @Test
  void remainingStatementsReplaceBodies() {
    Stm s = statement(SCREMA);
    Exp rest = RepeatedBody.map(s.exp(), new FreeNamesOfStms(), body -> body.stms().subList(0, 1));
    List<Integer> sizes = new ArrayList<>();
    RepeatedBody.map(
        rest,
        new FreeNamesOfStms(),
        body -> {
          sizes.add(body.stms().size());
          return body.stms();
        });
    assertEquals(List.of(1, 1, 1), sizes);
  }
}
