package futharkc.core.ir.symbolic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests of the prover on random pairs of LMADs. {@code -Doverlap.pairs=100000} sets the number of
 * pairs, {@code -Doverlap.first} the first random seed.
 */
final class NonOverlapPropertyTest {
  private static final int PAIRS = Integer.getInteger("overlap.pairs", 1500);
  private static final int FIRST = Integer.getInteger("overlap.first", 0);

  /** A pair, with the known facts about its variables. */
  private record Pair(Regions known, Lmad a, Lmad b) {
    boolean isProved() {
      return known.provesDisjoint(a, b);
    }

    boolean overlaps(Random random) {
      return known.overlap(a, b, 4, random, 400);
    }
  }

  /**
   * Checks that the prover finds proofs for most pairs of slices from the two halves of a split
   * array.
   */
  @Test
  void splitArraysAreDisjoint() {
    int proved = 0;
    for (int t = FIRST; t < FIRST + PAIRS; t++) {
      Pair p = new Generator(t).split();
      if (p.isProved()) {
        proved++;
      }
      if (t % 10 == 0) {
        assertFalse(p.overlaps(new Random(t)), p::toString);
      }
    }
    if (PAIRS > 1500) {
      System.out.println("proved " + proved + " of " + PAIRS);
    }
    assertTrue(proved >= PAIRS * 0.8, proved + " of " + PAIRS);
  }

  /** Checks that the prover finds no false proofs for disjoint pairs that are moved slightly. */
  @Test
  void noFalseProofOfNearlyDisjointPairs() {
    int proved = 0;
    int overlapping = 0;
    for (int t = FIRST; t < FIRST + PAIRS; t++) {
      Generator g = new Generator(t);
      Pair p = g.disturbed(g.split());
      boolean overlaps = p.overlaps(new Random(t));
      if (overlaps) {
        overlapping++;
      }
      if (!p.isProved()) {
        continue;
      }
      proved++;
      assertFalse(overlaps, p::toString);
    }
    assertTrue(overlapping > PAIRS / 10 && proved > PAIRS / 20, overlapping + ", " + proved);
  }

  /** Checks that the prover finds no false proofs for arbitrary offsets, strides and sizes. */
  @Test
  void noFalseProofOfArbitraryPairs() {
    int proved = 0;
    for (int t = FIRST; t < FIRST + PAIRS; t++) {
      Pair p = new Generator(t).any();
      if (!p.isProved()) {
        continue;
      }
      proved++;
      assertFalse(p.overlaps(new Random(t)), p::toString);
    }
    assertTrue(proved > PAIRS / 20, "only " + proved);
  }

  private static final class Generator {
    private final Random random;
    private final Regions known = new Regions();

    Generator(long seed) {
      this.random = new Random(seed);
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    /** Returns a new variable with the given lower bound. */
    private Poly atLeast(long least) {
      Poly v = known.variable();
      known.fact(v.minus(Poly.of(least)));
      return v;
    }

    /**
     * Returns slices of the two parts of an array with one to three dimensions, split along one of
     * them.
     */
    Pair split() {
      int rank = random.nextInt(1, 4);
      List<Poly> sizes = new ArrayList<>();
      for (int i = 0; i < rank; i++) {
        sizes.add(chance(70) ? atLeast(1) : Poly.of(random.nextInt(1, 5)));
      }
      List<SubExp> shape = sizes.stream().map(known::size).toList();
      Poly offset = chance(30) ? atLeast(0) : Poly.of(random.nextInt(3));
      Lmad whole = Lmad.ordered(offset, shape, permutation(rank));
      int along = random.nextInt(rank);
      Poly at = atLeast(0);
      known.fact(sizes.get(along).minus(at));
      Lmad first = part(whole, along, Poly.ZERO, at);
      Lmad second = part(whole, along, at, sizes.get(along).minus(at));
      return new Pair(known, cut(first), cut(second));
    }

    private List<Integer> permutation(int rank) {
      List<Integer> perm = new ArrayList<>();
      for (int i = 0; i < rank; i++) {
        perm.add(i);
      }
      Collections.shuffle(perm, random);
      return perm;
    }

    private Lmad part(Lmad l, int dim, Poly from, Poly size) {
      List<Lmad.Dim> dims = new ArrayList<>(l.dims());
      Poly stride = dims.get(dim).stride();
      dims.set(dim, new Lmad.Dim(stride, known.size(size)));
      return new Lmad(l.offset().plus(from.times(stride)), dims);
    }

    /** Slices all dimensions and permutes them. */
    private Lmad cut(Lmad l) {
      Poly offset = l.offset();
      List<Lmad.Dim> dims = new ArrayList<>();
      for (Lmad.Dim d : l.dims()) {
        Poly size = Poly.of(d.size());
        switch (random.nextInt(6)) {
          case 0 -> {
            Poly at = atLeast(0);
            known.fact(size.minus(at).minus(Poly.ONE));
            offset = offset.plus(at.times(d.stride()));
          }
          case 1 -> {
            offset = offset.plus(d.stride());
            dims.add(new Lmad.Dim(d.stride(), known.size(size.minus(Poly.ONE))));
          }
          case 2 -> {
            Poly count = atLeast(0);
            known.fact(size.minus(count.times(2)));
            offset = offset.plus(d.stride().times(random.nextInt(2)));
            dims.add(new Lmad.Dim(d.stride().times(2), known.size(count)));
          }
          case 3 -> {
            offset = offset.plus(size.minus(Poly.ONE).times(d.stride()));
            dims.add(new Lmad.Dim(d.stride().times(-1), d.size()));
          }
          default -> dims.add(d);
        }
      }
      return new Lmad(offset, dims).permute(permutation(dims.size()));
    }

    /** Moves the second LMAD by one or a stride, or enlarges it. */
    Pair disturbed(Pair p) {
      Lmad l = p.b;
      int dim = l.dims().isEmpty() ? -1 : random.nextInt(l.dims().size());
      Poly by = Poly.of(chance(50) ? 1 : -1);
      if (dim < 0 || chance(40)) {
        Poly step = dim < 0 || chance(50) ? Poly.ONE : l.dims().get(dim).stride();
        return new Pair(p.known, p.a, new Lmad(l.offset().plus(by.times(step)), l.dims()));
      }
      List<Lmad.Dim> dims = new ArrayList<>(l.dims());
      Lmad.Dim d = dims.get(dim);
      dims.set(
          dim,
          chance(50)
              ? new Lmad.Dim(d.stride().plus(by), d.size())
              : new Lmad.Dim(d.stride(), known.size(Poly.of(d.size()).plus(by))));
      return new Pair(p.known, p.a, new Lmad(l.offset(), dims));
    }

    /** Returns an arbitrary pair with a few variables. */
    Pair any() {
      List<Poly> variables = new ArrayList<>();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        variables.add(atLeast(random.nextInt(2)));
      }
      if (variables.size() > 1 && chance(60)) {
        known.fact(variables.get(0).minus(variables.get(1)).minus(Poly.of(random.nextInt(2))));
      }
      return new Pair(known, lmad(variables), lmad(variables));
    }

    private Lmad lmad(List<Poly> variables) {
      List<Lmad.Dim> dims = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        dims.add(new Lmad.Dim(any(variables), known.size(any(variables))));
      }
      return new Lmad(any(variables).plus(chance(30) ? any(variables) : Poly.ZERO), dims);
    }

    private Poly any(List<Poly> variables) {
      Poly constant = Poly.of(random.nextInt(-2, 5));
      if (chance(30)) {
        return constant;
      }
      Poly product = variables.get(random.nextInt(variables.size()));
      if (chance(30)) {
        product = product.times(variables.get(random.nextInt(variables.size())));
      }
      if (chance(20)) {
        product = product.times(random.nextInt(-2, 4));
      }
      return chance(50) ? product : product.plus(constant);
    }
  }
}
