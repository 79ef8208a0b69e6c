package futharkc.core.ir.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of cached accesses while arrays move. */
final class AccessesTest {
  private static final Name XS = new Name("xs", 3);

  private final List<Stm> stms =
      Parser.parse(
              "t",
              """
              #futhark-ir seq-mem v1
              fun f(n_1: i64) -> (r_11: i64) = {
                let {a_2: mem i64} = alloc(n_1, i64)
                let {xs_3: [n_1]i64 @ a_2 -> 0 + {n_1: 1}} = iota_i64(n_1, 0i64, 1i64)
                let {b_4: mem i64} = alloc(n_1, i64)
                let {ys_5: [n_1]i64 @ b_4 -> 0 + {n_1: 1}} = iota_i64(n_1, 1i64, 1i64)
                let {last_6: i64} = loop {s_7: i64 = 0i64} for i_8: i64 < n_1 do {
                  let {x_9: i64} = xs_3[i_8]
                  in {x_9}
                }
                let {y_10: i64} = ys_5[0i64]
                in {y_10}
              }
              """)
          .functions()
          .values()
          .stream()
          .findFirst()
          .map(FunDef::body)
          .orElseThrow()
          .stms();
  private final Map<Name, ArrayMem> places = new HashMap<>();
  private int lookups;

  AccessesTest() {
    for (Stm s : stms) {
      for (PatElem p : s.pat()) {
        place(p.name(), p.type());
      }
    }
  }

  private List<Name> blocks(Accesses accesses, int statement) {
    return accesses.of(stms.get(statement)).stream().map(Access::block).toList();
  }

  /** Checks that a moved array invalidates the accesses of the few statements that depend on it. */
  @Test
  void moveInvalidatesFewStatements() {
    Accesses accesses =
        new Accesses(
                n -> {
                  lookups++;
                  return places.get(n);
                },
                new ScalarValues())
            .remembering();
    Name a = new Name("a", 2);
    Name b = new Name("b", 4);
    // Query the statement inside the loop before the loop.
    for (int i : List.of(1, 3, 4, 5)) {
      accesses.of(stms.get(i));
    }
    assertEquals(List.of(a), blocks(accesses, 4));
    lookups = 0;
    ArrayMem old = Objects.requireNonNull(places.get(XS));
    places.put(XS, new ArrayMem(b, old.lmad()));
    accesses.forget(List.of(XS));
    assertEquals(List.of(b), blocks(accesses, 3));
    assertEquals(List.of(b), blocks(accesses, 5));
    // The move updates a write of the whole array without a new analysis.
    assertEquals(List.of(b), blocks(accesses, 1));
    assertEquals(1, lookups);
    assertEquals(List.of(b), blocks(accesses, 4));
    assertEquals(2, lookups);
  }

  /**
   * A program with branches and loops that copy arrays to each other unless their locations are
   * equal.
   */
  private static final String COPIES =
      """
      #futhark-ir mc-mem v1
      fun f(n_1: i64, c_2: bool, a_3: mem i64, xs_4: [n_1]i64 @ a_3 -> 0 + {n_1: 1}) -> (r_40: i64) = {
        let {b_5: mem i64} = alloc(n_1, i64)
        let {ys_6: [n_1]i64 @ b_5 -> 0 + {n_1: 1}} = replicate([], xs_4)
        let {d_7: mem i64} = alloc(n_1, i64)
        let {zs_8: [n_1]i64 @ d_7 -> 0 + {n_1: 1}} = if c_2 then {
          let {us_9: [n_1]i64 @ a_3 -> 0 + {n_1: 1}} = par segmap cores [flat_10; i_11 < n_1] do {i64} {
            let {x_12: i64} = xs_4[i_11]
            in {x_12}
          }
          in {us_9}
        } else {in {ys_6}}
        let {ws_13: [n_1]i64 @ b_5 -> 0 + {n_1: 1}} = loop {v_14: [n_1]i64 @ b_5 -> 0 + {n_1: 1} = zs_8} for i_15: i64 < n_1 do {
          let {e_16: mem i64} = alloc(n_1, i64)
          let {t_17: [n_1]i64 @ e_16 -> 0 + {n_1: 1}} = iota_i64(n_1, i_15, 1i64)
          let {x_18: i64} = t_17[i_15]
          let {row_19: [n_1]i64 @ e_16 -> 0 + {n_1: 1}} = if c_2 then {
            let {q_20: [n_1]i64 @ b_5 -> 0 + {n_1: 1}} = v_14 with [i_15] = x_18
            in {q_20}
          } else {in {t_17}}
          in {row_19}
        }
        let {flat_21: [1i64][n_1]i64 @ b_5 -> 0 + {1i64: n_1, n_1: 1}} = reshape([1i64, n_1], ws_13)
        let {y_22: i64} = flat_21[0i64, 0i64]
        let {g_23: mem i64, hs_24: [n_1]i64 @ g_23 -> 0 + {n_1: 1}} = if c_2 then {in {b_5, ws_13}} else {in {d_7, zs_8}}
        let {z_25: i64} = hs_24[0i64]
        let {r_26: i64} = add_i64(y_22, z_25)
        in {r_26}
      }
      """;

  /**
   * Checks that cached accesses equal newly computed ones after any sequence of moves and queries.
   */
  @Test
  void cachedAccessesEqualComputedOnes() {
    FunDef f = Parser.parse("t", COPIES).functions().values().iterator().next();
    List<Stm> all = new ArrayList<>();
    places.clear();
    f.params().forEach(p -> place(p.name(), p.type()));
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        all.add(s);
        for (PatElem p : s.pat()) {
          place(p.name(), p.type());
        }
        if (s.exp() instanceof Exp.Loop l) {
          l.params().forEach(p -> place(p.param().name(), p.param().type()));
        }
        return super.stm(s);
      }
    }.body(f.body());
    List<Name> arrays = List.copyOf(places.keySet());
    List<Name> blocks = places.values().stream().map(ArrayMem::block).distinct().toList();
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      Accesses kept = new Accesses(places::get, new ScalarValues()).remembering();
      for (int move = 0; move < 10; move++) {
        for (int k = 0; k < 4; k++) {
          Stm s = all.get(random.nextInt(all.size()));
          Accesses afresh = new Accesses(places::get, new ScalarValues());
          assertEquals(afresh.of(s), kept.of(s), s::toString);
          for (Name a : arrays) {
            assertEquals(afresh.of(s, a), kept.of(s, a), s::toString);
          }
        }
        Set<Name> moved = new HashSet<>();
        for (int k = random.nextInt(3); k >= 0; k--) {
          Name a = arrays.get(random.nextInt(arrays.size()));
          ArrayMem m = Objects.requireNonNull(places.get(a));
          places.put(a, new ArrayMem(blocks.get(random.nextInt(blocks.size())), m.lmad()));
          moved.add(a);
        }
        kept.forget(moved);
        // Accesses to some arrays are queried before those of the whole statement.
        Stm s = all.get(random.nextInt(all.size()));
        Name a = arrays.get(random.nextInt(arrays.size()));
        assertEquals(
            new Accesses(places::get, new ScalarValues()).of(s, a), kept.of(s, a), s::toString);
      }
    }
  }

  private void place(Name name, Type type) {
    if (type instanceof Type.Array a && a.mem() != null) {
      places.put(name, a.mem());
    }
  }
}
