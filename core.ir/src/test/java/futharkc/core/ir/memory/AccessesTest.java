package futharkc.core.ir.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is kept about statements while arrays move. */
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
        if (p.type() instanceof Type.Array a && a.mem() != null) places.put(p.name(), a.mem());
      }
    }
  }

  private List<Name> blocks(Accesses accesses, int statement) {
    return accesses.of(stms.get(statement)).stream().map(Access::block).toList();
  }

  /** In a program of many copies, each move concerns few statements. */
  @Test
  void whatMovesConcernsStatementsThatAccessIt() {
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
    // In the loop, what is inside is looked at first.
    for (int i : List.of(1, 3, 4, 5)) accesses.of(stms.get(i));
    assertEquals(List.of(a), blocks(accesses, 4));
    lookups = 0;
    ArrayMem old = Objects.requireNonNull(places.get(XS));
    places.put(XS, new ArrayMem(b, old.lmad()));
    accesses.forget(List.of(XS));
    assertEquals(List.of(b), blocks(accesses, 3));
    assertEquals(List.of(b), blocks(accesses, 5));
    // What only writes it as a whole is not looked at again.
    assertEquals(List.of(b), blocks(accesses, 1));
    assertEquals(1, lookups);
    assertEquals(List.of(b), blocks(accesses, 4));
    assertEquals(2, lookups);
  }
}
