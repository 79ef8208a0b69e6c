package futharkc.core.ir.symbolic;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** How many facts a proof tries, latest first: conditions may nest a thousand deep. */
  private static final int FACTS_TRIED = 250;

  private static final long LARGEST_FACTOR = 1 << 20;
  private static final long LARGEST_CONSTANT = 1L << 61;

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

  /** The variable is less than the bound. */
  public void addBelow(Name x, Poly bound) {
    below.put(x, bound);
  }

  /** The polynomial is at least 0. */
  public void addFact(Poly atLeastZero) {
    if (atLeastZero.constant() == null && isLikeAnIndex(atLeastZero)) facts.add(atLeastZero);
  }

  /** Whether {@code p >= 0} can be proved. */
  public boolean provesNonNegative(Poly p) {
    if (!isLikeAnIndex(p)) return false;
    Proof proof = new Proof();
    if (proof.prove(p, DEPTH)) return true;
    int left = FACTS_TRIED;
    for (Bounds b = this; b != null; b = b.outer) {
      for (Poly f : b.facts.reversed()) {
        if (left-- == 0) return false;
        if (proof.prove(p.minus(f), DEPTH)) return true;
      }
    }
    return false;
  }

  /** Large numbers belong to hashes and random numbers, which do overflow. */
  private static boolean isLikeAnIndex(Poly p) {
    for (var t : p.terms().entrySet()) {
      long most = t.getKey().factors().isEmpty() ? LARGEST_CONSTANT : LARGEST_FACTOR;
      if (t.getValue() > most || t.getValue() < -most) return false;
    }
    return true;
  }

  /** Whether {@code a < b} can be proved. */
  public boolean provesLess(Poly a, Poly b) {
    return provesNonNegative(b.minus(a).minus(Poly.ONE));
  }

  /** What was tried: variables may be eliminated in many orders, with the same outcome. */
  private record Goal(Poly p, int depth) {}

  /** An attempt to prove something here: what is known of a variable is looked up once. */
  private final class Proof {
    private final Set<Goal> failed = new HashSet<>();
    private final Map<Name, Boolean> nonNegative = new HashMap<>();
    private final Map<Name, Optional<Poly>> upper = new HashMap<>();

    private boolean isNonNegative(Name x) {
      return nonNegative.computeIfAbsent(
          x,
          n -> {
            for (Bounds b = Bounds.this; b != null; b = b.outer) {
              if (b.nonNegative.contains(n)) return true;
            }
            return false;
          });
    }

    private @Nullable Poly upper(Name x) {
      return upper
          .computeIfAbsent(
              x,
              n -> {
                for (Bounds b = Bounds.this; b != null; b = b.outer) {
                  Poly u = b.below.get(n);
                  if (u != null) return Optional.of(u);
                }
                return Optional.empty();
              })
          .orElse(null);
    }

    private boolean prove(Poly p, int depth) {
      Long c = p.constant();
      if (c != null) return c >= 0;
      if (isSumOfNonNegatives(p)) return true;
      if (depth == 0 || failed.contains(new Goal(p, depth))) return false;
      // Inner variables were named later, and their bounds mention outer ones.
      for (Name x : variables(p).descendingSet()) {
        Split s = Split.of(p, x);
        if (s == null) continue;
        Poly u = upper(x);
        boolean usable = u != null && isSmall(s.coefficient, u, s.rest);
        if (u != null && usable && prove(s.coefficient.times(-1), depth - 1)) {
          Poly least = s.rest.plus(s.coefficient.times(u.minus(Poly.ONE)));
          if (prove(least, depth - 1)) return true;
        } else if (isNonNegative(x) && prove(s.coefficient, depth - 1)) {
          if (prove(s.rest, depth - 1)) return true;
        }
      }
      failed.add(new Goal(p, depth));
      return false;
    }

    private boolean isSumOfNonNegatives(Poly p) {
      for (var t : p.terms().entrySet()) {
        if (t.getValue() < 0) return false;
        for (Name x : t.getKey().factors()) if (!isNonNegative(x)) return false;
      }
      return true;
    }
  }

  /**
   * Whether {@code coefficient * upper + rest} has the coefficients that it has without wrapping.
   */
  private static boolean isSmall(Poly coefficient, Poly upper, Poly rest) {
    double products = largest(coefficient) * (largest(upper) + 1) * coefficient.terms().size();
    return products * upper.terms().size() + largest(rest) < 0x1p62;
  }

  private static double largest(Poly p) {
    double largest = 0;
    for (long c : p.terms().values()) largest = Math.max(largest, Math.abs((double) c));
    return largest;
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
