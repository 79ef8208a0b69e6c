package futharkc.core.ir.symbolic;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is known of i64 variables at a place of a program, and a prover of inequalities from it.
 * Index arithmetic is taken not to overflow: sizes and offsets of arrays that exist do not.
 *
 * <p>To prove {@code p >= 0}, variables are eliminated one by one: where {@code p = c * x + r} and
 * {@code c <= 0}, {@code x} is at most its upper bound; where {@code c >= 0}, it is at least 0.
 * That is enough for row-major index functions, such as {@code n*m - (i*m + j) - 1 >= 0} with
 * {@code i < n} and {@code j < m}. It is incomplete: false means only that no proof was found.
 */
public final class Bounds {
  private static final int DEPTH = 8;
  private static final long LARGEST_FACTOR = 1 << 20;

  private final @Nullable Bounds outer;
  private final Set<Name> nonNegative = new HashSet<>();
  private final Map<Name, Poly> below = new HashMap<>();
  private final List<Poly> facts = new ArrayList<>();

  /** Knows what the outer place knows, and what is added. */
  public Bounds(@Nullable Bounds outer) {
    this.outer = outer;
  }

  /** The variable is not negative: it is a size, say. */
  public void addNonNegative(Name x) {
    nonNegative.add(x);
  }

  /** The variable is at least 0 and less than the bound: it is an index. */
  public void addIndex(Name x, Poly bound) {
    nonNegative.add(x);
    below.put(x, bound);
  }

  /** The polynomial is at least 0. */
  public void addFact(Poly atLeastZero) {
    if (atLeastZero.constant() == null) facts.add(atLeastZero);
  }

  private boolean isNonNegative(Name x) {
    for (Bounds b = this; b != null; b = b.outer) if (b.nonNegative.contains(x)) return true;
    return false;
  }

  private @Nullable Poly upper(Name x) {
    for (Bounds b = this; b != null; b = b.outer) {
      Poly u = b.below.get(x);
      if (u != null) return u;
    }
    return null;
  }

  /** Whether {@code p >= 0} can be proved. */
  public boolean provesNonNegative(Poly p) {
    if (!isLikeAnIndex(p)) return false;
    if (prove(p, DEPTH)) return true;
    for (Bounds b = this; b != null; b = b.outer) {
      for (Poly f : b.facts) if (prove(p.minus(f), DEPTH)) return true;
    }
    return false;
  }

  /** Large factors belong to hashes and random numbers, which do overflow. */
  private static boolean isLikeAnIndex(Poly p) {
    for (var t : p.terms().entrySet()) {
      if (!t.getKey().factors().isEmpty() && Math.abs(t.getValue()) > LARGEST_FACTOR) return false;
    }
    return true;
  }

  /** Whether {@code a < b} can be proved. */
  public boolean provesLess(Poly a, Poly b) {
    return provesNonNegative(b.minus(a).minus(Poly.ONE));
  }

  private boolean prove(Poly p, int depth) {
    Long c = p.constant();
    if (c != null) return c >= 0;
    if (isSumOfNonNegatives(p)) return true;
    if (depth == 0) return false;
    // Inner variables were named later, and their bounds mention outer ones.
    for (Name x : variables(p).descendingSet()) {
      Split s = Split.of(p, x);
      if (s == null) continue;
      Poly u = upper(x);
      if (u != null && prove(s.coefficient.times(-1), depth - 1)) {
        if (prove(s.rest.plus(s.coefficient.times(u.minus(Poly.ONE))), depth - 1)) return true;
      } else if (isNonNegative(x) && prove(s.coefficient, depth - 1)) {
        if (prove(s.rest, depth - 1)) return true;
      }
    }
    return false;
  }

  private boolean isSumOfNonNegatives(Poly p) {
    for (var t : p.terms().entrySet()) {
      if (t.getValue() < 0) return false;
      for (Name x : t.getKey().factors()) if (!isNonNegative(x)) return false;
    }
    return true;
  }

  private static TreeSet<Name> variables(Poly p) {
    TreeSet<Name> names = new TreeSet<>();
    for (Poly.Product t : p.terms().keySet()) names.addAll(t.factors());
    return names;
  }

  /** {@code p = coefficient * x + rest}, where neither mentions x. */
  private record Split(Poly coefficient, Poly rest) {
    static @Nullable Split of(Poly p, Name x) {
      TreeMap<Poly.Product, Long> with = new TreeMap<>();
      TreeMap<Poly.Product, Long> without = new TreeMap<>();
      for (var t : p.terms().entrySet()) {
        List<Name> factors = t.getKey().factors();
        int at = factors.indexOf(x);
        if (at < 0) {
          without.put(t.getKey(), t.getValue());
          continue;
        }
        List<Name> others = new ArrayList<>(factors);
        others.remove(at);
        if (others.contains(x)) return null;
        with.put(new Poly.Product(others), t.getValue());
      }
      return new Split(new Poly(with), new Poly(without));
    }
  }
}
