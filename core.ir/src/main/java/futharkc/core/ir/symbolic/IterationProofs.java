package futharkc.core.ir.symbolic;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.symbolic.IterationAtoms.Atom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Proofs about the index to which every iteration of an operation writes: it is in range; it is
 * distinct in all iterations; every index is written. A query returns null if the property is
 * proved, otherwise a description of the obstacle.
 *
 * <p>The prover examines every combination of the relevant flags separately. It partitions
 * iterations into classes by the flags that are 1. At one iteration, a count is the sum of some
 * classes of the earlier iterations, whose total is the iteration number. A total is the sum of the
 * count, the current flag, and the same classes of the later iterations. At two iterations, the
 * later number is the earlier number plus 1 plus the number of iterations between them. The later
 * count is the earlier count plus the earlier flag plus the classes between them. {@link Bounds}
 * proves the resulting inequalities.
 *
 * <p>The proofs do not assume the absence of overflow. A polynomial with a proved range is the
 * exact value, since both are equal modulo 2^64. Two polynomials are distinct modulo 2^64 if their
 * difference is at least 1 and at most twice the number of iterations plus 1.
 */
public final class IterationProofs {
  private static final int MANY_FLAGS = 4;
  private static final int MANY_COUNTED_FLAGS = 2;

  private final Iterations iterations;
  private final IterationAtoms atoms;

  /** The position of an index relative to the array, for one combination of flags. */
  private enum Place {
    INSIDE,
    /** A negative constant: the write has no effect. */
    IGNORED,
    UNKNOWN
  }

  public IterationProofs(Iterations iterations) {
    this.iterations = iterations;
    this.atoms = iterations.atoms;
  }

  // Proofs

  /** Tests whether the value is in {@code [least, end)} at every iteration. */
  boolean within(Poly p, long least, long end) {
    // An invariant value may be needed even if there are no iterations.
    boolean atIteration = atoms.vary(List.of(p));
    if (!atIteration && iterations.mentionsEmpty(p)) {
      return false;
    }
    for (Map<Name, Long> flags : combinations(List.of(p))) {
      One at = new One(flags, List.of(p), atIteration);
      Poly value = at.value(p);
      if (!at.bounds.provesNonNegative(value.minus(Poly.of(least)))) {
        return false;
      }
      if (!at.bounds.provesLess(value, Poly.of(end))) {
        return false;
      }
    }
    return !combinations(List.of(p)).isEmpty();
  }

  /** Returns null if the index is in range at every iteration. */
  public @Nullable String outside(Poly index, SubExp size) {
    Poly n = iterations.size(size);
    List<Map<Name, Long>> all = combinations(List.of(index, n));
    if (all.isEmpty()) {
      return "it depends on too many conditions";
    }
    for (Map<Name, Long> flags : all) {
      switch (place(index, n, flags)) {
        case INSIDE -> {}
        case IGNORED -> {
          return "it is " + new One(flags, List.of(index, n)).value(index) + where(flags);
        }
        case UNKNOWN -> {
          String unknown = unknown(index);
          return unknown != null ? unknown : "no bound is known" + where(flags);
        }
      }
    }
    return null;
  }

  /**
   * Returns null if no two iterations have the same index, apart from negative indices, which have
   * no effect.
   */
  public @Nullable String repeated(Poly index, SubExp size) {
    Poly n = iterations.size(size);
    List<Map<Name, Long>> all = combinations(List.of(index, n));
    if (all.isEmpty()) {
      return "it depends on too many conditions";
    }
    for (Map<Name, Long> first : all) {
      for (Map<Name, Long> second : all) {
        if (!areApart(index, first, index, second, n)) {
          String unknown = unknown(index);
          return unknown != null ? unknown : "it may be the same" + where(first) + also(second);
        }
      }
    }
    return null;
  }

  /**
   * Returns null if no index of {@code a} at any iteration equals an index of {@code b} at any
   * iteration.
   */
  public @Nullable String shared(Poly a, Poly b, SubExp size) {
    Poly n = iterations.size(size);
    List<Map<Name, Long>> all = combinations(List.of(a, b, n));
    if (all.isEmpty()) {
      return "they depend on too many conditions";
    }
    for (Map<Name, Long> first : all) {
      One at = new One(first, List.of(a, b, n));
      boolean ignored = place(a, n, first) == Place.IGNORED || place(b, n, first) == Place.IGNORED;
      boolean inside = place(a, n, first) == Place.INSIDE && place(b, n, first) == Place.INSIDE;
      boolean apart = ignored || differ(at.value(a), at.value(b), at.bounds, inside);
      for (Map<Name, Long> second : all) {
        apart = apart && areApart(a, first, b, second, n) && areApart(b, first, a, second, n);
      }
      if (!apart) {
        String unknown = unknown(a);
        if (unknown == null) {
          unknown = unknown(b);
        }
        return unknown != null ? unknown : "they may meet" + where(first);
      }
    }
    return null;
  }

  /**
   * Returns null if every index in range is written, given {@linkplain #repeated distinct} indices.
   * The proof shows that the number of writing iterations equals the array size, including the case
   * of no iterations.
   */
  public @Nullable String missed(Poly index, SubExp size) {
    Poly n = iterations.size(size);
    List<Map<Name, Long>> all = combinations(List.of(index, n));
    if (all.isEmpty()) {
      return "it depends on too many conditions";
    }
    Poly written = Poly.ZERO;
    for (Map<Name, Long> flags : all) {
      switch (place(index, n, flags)) {
        case INSIDE -> written = written.plus(indicator(flags));
        case IGNORED -> {}
        case UNKNOWN -> {
          return "it may be out of range" + where(flags);
        }
      }
    }
    Poly number = iterations.total(written);
    if (number == null || !number.equals(n)) {
      return "not known to be as many as the array has elements";
    }
    Name none = iterations.empty().terms().firstKey().factors().get(0);
    Poly width = iterations.width();
    Poly whenEmpty =
        iterations
            .sizeAlsoIfEmpty(size)
            .substitute(
                v -> {
                  if (v.equals(none)) {
                    return Poly.ONE;
                  }
                  boolean isWidth = width.equals(Poly.of(v));
                  return isWidth || atoms.of(v) instanceof Atom.Total ? Poly.ZERO : Poly.of(v);
                });
    // With a positive constant number of iterations, the empty case does not occur.
    boolean complete = whenEmpty.isZero() || width.constant() != null;
    return complete ? null : "the array may have elements where nothing is written";
  }

  // Combinations of flags

  /**
   * Returns all combinations of the relevant flags, or an empty list if there are too many flags.
   */
  private List<Map<Name, Long>> combinations(List<Poly> polys) {
    TreeSet<Name> flags = new TreeSet<>();
    for (Name n : variables(polys)) {
      switch (atoms.of(n)) {
        case Atom.Flag f -> flags.add(n);
        case Atom.Count c -> flags.addAll(c.flags().factors());
        case Atom.Total t -> flags.addAll(t.flags().factors());
        case null, default -> {}
      }
    }
    Name none = iterations.empty().terms().firstKey().factors().get(0);
    flags.remove(none);
    if (flags.size() > MANY_FLAGS || counted(polys).size() > MANY_COUNTED_FLAGS) {
      return List.of();
    }
    List<Map<Name, Long>> all = new ArrayList<>();
    for (int bits = 0; bits < 1 << flags.size(); bits++) {
      Map<Name, Long> one = new HashMap<>();
      int k = 0;
      for (Name f : flags) {
        one.put(f, (long) (bits >> k++ & 1));
      }
      one.put(none, 0L);
      all.add(one);
    }
    return all;
  }

  private static SortedSet<Name> variables(List<Poly> polys) {
    TreeSet<Name> names = new TreeSet<>();
    for (Poly p : polys) {
      for (Poly.Product t : p.terms().keySet()) {
        names.addAll(t.factors());
      }
    }
    return names;
  }

  /**
   * Returns a polynomial that is 1 if the flags have the values of the combination, otherwise 0.
   */
  private Poly indicator(Map<Name, Long> flags) {
    Name none = iterations.empty().terms().firstKey().factors().get(0);
    Poly product = Poly.ONE;
    for (var f : flags.entrySet()) {
      if (f.getKey().equals(none)) {
        continue;
      }
      Poly flag = Poly.of(f.getKey());
      product = product.times(f.getValue() == 1 ? flag : Poly.ONE.minus(flag));
    }
    return product;
  }

  private Place place(Poly index, Poly n, Map<Name, Long> flags) {
    One at = new One(flags, List.of(index, n));
    Poly value = at.value(index);
    Long constant = value.constant();
    if (constant != null && constant < 0) {
      return Place.IGNORED;
    }
    return at.bounds.provesNonNegative(value) && at.bounds.provesLess(value, at.value(n))
        ? Place.INSIDE
        : Place.UNKNOWN;
  }

  /**
   * Tests whether an earlier iteration's index and a later iteration's index differ, or one of them
   * has no effect.
   */
  private boolean areApart(Poly a, Map<Name, Long> earlier, Poly b, Map<Name, Long> later, Poly n) {
    for (var f : earlier.entrySet()) {
      boolean same = f.getValue().equals(later.get(f.getKey()));
      if (!atoms.varies(f.getKey()) && !same) {
        return true;
      }
    }
    Place first = place(a, n, earlier);
    Place second = place(b, n, later);
    if (first == Place.IGNORED || second == Place.IGNORED) {
      return true;
    }
    Two at = new Two(earlier, later, List.of(a, b, n));
    boolean inside = first == Place.INSIDE && second == Place.INSIDE;
    Poly x = at.earlier(a);
    Poly y = at.later(b);
    return differ(x, y, at.bounds, inside) || isMultiple(y.minus(x), at.distance);
  }

  /** Tests whether two values differ, also modulo 2^64. */
  private boolean differ(Poly x, Poly y, Bounds bounds, boolean inside) {
    return isGreater(x, y, bounds, inside) || isGreater(y, x, bounds, inside);
  }

  private boolean isGreater(Poly x, Poly y, Bounds bounds, boolean inside) {
    if (!bounds.provesLess(y, x)) {
      return false;
    }
    Poly most = iterations.width().times(2).plus(Poly.ONE);
    return inside || bounds.provesNonNegative(most.minus(x.minus(y)));
  }

  /**
   * Tests whether the difference is an odd multiple, or twice an odd multiple, of a distance in [1,
   * 2^63 - 1].
   */
  private static boolean isMultiple(Poly difference, Poly distance) {
    Long factor = difference.terms().isEmpty() ? null : difference.terms().get(key(distance));
    return factor != null
        && difference.equals(distance.times(factor))
        && Long.numberOfTrailingZeros(factor) <= 1;
  }

  private static Poly.Product key(Poly distance) {
    return distance.terms().lastKey();
  }

  // Facts

  private void knowSizes(Bounds b) {
    for (Name n : iterations.sizes) {
      if (atoms.of(n) instanceof Atom.Other o && o.type().bits() < 64) {
        b.addIndex(n, Poly.of(1L << (o.type().bits() - 1)));
      } else {
        b.addNonNegative(n);
      }
    }
  }

  private void knowIteration(Bounds b) {
    b.addIndex(atoms.iteration, iterations.width());
    b.addFact(iterations.width().minus(iterations.iteration()).minus(Poly.ONE));
  }

  /** Adds the fact that a comparison implies about its operands. */
  private void fact(Bounds b, @Nullable Poly atLeastZero) {
    if (atLeastZero == null) {
      return;
    }
    b.addFact(atLeastZero);
    for (var t : atLeastZero.terms().entrySet()) {
      if (t.getKey().factors().size() != 1) {
        continue;
      }
      Name x = t.getKey().factors().get(0);
      if (atoms.of(x) instanceof Atom.Iteration || atoms.of(x) instanceof Atom.Count) {
        continue;
      }
      Poly rest = atLeastZero.minus(Poly.of(x).times(t.getValue()));
      Long constant = rest.constant();
      if (t.getValue() == 1 && constant != null && constant <= 0) {
        b.addNonNegative(x);
      }
      boolean later = variables(List.of(rest)).stream().allMatch(v -> v.compareTo(x) < 0);
      if (t.getValue() == -1 && later) {
        b.addBelow(x, rest.plus(Poly.ONE));
      }
    }
  }

  private static long product(Poly.Product flags, Map<Name, Long> values) {
    long product = 1;
    for (Name f : flags.factors()) {
      product *= values.getOrDefault(f, 0L);
    }
    return product;
  }

  /**
   * A partition of some iterations by the set of flags that are 1, without the class with no flag.
   * The class sizes are variables whose sum is at most the number of iterations.
   */
  private final class Classes {
    private final List<Name> flags;
    private final List<Poly> sizes = new ArrayList<>();

    Classes(List<Name> flags, Poly number, Bounds bounds) {
      this.flags = flags;
      Poly left = number;
      for (int set = 1; set < 1 << flags.size(); set++) {
        Name size = atoms.fresh("some");
        bounds.addIndex(size, left.plus(Poly.ONE));
        left = left.minus(Poly.of(size));
        sizes.add(Poly.of(size));
      }
    }

    /** Returns the number of iterations at which all of the flags are 1. */
    Poly count(Poly.Product all) {
      Poly count = Poly.ZERO;
      for (int set = 1; set <= sizes.size(); set++) {
        boolean has = true;
        for (Name f : all.factors()) {
          has &= (set >> flags.indexOf(f) & 1) == 1;
        }
        if (has) {
          count = count.plus(sizes.get(set - 1));
        }
      }
      return count;
    }
  }

  /** Returns the flags that occur in counts and totals. */
  private List<Name> counted(List<Poly> used) {
    TreeSet<Name> flags = new TreeSet<>();
    for (Name n : variables(used)) {
      if (atoms.of(n) instanceof Atom.Count c) {
        flags.addAll(c.flags().factors());
      }
      if (atoms.of(n) instanceof Atom.Total t) {
        flags.addAll(t.flags().factors());
      }
    }
    return List.copyOf(flags);
  }

  /** The facts at one iteration for one combination of flags. */
  private final class One {
    final Bounds bounds = new Bounds(null);
    private final Map<Name, Poly> values = new HashMap<>();

    One(Map<Name, Long> flags, List<Poly> used) {
      this(flags, used, true);
    }

    One(Map<Name, Long> flags, List<Poly> used, boolean atIteration) {
      if (atIteration) {
        knowIteration(bounds);
      }
      knowSizes(bounds);
      flags.forEach((f, v) -> values.put(f, Poly.of(v)));
      List<Name> counted = counted(used);
      Poly later = iterations.width().minus(iterations.iteration()).minus(Poly.ONE);
      Classes before = new Classes(counted, iterations.iteration(), bounds);
      Classes after = new Classes(counted, later, bounds);
      for (Name n : variables(used)) {
        switch (atoms.of(n)) {
          case Atom.Count c -> values.put(n, before.count(c.flags()));
          case Atom.Total t -> {
            Poly here = Poly.of(product(t.flags(), flags));
            values.put(n, before.count(t.flags()).plus(here).plus(after.count(t.flags())));
          }
          case null, default -> {}
        }
      }
      // A remainder is less than its divisor if it is computed. Elsewhere the divisor may be 0.
      for (Name n : variables(used.stream().map(this::value).toList())) {
        if (atoms.of(n) instanceof Atom.Other o && o.below() != null) {
          bounds.addIndex(n, o.below());
        }
      }
      // Without an iteration, compared operands may have other values.
      if (!atIteration) {
        return;
      }
      flags.forEach(
          (f, v) -> {
            if (!(atoms.of(f) instanceof Atom.Flag flag)) {
              return;
            }
            Poly known = v == 1 ? flag.ifTrue() : flag.ifFalse();
            fact(bounds, known == null ? null : value(known));
          });
    }

    Poly value(Poly p) {
      return p.substitute(n -> values.getOrDefault(n, Poly.of(n)));
    }
  }

  /** The facts at two iterations, the first before the second. */
  private final class Two {
    final Bounds bounds = new Bounds(null);

    /** The distance between the iterations, at least 1. */
    final Poly distance;

    private final Map<Name, Poly> first = new HashMap<>();
    private final Map<Name, Poly> second = new HashMap<>();

    Two(Map<Name, Long> earlier, Map<Name, Long> later, List<Poly> used) {
      knowSizes(bounds);
      knowIteration(bounds);
      Poly width = iterations.width();
      Name between = atoms.fresh("between");
      distance = Poly.of(between).plus(Poly.ONE);
      bounds.addIndex(between, width.minus(iterations.iteration()).minus(Poly.ONE));
      Poly end = iterations.iteration().plus(distance);
      second.put(atoms.iteration, end);
      earlier.forEach((f, v) -> first.put(f, Poly.of(v)));
      later.forEach((f, v) -> second.put(f, Poly.of(v)));
      List<Name> counted = counted(used);
      Classes before = new Classes(counted, iterations.iteration(), bounds);
      Classes middle = new Classes(counted, Poly.of(between), bounds);
      Classes after = new Classes(counted, width.minus(end).minus(Poly.ONE), bounds);
      for (Name n : variables(used)) {
        switch (atoms.of(n)) {
          case Atom.Count c -> {
            Poly here = Poly.of(product(c.flags(), earlier));
            first.put(n, before.count(c.flags()));
            second.put(n, before.count(c.flags()).plus(here).plus(middle.count(c.flags())));
          }
          case Atom.Total t -> {
            Poly.Product f = t.flags();
            Poly here = Poly.of(product(f, earlier) + product(f, later));
            Poly others = before.count(f).plus(middle.count(f)).plus(after.count(f));
            first.put(n, others.plus(here));
            second.put(n, others.plus(here));
          }
          case Atom.Other o when o.varies() -> second.put(n, Poly.of(atoms.fresh("other")));
          case null, default -> {}
        }
      }
    }

    Poly earlier(Poly p) {
      return p.substitute(n -> first.getOrDefault(n, Poly.of(n)));
    }

    Poly later(Poly p) {
      return p.substitute(n -> second.getOrDefault(n, Poly.of(n)));
    }
  }

  // Explanations

  /**
   * Returns a description of a variable without known bounds on which the index depends and which
   * varies between iterations, or null.
   */
  private @Nullable String unknown(Poly index) {
    for (Name n : variables(List.of(index))) {
      if (atoms.of(n) instanceof Atom.Other o && o.varies() && o.below() == null) {
        return "it depends on " + o.text();
      }
    }
    return null;
  }

  private String where(Map<Name, Long> flags) {
    return flags.size() > 1 ? " for one outcome of its conditions" : "";
  }

  private String also(Map<Name, Long> flags) {
    return flags.size() > 1 ? " and another" : "";
  }
}
