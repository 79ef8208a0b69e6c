package futharkc.core.ir.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Body;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.DependenceGraph.Node;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of ordering constraints and their preservation by contraction. */
final class DependenceGraphTest {
  private static final Body BODY =
      Objects.requireNonNull(
              Parser.parse(
                      "f",
                      """
                      #futhark-ir seq v1
                      fun f(n_1: i64, xs_2: *[n_1]i32) -> (r_3: i32, q_4: *[n_1]i32) = {
                        let {a_5: i32} = xs_2[0i64]
                        let {b_6: i32} = add_i32(1i32, 2i32)
                        let {c_7: i32} = mul_i32(a_5, b_6)
                        let {ys_8: [n_1]i32} = xs_2
                        let {d_9: i32} = ys_8[1i64]
                        let {us_10: [n_1]i32} = xs_2 with [0i64] = c_7
                        let {e_11: i32} = add_i32(c_7, d_9)
                        in {e_11, us_10}
                      }
                      """)
                  .functions()
                  .get("f"))
          .body();

  private final DependenceGraph graph = new DependenceGraph(BODY, Aliases.of(BODY.stms()));

  private Node at(int i) {
    return graph.nodes().get(i);
  }

  private String order() {
    return graph.nodes().toString().replaceAll("[\\[\\] ]|_\\d+", "");
  }

  /** Returns a statement that binds the names of both nodes and uses the operands of the second. */
  private static Stm both(Node first, Node second) {
    List<PatElem> pat = new ArrayList<>(first.stm().pat());
    pat.addAll(second.stm().pat());
    return new Stm(pat, second.stm().aux(), second.stm().exp());
  }

  @Test
  void usesAreOnPathsFromDefinitions() {
    assertEquals(List.of(at(2)), graph.between(at(0), at(5)));
    assertEquals(List.of(), graph.between(at(0), at(2)));
    assertEquals(List.of(), graph.between(at(0), at(5), Set.of(at(2))));
    assertEquals(List.of(), graph.between(at(0), at(4)), "nothing leads from a to d");
  }

  @Test
  void nodesOnPathsAreFound() {
    for (int i = 0; i < graph.nodes().size(); i++) {
      for (int j = i + 1; j < graph.nodes().size(); j++) {
        boolean found = !graph.between(at(i), at(j)).isEmpty();
        assertEquals(found, graph.isAnyBetween(at(i), at(j)), at(i) + " to " + at(j));
      }
    }
    assertTrue(graph.isAnyBetween(at(0), at(5)));
    assertTrue(graph.isAnyBetween(at(3), at(5)));
    assertFalse(graph.isAnyBetween(at(0), at(4)));
  }

  @Test
  void readsOfAliasesPrecedeConsumption() {
    assertEquals(List.of(at(4)), graph.between(at(3), at(5)), "d reads xs under another name");
    assertEquals(new Name("ys", 8), graph.overwritten(at(4), at(5)));
    assertEquals(new Name("xs", 2), graph.overwritten(at(0), at(5)));
    assertNull(graph.overwritten(at(2), at(5)));
    assertTrue(graph.isConsumed(new Name("ys", 8), at(5)));
  }

  @Test
  void resultsAndOtherNodesUseNames() {
    assertTrue(graph.isUsedBesides(new Name("e", 11), at(6)));
    assertTrue(graph.isUsedBesides(new Name("c", 7), at(5)));
    assertFalse(graph.isUsedBesides(new Name("a", 5), at(2)));
    assertFalse(graph.isUsedOutside(new Name("c", 7), Set.of(at(5), at(6))));
  }

  @Test
  void contractionKeepsDependences() {
    Node old = at(0);
    Node d = at(4);
    // Dependents of a move behind the fused node, and operands of e before it.
    Node fused = graph.contract(List.of(old, d), both(old, d));
    assertEquals("b,ys,a,d,c,us,e", order());
    assertFalse(graph.has(old) || graph.has(d));
    assertEquals(fused, graph.definer(new Name("a", 5)));
    assertEquals(Set.of(fused), graph.users(new Name("ys", 8)));
    assertFalse(
        graph.isUsedBesides(new Name("xs", 2), at(5))
            && graph.users(new Name("xs", 2)).contains(old));
  }

  @Test
  void contractedNodeConsumesForAll() {
    Node us = at(5);
    Node e = at(6);
    Node fused = graph.contract(List.of(us, e), both(us, e));
    assertEquals(us.consumed(), fused.consumed());
    assertEquals(List.of(at(4)), graph.between(at(3), fused));
  }

  @Test
  void expansionAndRemovalKeepTheOrder() {
    Node c = at(2);
    Stm again =
        new Stm(
            List.of(new PatElem(new Name("f", 12), c.stm().pat().get(0).type())),
            c.stm().aux(),
            c.stm().exp());
    assertEquals("[c_7]", graph.expand(c, List.of(again, c.stm())).toString());
    assertEquals("a,b,f,c,ys,d,us,e", order());
    graph.remove(Set.of(at(2)));
    assertEquals("a,b,c,ys,d,us,e", order());
    assertEquals(Set.of(at(2)), graph.users(new Name("a", 5)));
  }
}
