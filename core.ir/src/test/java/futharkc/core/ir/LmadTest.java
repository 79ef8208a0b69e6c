package futharkc.core.ir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of operations on LMADs, by comparison with the enumerated offsets of small arrays. */
final class LmadTest {
  private static final int TRIALS = 4000;
  private static final Name N = new Name("n", 1);
  private static final Name M = new Name("m", 2);
  private static final Name K = new Name("k", 3);

  /** Compares constants, and returns false for symbolic polynomials. */
  private static boolean areInOrder(Poly a, Poly b) {
    return a.minus(b).constant() instanceof Long c && c <= 0;
  }

  /** Returns the offsets of all elements in row-major order. */
  private static List<Long> places(Lmad l) {
    List<Long> all = new ArrayList<>(List.of(number(l.offset())));
    for (Lmad.Dim d : l.dims()) {
      List<Long> next = new ArrayList<>();
      for (long p : all) {
        for (long i = 0; i < number(d.size()); i++) {
          next.add(p + i * number(d.stride()));
        }
      }
      all = next;
    }
    return all;
  }

  private static long number(Poly p) {
    return Objects.requireNonNull(p.constant(), p::toString);
  }

  private static long number(SubExp e) {
    return number(Poly.of(e));
  }

  private static List<SubExp> shape(long... sizes) {
    List<SubExp> shape = new ArrayList<>();
    for (long s : sizes) {
      shape.add(SubExp.i64(s));
    }
    return shape;
  }

  /** A generator of random layouts that map different indices to different offsets. */
  private static final class RandomLmads {
    final Random random;

    RandomLmads(long seed) {
      this.random = new Random(seed);
    }

    List<SubExp> shape() {
      List<SubExp> shape = new ArrayList<>();
      int rank = random.nextInt(1, 5);
      for (int i = 0; i < rank; i++) {
        shape.add(SubExp.i64(random.nextInt(5)));
      }
      return shape;
    }

    Lmad fresh(List<SubExp> shape) {
      Poly offset = Poly.of(random.nextInt(4));
      return Lmad.ordered(offset, shape, perm(shape.size()));
    }

    List<Integer> perm(int rank) {
      List<Integer> perm = new ArrayList<>();
      for (int i = 0; i < rank; i++) {
        perm.add(i);
      }
      if (random.nextBoolean()) {
        Collections.shuffle(perm, random);
      }
      return perm;
    }

    Slice slice(List<SubExp> shape) {
      List<Slice.Dim> dims = new ArrayList<>();
      for (SubExp d : shape) {
        int size = (int) number(d);
        int kind = random.nextInt(4);
        if (kind == 0 && size > 0) {
          dims.add(new Slice.Fix(SubExp.i64(random.nextInt(size))));
        } else if (kind == 1 && size > 1) {
          int stride = random.nextInt(1, size) * (random.nextBoolean() ? 1 : -1);
          int start = random.nextInt(size);
          int room = stride > 0 ? size - 1 - start : start;
          int count = random.nextInt(room / Math.abs(stride) + 2);
          dims.add(new Slice.Range(SubExp.i64(start), SubExp.i64(count), SubExp.i64(stride)));
        } else {
          dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
        }
      }
      return new Slice(dims);
    }

    /**
     * Returns another shape with the same element count: with merged, split or added dimensions.
     */
    List<SubExp> otherShape(List<SubExp> shape) {
      List<SubExp> out = new ArrayList<>(shape);
      for (int round = random.nextInt(1, 4); round > 0; round--) {
        int at = random.nextInt(out.size() + 1);
        switch (random.nextInt(3)) {
          case 0 -> out.add(at, SubExp.i64(1));
          case 1 -> {
            if (at + 1 >= out.size()) {
              break;
            }
            long a = number(out.remove(at));
            out.set(at, SubExp.i64(a * number(out.get(at))));
          }
          default -> {
            if (at >= out.size() || number(out.get(at)) % 2 != 0) {
              break;
            }
            out.set(at, SubExp.i64(number(out.get(at)) / 2));
            out.add(at, SubExp.i64(2));
          }
        }
      }
      return out;
    }

    /** Returns a view of an array: sliced, permuted and, if possible, reshaped. */
    Lmad view(Lmad l) {
      Lmad v = l;
      for (int round = random.nextInt(1, 4); round > 0; round--) {
        switch (random.nextInt(3)) {
          case 0 -> v = v.slice(slice(v.shape()));
          case 1 -> v = v.permute(perm(v.dims().size()));
          default -> {
            Lmad r = v.reshape(otherShape(v.shape()));
            if (r != null) {
              v = r;
            }
          }
        }
      }
      return v;
    }
  }

  @Test
  void inversePermutationRestoresLayout() {
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      Lmad l = r.view(r.fresh(r.shape()));
      List<Integer> perm = r.perm(l.dims().size());
      assertEquals(l, l.permute(perm).permute(Lmad.inverse(perm)));
    }
  }

  @Test
  void reshapingKeepsTheOrderOfElements() {
    int done = 0;
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      Lmad l = r.view(r.fresh(r.shape()));
      List<SubExp> shape = r.otherShape(l.shape());
      Lmad reshaped = l.reshape(shape);
      if (reshaped == null) {
        assertTrue(!l.isContiguous(), () -> l + " to " + shape);
        continue;
      }
      done++;
      assertEquals(shape, reshaped.shape());
      assertEquals(places(l), places(reshaped), () -> l + " to " + shape);
      Lmad back = reshaped.reshape(l.shape());
      if (back != null) {
        assertEquals(places(l), places(back));
      } else {
        assertTrue(!reshaped.isContiguous());
      }
    }
    assertTrue(done > TRIALS / 2, "only " + done);
  }

  /** Checks that reshaping is complete: it fails only if no LMAD fits. */
  @Test
  void reshapingIsComplete() {
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      Lmad l = r.view(r.fresh(r.shape()));
      List<SubExp> shape = r.otherShape(l.shape());
      if (l.reshape(shape) == null) {
        assertNull(fit(places(l), shape), () -> l + " to " + shape);
      }
    }
  }

  /** Returns the LMAD of the given shape with the given offsets, or null. */
  private static @Nullable Lmad fit(List<Long> places, List<SubExp> shape) {
    if (places.isEmpty()) {
      return Lmad.rowMajor(shape);
    }
    List<Lmad.Dim> dims = new ArrayList<>();
    int inside = 1;
    for (SubExp d : shape.reversed()) {
      long stride = number(d) > 1 ? places.get(inside) - places.get(0) : 0;
      dims.add(0, new Lmad.Dim(Poly.of(stride), d));
      inside *= (int) number(d);
    }
    Lmad l = new Lmad(Poly.of(places.get(0)), dims);
    return places(l).equals(places) ? l : null;
  }

  @Test
  void orderIsContiguous() {
    int some = 0;
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      Lmad l = r.view(r.fresh(r.shape()));
      List<Integer> order = l.order();
      if (order == null) {
        continue;
      }
      some++;
      assertEquals(places(Lmad.ordered(l.offset(), l.shape(), order)), places(l));
      assertEquals(places(l.permute(order)), consecutive(l), l::toString);
    }
    assertTrue(some > TRIALS / 4, "only " + some);
    for (int t = 0; t < TRIALS; t++) {
      Lmad l = new RandomLmads(t).fresh(new RandomLmads(t).shape());
      assertNotNull(l.order());
    }
  }

  private static List<Long> consecutive(Lmad l) {
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < places(l).size(); i++) {
      all.add(number(l.offset()) + i);
    }
    return all;
  }

  @Test
  void expandedBlocks() {
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      Lmad l = r.view(r.fresh(r.shape()));
      long start = r.random.nextInt(10);
      long factor = r.random.nextInt(1, 5);
      assertEquals(
          places(l).stream().map(p -> start + factor * p).toList(),
          places(l.expand(Poly.of(start), Poly.of(factor))));
    }
  }

  /** Checks that a rebased view contains the offsets to which its elements have moved. */
  @Test
  void rebasing() {
    int done = 0;
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      List<SubExp> shape = r.shape();
      Lmad from = r.fresh(shape);
      Lmad to = r.random.nextBoolean() ? r.fresh(shape) : moved(r, shape);
      Lmad view = r.view(from);
      Lmad now = view.rebase(from, to, LmadTest::areInOrder);
      if (now == null) {
        continue;
      }
      done++;
      List<Long> before = places(from);
      List<Long> after = places(to);
      assertEquals(
          places(view).stream().map(p -> after.get(before.indexOf(p))).toList(),
          places(now),
          () -> view + " of " + from + " moved to " + to);
    }
    assertTrue(done > TRIALS * 7 / 10, "only " + done);
  }

  /** Returns a layout of the given shape inside a larger array. */
  private static Lmad moved(RandomLmads r, List<SubExp> shape) {
    List<SubExp> bigger = new ArrayList<>();
    List<Slice.Dim> slice = new ArrayList<>();
    for (SubExp d : shape) {
      bigger.add(SubExp.i64(2 * number(d) + 1));
      slice.add(new Slice.Range(SubExp.i64(1), d, SubExp.i64(r.random.nextInt(1, 3))));
    }
    return r.fresh(bigger).slice(new Slice(slice));
  }

  @Test
  void composition() {
    int done = 0;
    for (int t = 0; t < TRIALS; t++) {
      var r = new RandomLmads(t);
      Lmad outer = r.view(r.fresh(r.shape()));
      Lmad inner = r.view(Lmad.rowMajor(outer.shape()));
      Lmad both = outer.compose(inner, LmadTest::areInOrder);
      if (both == null) {
        continue;
      }
      done++;
      List<Long> elements = places(outer);
      assertEquals(
          places(inner).stream().map(p -> elements.get((int) (long) p)).toList(),
          places(both),
          () -> inner + " of " + outer);
      assertEquals(
          places(outer), places(outer.compose(Lmad.rowMajor(outer.shape()), LmadTest::areInOrder)));
    }
    assertTrue(done > TRIALS * 7 / 10, "only " + done);
  }

  // Symbolic layouts

  private static Poly p(Name n) {
    return Poly.of(n);
  }

  private static SubExp v(Name n) {
    return SubExp.of(n);
  }

  @Test
  void symbolicShapes() {
    Lmad columns = Lmad.ordered(Poly.ONE, List.of(v(N), v(M), v(K)), List.of(1, 2, 0));
    assertEquals(List.of(1, 2, 0), columns.order());
    assertEquals(
        List.of(Poly.ONE, p(N).times(p(K)), p(N)),
        columns.dims().stream().map(Lmad.Dim::stride).toList());
    assertNull(columns.reshape(List.of(SubExp.of(new Name("nmk", 9)))));
    Lmad split = columns.reshape(List.of(v(N), SubExp.i64(1), v(M), v(K)));
    assertEquals(columns, Objects.requireNonNull(split).reshape(columns.shape()));
    // The size {@code nm} is treated as the product of n and m if both shapes have no other
    // dimension left.
    SubExp nm = SubExp.of(new Name("nm", 8));
    assertEquals(
        Lmad.rowMajor(List.of(nm, v(K))),
        Lmad.rowMajor(List.of(v(N), v(M), v(K))).reshape(List.of(nm, v(K))));
    assertEquals(List.of(1, 2, 0), columns.coerce(List.of(v(M), nm, v(N))).order());
    // Separated rows cannot form a vector, but each row can be split.
    Lmad rows = new Lmad(Poly.ZERO, List.of(dim(p(M).times(2), v(N)), dim(Poly.ONE, v(M))));
    assertNull(rows.reshape(List.of(nm)));
    assertNotNull(rows.reshape(List.of(v(N), SubExp.i64(1), v(M))));
  }

  @Test
  void symbolicViewsAreRebased() {
    Lmad from = Lmad.rowMajor(List.of(v(N), v(M)));
    Lmad to = Lmad.ordered(p(K), List.of(v(N), v(M)), List.of(1, 0));
    // All sizes are positive.
    BiPredicate<Poly, Poly> sizes =
        (a, b) -> isNatural(b.minus(a).substitute(x -> p(x).plus(Poly.ONE)));
    Lmad row = from.slice(new Slice(List.of(new Slice.Fix(SubExp.i64(0)), all(v(M)))));
    assertEquals(new Lmad(p(K), List.of(dim(p(N), v(M)))), row.rebase(from, to, sizes));
    assertEquals(to.permute(List.of(1, 0)), from.permute(List.of(1, 0)).rebase(from, to, sizes));
    Lmad flat = Objects.requireNonNull(from.reshape(List.of(v(K))));
    assertNull(flat.rebase(from, to, sizes));
    Lmad twice = Lmad.rowMajor(List.of(v(N), v(M))).expand(p(K), Poly.of(2));
    assertEquals(new Lmad(p(K), List.of(dim(Poly.of(2), v(K)))), flat.rebase(from, twice, sizes));
  }

  private static boolean isNatural(Poly p) {
    return p.terms().values().stream().allMatch(c -> c > 0);
  }

  private static Slice.Dim all(SubExp size) {
    return new Slice.Range(SubExp.i64(0), size, SubExp.i64(1));
  }

  private static Lmad.Dim dim(Poly stride, SubExp size) {
    return new Lmad.Dim(stride, size);
  }

  @Test
  void aRowMajorArrayStaysRowMajor() {
    List<SubExp> one = shape(1, 8);
    List<SubExp> named = List.of(SubExp.of(N), SubExp.i64(8));
    assertEquals(Lmad.rowMajor(named), Lmad.rowMajor(one).reshape(named));
  }

  /** Checks that a layout may be direct exactly if its constants allow it. */
  @Test
  void possiblyDirectLayouts() {
    List<SubExp> shape = List.of(SubExp.of(N), SubExp.of(M));
    Lmad rows = new Lmad(Poly.ZERO, List.of(dim(p(K), shape.get(0)), dim(Poly.ONE, shape.get(1))));
    assertTrue(rows.mayBeDirect());
    assertFalse(rows.isDirect());
    assertTrue(Lmad.rowMajor(shape).mayBeDirect());
    assertTrue(Lmad.rowMajor(p(K), shape).mayBeDirect());
    assertFalse(Lmad.rowMajor(Poly.ONE, shape).mayBeDirect());
    assertFalse(Lmad.rowMajor(shape).permute(List.of(1, 0)).mayBeDirect());
    assertFalse(new Lmad(Poly.ZERO, List.of(dim(Poly.of(2), SubExp.of(N)))).mayBeDirect());
    assertFalse(new Lmad(Poly.ZERO, List.of(dim(Poly.of(-1), SubExp.of(N)))).mayBeDirect());
  }
}
