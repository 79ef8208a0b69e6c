package futharkc.core.ir.symbolic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BoundsTest {
  private final Name n = new Name("n", 1);
  private final Name m = new Name("m", 2);
  private final Name i = new Name("i", 3);
  private final Name j = new Name("j", 4);
  private final Name k = new Name("k", 5);
  private final Bounds bounds = new Bounds(null);

  BoundsTest() {
    bounds.addNonNegative(n);
    bounds.addNonNegative(m);
    bounds.addIndex(i, Poly.of(n));
    bounds.addIndex(j, Poly.of(m));
  }

  private static Poly p(Name x) {
    return Poly.of(x);
  }

  @Test
  void rowMajorIndicesAreInRange() {
    Poly index = p(i).times(p(m)).plus(p(j));
    assertTrue(bounds.provesNonNegative(index));
    assertTrue(bounds.provesLess(index, p(n).times(p(m))));
    assertFalse(bounds.provesLess(index.plus(Poly.ONE), p(n).times(p(m))));
  }

  @Test
  void rowsAreDisjoint() {
    Poly end = p(i).times(p(m)).plus(p(j));
    Poly next = p(i).plus(Poly.ONE).times(p(m));
    assertTrue(bounds.provesLess(end, next));
    assertFalse(bounds.provesLess(next, end));
  }

  @Test
  void factsAreUsed() {
    assertFalse(bounds.provesNonNegative(p(i).minus(Poly.ONE)));
    Bounds inside = new Bounds(bounds);
    inside.addFact(p(i).minus(Poly.ONE));
    assertTrue(inside.provesNonNegative(p(i).minus(Poly.ONE)));
    assertTrue(inside.provesLess(p(i).minus(Poly.ONE), p(n)));
    assertFalse(bounds.provesNonNegative(p(i).minus(Poly.ONE)));
  }

  /** Checks that the value of a variable that is a sum of many sizes is at least each size. */
  @Test
  void sumsOfManySizesAreBounds() {
    Bounds inside = new Bounds(bounds);
    Poly sum = Poly.ZERO;
    for (int id = 100; id < 130; id++) {
      Name size = new Name("size", id);
      inside.addFact(p(size));
      sum = sum.plus(p(size));
    }
    Name total = new Name("total", 200);
    inside.addValue(total, sum);
    assertTrue(inside.provesNonNegative(p(total)));
    assertTrue(inside.provesAtMost(p(new Name("size", 107)), p(total)));
    assertFalse(inside.provesLess(p(new Name("size", 107)), p(total)));
  }

  @Test
  void unknownVariablesProveNothing() {
    assertFalse(bounds.provesNonNegative(p(k)));
    assertFalse(bounds.provesLess(p(i), p(k)));
    assertFalse(bounds.provesNonNegative(p(k).times(p(i))));
  }

  @Test
  void hashesMayOverflow() {
    assertFalse(bounds.provesNonNegative(p(i).times(6364136223846793005L)));
  }

  /** Finds no proof: the product 2^20 * 2^40 * 2^5 exceeds an i64. */
  @Test
  void boundsOfBoundsMayOverflow() {
    Name x = new Name("x", 6);
    bounds.addIndex(k, Poly.of(32));
    bounds.addIndex(x, p(k).times(1L << 40));
    assertFalse(bounds.provesNonNegative(p(n).minus(p(x).times(1L << 20))));
  }

  /** Finds no proof: the fact excludes only k = -2^63. */
  @Test
  void largeConstantsMayOverflow() {
    bounds.addFact(p(k).plus(Poly.of(Long.MAX_VALUE)));
    assertFalse(bounds.provesNonNegative(p(k).minus(Poly.of(2))));
  }

  @Test
  void latestFactsAreUsed() {
    Bounds inside = new Bounds(bounds);
    for (int c = 1; c <= 1000; c++) {
      inside.addFact(p(k).minus(Poly.of(c)));
    }
    for (int c = 1001; c <= 2000; c++) {
      inside = new Bounds(inside);
      inside.addFact(p(k).minus(Poly.of(c)));
    }
    assertTrue(inside.provesLess(Poly.of(1999), p(k)));
    assertFalse(inside.provesLess(Poly.of(2000), p(k)));
    assertTrue(inside.provesNonNegative(p(i)));
  }

  /**
   * Checks that the proof takes few steps, since it does not try different elimination orders of
   * sizes.
   */
  @Test
  void sumsOfSizesTakeFewSteps() {
    Poly sum = p(k).minus(p(new Name("unknown", 100)));
    for (int s = 0; s < 30; s++) {
      Name size = new Name("size", 200 + s);
      bounds.addNonNegative(size);
      sum = sum.plus(p(size));
    }
    Bounds.Effort effort = new Bounds.Effort(8, 1, 2000, 2000);
    assertFalse(bounds.proves(sum, effort));
    assertTrue(effort.left() > 1900, () -> 2000 - effort.left() + " steps");
    assertTrue(bounds.proves(sum.minus(p(k)).plus(p(new Name("unknown", 100))), effort));
  }

  private static Poly p(long factor, Name x) {
    return Poly.of(x).times(factor);
  }

  @Test
  void factsAreFoundByTheirLastVariable() {
    Poly first = p(2, k).minus(p(m));
    Poly last = p(3, k).minus(p(2, n));
    bounds.addFact(first);
    Bounds inside = new Bounds(bounds);
    inside.addFact(last);
    assertEquals(List.of(last, first), inside.facts(k));
    assertEquals(List.of(), inside.facts(m));
    assertEquals(List.of(first), bounds.facts(k));
  }

  @Test
  void lastVariableChangesWhenItHasAValue() {
    Poly first = p(2, k).minus(p(3, m));
    Poly last = p(2, k).minus(p(5, m));
    bounds.addFact(first);
    bounds.addFact(last);
    Bounds inside = new Bounds(bounds);
    inside.addValue(k, p(n));
    Poly firstInside = p(2, n).minus(p(3, m));
    Poly lastInside = p(2, n).minus(p(5, m));
    assertEquals(List.of(lastInside, firstInside), inside.facts(m));
    assertEquals(List.of(), bounds.facts(m));
  }

  @Test
  void lastVariableChangesWhenItCancels() {
    bounds.addFact(p(2, j).minus(p(2, i)));
    Bounds inside = new Bounds(bounds);
    inside.addValue(i, p(j).plus(p(k)));
    assertTrue(inside.facts(k).contains(p(-2, k)));
  }

  /**
   * Checks that facts contain current values, even if they have been queried before, here or in an
   * outer scope.
   */
  @Test
  void factsContainCurrentValues() {
    bounds.addFact(p(2, k).minus(p(3, m)));
    bounds.addValue(new Name("x", 6), p(n));
    Bounds inside = new Bounds(bounds);
    inside.addValue(new Name("y", 7), p(n));
    assertEquals(List.of(p(2, k).minus(p(3, m))), bounds.facts(k));
    assertEquals(List.of(p(2, k).minus(p(3, m))), inside.facts(k));
    bounds.addValue(m, p(n));
    assertEquals(List.of(p(2, k).minus(p(3, n))), bounds.facts(k));
    assertEquals(List.of(p(2, k).minus(p(3, n))), inside.facts(k));
  }

  @Test
  void valuesMayContradictFacts() {
    bounds.addFact(p(2, k).minus(Poly.of(6)));
    Bounds inside = new Bounds(bounds);
    assertFalse(inside.isContradictory());
    inside.addValue(k, Poly.of(2));
    assertTrue(inside.isContradictory());
    assertTrue(new Bounds(inside).isContradictory());
    assertFalse(bounds.isContradictory());
    Bounds beside = new Bounds(bounds);
    beside.addValue(k, Poly.of(4));
    assertFalse(beside.isContradictory());
  }

  /**
   * Checks that a chain of extensions, some of which are merged, has the same facts as a chain of
   * nested scopes.
   */
  @Test
  void extensionsEqualNestedScopes() {
    int proved = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Name> names = new ArrayList<>();
      for (int id = 10; id < 20; id++) {
        names.add(new Name("x", id));
      }
      Bounds outside = new Bounds(null);
      List<Bounds> plain = new ArrayList<>(List.of(new Bounds(outside)));
      List<Bounds> extended = new ArrayList<>(List.of(new Bounds(outside)));
      learn(random, names, List.of(outside));
      for (int step = 0; step < 30; step++) {
        int from = random.nextInt(8) == 0 ? random.nextInt(plain.size()) : plain.size() - 1;
        plain.add(new Bounds(plain.get(from)));
        extended.add(extended.get(from).extended());
        for (int more = random.nextInt(4); more > 0; more--) {
          learn(random, names, List.of(plain.getLast(), extended.getLast()));
        }
        if (random.nextInt(4) == 0) {
          outside.addBelow(names.get(random.nextInt(names.size())), sum(random, names));
        }
        int at = random.nextInt(plain.size());
        Bounds a = plain.get(at);
        Bounds b = extended.get(at);
        assertEquals(a.isContradictory(), b.isContradictory());
        for (Name x : names) {
          assertEquals(a.lower(x), b.lower(x));
          assertEquals(a.upper(x), b.upper(x));
          assertEquals(a.facts(x), b.facts(x));
          assertEquals(a.normal(p(x)), b.normal(p(x)));
        }
        Poly asked = sum(random, names);
        assertEquals(a.provesNonNegative(asked), b.provesNonNegative(asked));
        if (b.provesNonNegative(asked) && !b.isContradictory()) {
          proved++;
        }
      }
    }
    assertTrue(proved > 500, "only " + proved);
  }

  /** Checks that facts may be added to the outer scope of an extended scope. */
  @Test
  void outerScopeOfExtensionMayGrow() {
    Bounds around = bounds.extended();
    Bounds inside = new Bounds(around);
    inside.addFact(p(j).minus(Poly.ONE));
    Bounds later = inside.extended();
    assertFalse(later.provesNonNegative(p(i).minus(Poly.ONE)));
    around.addFact(p(i).minus(Poly.ONE));
    assertTrue(later.provesNonNegative(p(i).minus(Poly.ONE)));
    assertTrue(later.provesNonNegative(p(j).minus(Poly.ONE)));
  }

  private static void learn(Random random, List<Name> names, List<Bounds> all) {
    Name x = names.get(random.nextInt(names.size()));
    Poly sum = sum(random, names);
    int how = random.nextInt(5);
    for (Bounds b : all) {
      switch (how) {
        case 0 -> b.addNonNegative(x);
        case 1 -> b.addBelow(x, sum);
        case 2 -> b.addIndex(x, sum);
        case 3 -> b.addFact(sum);
        default -> b.addValue(x, sum);
      }
    }
  }

  private static Poly sum(Random random, List<Name> names) {
    Poly sum = Poly.of(random.nextInt(9) - 4);
    for (int k = random.nextInt(3); k >= 0; k--) {
      sum = sum.plus(p(names.get(random.nextInt(names.size()))).times(random.nextInt(5) - 2));
    }
    return sum;
  }
}
