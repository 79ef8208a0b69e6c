package futharkc.core.ir.symbolic;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Known facts about i64 variables at a program point, with a prover of inequalities. Index
 * arithmetic is assumed not to overflow, since sizes and offsets of existing arrays do not.
 *
 * <p>To prove {@code p >= 0}, the prover eliminates variables one by one. It writes {@code p = c *
 * x + r}. If {@code c <= 0}, it replaces {@code x} by its upper bound; if {@code c >= 0}, by its
 * lower bound. If the sign of {@code c} is unknown, it proves both cases, since {@code p} is
 * minimal at one of the bounds. This suffices for row-major index functions, such as {@code n*m -
 * (i*m + j) - 1 >= 0} with {@code i < n} and {@code j < m}. The prover also subtracts multiples of
 * facts that bound no single variable, if this cancels terms. The prover is incomplete: false means
 * only that limited effort found no proof.
 */
public final class Bounds {
  /** The maximum number of variables that a proof eliminates in sequence. */
  private static final int DEPTH = 8;

  /** The maximum number of inequalities that a proof examines. */
  private static final int STEPS = 2000;

  /**
   * The maximum number of facts that a proof tries, latest first. Conditions may nest a thousand
   * levels deep.
   */
  private static final int FACTS_TRIED = 250;

  /**
   * The maximum number of lower bounds, and of upper bounds, of a variable that a proof tries,
   * latest first.
   */
  private static final int BOUNDS_TRIED = 4;

  private static final long LARGEST_FACTOR = 1 << 20;
  private static final long LARGEST_CONSTANT = 1L << 61;

  /**
   * The maximum number of terms of a polynomial after substitution of values. Hardly any longer sum
   * can be proved, so callers need not record longer ones.
   */
  public static final int LARGEST_SUM = 64;

  /**
   * The maximum number of terms of a fact that bounds each of its variables; a longer fact bounds
   * only its last variable. Also the maximum number of terms by which a fact may exceed the
   * polynomial from which it is subtracted.
   */
  private static final int LARGEST_FACT = LARGEST_SUM / 4;

  private final @Nullable Bounds outer;
  private final Set<Name> nonNegative = new HashSet<>();
  private final Map<Name, List<Poly>> atLeast = new HashMap<>();
  private final Map<Name, List<Poly>> atMost = new HashMap<>();
  private final Map<Name, Poly> values = new HashMap<>();
  private final List<Name> valued = new ArrayList<>();
  private final List<Poly> facts = new ArrayList<>();

  /** The same facts, keyed by the last variable after substitution of values. */
  private final Map<Name, List<Poly>> factsUpTo = new HashMap<>();

  /** True if a fact is known to be false, here or in an outer scope. */
  private boolean isContradictory;

  /** A cache of facts and bounds after substitution, valid for {@link #normalValues} values. */
  private final Map<Poly, Poly> normals = new IdentityHashMap<>();

  private int normalValues;

  /** True if a variable has a value, here or in an outer scope. */
  private boolean hasValues;

  /** The facts of this object after {@link #extended}, when no more may be added; null before. */
  private @Nullable Bounds learned;

  /** True if this object extends {@link #outer}, to which no more facts may be added. */
  private final boolean extendsOuter;

  /** The effort limits of proofs. */
  static final class Effort {
    private final int depth;
    private final int facts;
    private final int steps;
    private int left;

    /**
     * Makes limits for a sequence of proofs.
     *
     * @param depth the maximum number of variables eliminated in sequence
     * @param facts the maximum number of facts combined in one proof
     * @param steps the maximum number of inequalities examined in one proof
     * @param all the maximum number of inequalities examined in all proofs
     */
    Effort(int depth, int facts, int steps, int all) {
      this.depth = depth;
      this.facts = facts;
      this.steps = steps;
      this.left = all;
    }

    /** Returns the number of inequalities that may still be examined. */
    int left() {
      return left;
    }
  }

  /** Makes a scope that inherits the facts of an outer scope. */
  public Bounds(@Nullable Bounds outer) {
    this(outer, false);
  }

  private Bounds(@Nullable Bounds outer, boolean extendsOuter) {
    this.outer = outer;
    this.extendsOuter = extendsOuter;
    this.hasValues = outer != null && outer.hasValues;
    this.isContradictory = outer != null && outer.isContradictory;
  }

  /**
   * Returns a scope that inherits the facts of this scope. No facts may be added to this scope
   * afterwards. A long chain of extensions is compacted: a scope is merged with its predecessor
   * unless the predecessor is larger, so a lookup visits a logarithmic number of scopes.
   */
  public Bounds extended() {
    if (learned == null) {
      learned = this;
      while (learned.extendsOuter && learned.outer != null && learned.outer.extendsOuter) {
        if (learned.outer.size() > learned.size()) {
          break;
        }
        learned = learned.withOuter(learned.outer);
      }
    }
    return new Bounds(learned, true);
  }

  private int size() {
    return nonNegative.size() + facts.size() + values.size();
  }

  /** Merges the facts of this scope and the preceding one. */
  private Bounds withOuter(Bounds before) {
    Bounds both = new Bounds(before.outer, true);
    for (Bounds b : List.of(before, this)) {
      both.nonNegative.addAll(b.nonNegative);
      addAll(both.atLeast, b.atLeast);
      addAll(both.atMost, b.atMost);
      both.values.putAll(b.values);
      both.facts.addAll(b.facts);
      addAll(both.factsUpTo, b.factsUpTo);
    }
    both.isContradictory = isContradictory;
    both.hasValues = hasValues;
    return both;
  }

  private static void addAll(Map<Name, List<Poly>> all, Map<Name, List<Poly>> more) {
    more.forEach((x, ps) -> all.computeIfAbsent(x, k -> new ArrayList<>()).addAll(ps));
  }

  /** Adds the fact that a variable is not negative, for example a size. */
  public void addNonNegative(Name x) {
    nonNegative.add(x);
  }

  /** Adds the facts that a variable is at least 0 and less than the bound, for example an index. */
  public void addIndex(Name x, Poly bound) {
    nonNegative.add(x);
    addBelow(x, bound);
  }

  /** Adds the fact that a variable is less than the bound. */
  public void addBelow(Name x, Poly bound) {
    atMost.computeIfAbsent(x, k -> new ArrayList<>()).add(bound.minus(Poly.ONE));
  }

  /**
   * Adds the fact that the polynomial is at least 0, unless its coefficients suggest that it may
   * overflow.
   */
  public void addFact(Poly atLeastZero) {
    if (isLikeAnIndex(atLeastZero)) {
      assume(atLeastZero);
    }
  }

  /** Adds the fact that the polynomial, which does not overflow, is at least 0. */
  void assume(Poly atLeastZero) {
    if (atLeastZero.constant() != null) {
      return;
    }
    facts.add(atLeastZero);
    index(atLeastZero);
    boolean isLarge = atLeastZero.terms().size() > LARGEST_FACT;
    for (var t : atLeastZero.terms().entrySet()) {
      if (t.getKey().factors().size() != 1 || Math.abs(t.getValue()) != 1) {
        continue;
      }
      Name x = t.getKey().factors().get(0);
      if (isLarge && !x.equals(atLeastZero.variables().getLast())) {
        continue;
      }
      Poly.Division s = atLeastZero.divide(x);
      if (s.quotient().constant() == null) {
        continue;
      }
      if (t.getValue() > 0) {
        Poly least = s.remainder().times(-1);
        if (least.constant() instanceof Long c && c >= 0) {
          nonNegative.add(x);
        }
        atLeast.computeIfAbsent(x, k -> new ArrayList<>()).add(least);
      } else {
        atMost.computeIfAbsent(x, k -> new ArrayList<>()).add(s.remainder());
      }
    }
  }

  private void index(Poly fact) {
    Poly f = normal(fact);
    Long c = f.constant();
    if (c != null) {
      isContradictory |= c < 0;
    } else {
      factsUpTo.computeIfAbsent(f.variables().getLast(), k -> new ArrayList<>()).add(fact);
    }
  }

  /**
   * Returns the facts whose last variable may change when {@code x} gets a value. Facts with the
   * same last variable are in order of addition.
   */
  private List<Poly> factsToReindex(Name x, Poly value) {
    List<Name> ends = new ArrayList<>(value.variables().tailSet(x));
    ends.add(x);
    List<Poly> found = new ArrayList<>();
    for (Name end : ends) {
      for (Bounds b = this; b != null; b = b.outer) {
        found.addAll(0, b.factsUpTo.getOrDefault(end, List.of()));
      }
    }
    found.removeIf(f -> !normal(f).variables().contains(x));
    return found;
  }

  /**
   * Adds the value of a variable, which replaces the variable from now on: facts about the variable
   * become facts about the value. If the value depends on the variable, the equation becomes two
   * inequalities instead.
   */
  public void addValue(Name x, Poly value) {
    if (isLikeAnIndex(value)) {
      assumeValue(x, value);
    }
  }

  /** Adds the value of a variable, which does not overflow. */
  void assumeValue(Name x, Poly value) {
    Poly v = normal(value);
    Poly difference = Poly.of(x).minus(v);
    if (v.terms().size() > LARGEST_FACT || v.variables().contains(x) || value(x) != null) {
      assume(difference);
      assume(difference.times(-1));
      return;
    }
    List<Poly> known = new ArrayList<>();
    for (Poly l : lower(x)) {
      known.add(v.minus(l));
    }
    for (Poly u : upper(x)) {
      known.add(u.minus(v));
    }
    List<Poly> changed = factsToReindex(x, v);
    values.put(x, v);
    valued.add(x);
    hasValues = true;
    changed.forEach(this::index);
    for (Poly f : known) {
      assume(normal(f));
    }
  }

  /**
   * Replaces variables by their values. Returns the polynomial unchanged if the result would be too
   * large.
   */
  public Poly normal(Poly p) {
    if (!hasValues) {
      return p;
    }
    Poly now = p;
    while (true) {
      Poly before = now;
      Map<Name, Poly> known = new HashMap<>();
      for (Name x : before.variables()) {
        Poly v = value(x);
        if (v != null) {
          known.put(x, v);
        }
      }
      if (known.isEmpty()) {
        return before;
      }
      if (sizeAfter(before, known) > 0x1p61) {
        return p;
      }
      now = before.substitute(x -> known.getOrDefault(x, Poly.of(x)));
      if (now.terms().size() > LARGEST_SUM) {
        return p;
      }
    }
  }

  /**
   * Returns a function equal to {@link #normal} that caches its results for facts and bounds until
   * another value is added.
   */
  private UnaryOperator<Poly> normalFacts() {
    if (!hasValues) {
      return UnaryOperator.identity();
    }
    Bounds valued = this;
    while (valued.values.isEmpty() && valued.outer != null) {
      valued = valued.outer;
    }
    return valued.normalFactsHere();
  }

  /**
   * Returns the variables that have values in this scope, in order of addition. The result of
   * {@link #normal} changes when a variable in the polynomial gets a value.
   */
  public List<Name> valued() {
    return Collections.unmodifiableList(valued);
  }

  private UnaryOperator<Poly> normalFactsHere() {
    int now = 0;
    for (Bounds b = this; b != null && b.hasValues; b = b.outer) {
      now += b.values.size();
    }
    if (now != normalValues) {
      normals.clear();
    }
    normalValues = now;
    return f -> normals.computeIfAbsent(f, this::normal);
  }

  private static double sizeAfter(Poly p, Map<Name, Poly> values) {
    double sum = 0;
    for (var t : p.terms().entrySet()) {
      double product = Math.abs((double) t.getValue());
      for (Name x : t.getKey().factors()) {
        Poly v = values.get(x);
        if (v != null) {
          product *= size(v);
        }
      }
      sum += product;
    }
    return sum;
  }

  /**
   * Returns the sum of the absolute coefficients. The size of a product is at most the product of
   * the sizes.
   */
  private static double size(Poly p) {
    double sum = 0;
    for (long c : p.terms().values()) {
      sum += Math.abs((double) c);
    }
    return sum;
  }

  private @Nullable Poly value(Name x) {
    for (Bounds b = this; b != null && b.hasValues; b = b.outer) {
      Poly v = b.values.get(x);
      if (v != null) {
        return v;
      }
    }
    return null;
  }

  private boolean isNonNegative(Name x) {
    for (Bounds b = this; b != null; b = b.outer) {
      if (b.nonNegative.contains(x)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the lower bounds of a variable, latest first. */
  List<Poly> lower(Name x) {
    List<Poly> bounds = new ArrayList<>();
    for (Bounds b = this; b != null; b = b.outer) {
      collect(b.atLeast.get(x), bounds);
    }
    if (bounds.size() < BOUNDS_TRIED && isNonNegative(x) && !bounds.contains(Poly.ZERO)) {
      bounds.add(Poly.ZERO);
    }
    return bounds;
  }

  /** Returns the upper bounds of a variable, latest first. */
  List<Poly> upper(Name x) {
    List<Poly> bounds = new ArrayList<>();
    for (Bounds b = this; b != null; b = b.outer) {
      collect(b.atMost.get(x), bounds);
    }
    return bounds;
  }

  /** Returns the facts whose last variable is {@code last}, latest first. */
  List<Poly> facts(Name last) {
    List<Poly> found = new ArrayList<>();
    UnaryOperator<Poly> normal = normalFacts();
    for (Bounds b = this; b != null; b = b.outer) {
      for (Poly f : b.factsUpTo.getOrDefault(last, List.of()).reversed()) {
        if (found.size() == FACTS_TRIED) {
          return found;
        }
        Poly q = normal.apply(f);
        if (q.constant() == null) {
          found.add(q);
        }
      }
    }
    return found;
  }

  /** Tests whether a fact is false, so that the program point is unreachable. */
  boolean isContradictory() {
    return isContradictory;
  }

  private void collect(@Nullable List<Poly> more, List<Poly> bounds) {
    if (more == null) {
      return;
    }
    UnaryOperator<Poly> normal = normalFacts();
    for (Poly p : more.reversed()) {
      if (bounds.size() == BOUNDS_TRIED) {
        return;
      }
      Poly q = normal.apply(p);
      if (!bounds.contains(q)) {
        bounds.add(q);
      }
    }
  }

  /** Tests whether {@code p >= 0} can be proved. */
  public boolean provesNonNegative(Poly p) {
    return isLikeAnIndex(p) && proves(p, new Effort(DEPTH, 1, STEPS, STEPS));
  }

  /**
   * Tests whether {@code p >= 0} can be proved in a fortieth of the usual steps, divided by the
   * number of terms. Suitable for frequent queries about sums of sizes.
   */
  public boolean provesNonNegativeBriefly(Poly p) {
    int steps = STEPS / 40 / Math.max(1, p.terms().size());
    return isLikeAnIndex(p) && proves(p, new Effort(DEPTH, 1, steps, steps));
  }

  /** Tests whether every term of the polynomial is a product of non-negative factors. */
  boolean isSumOfNonNegatives(Poly p) {
    return isLikeAnIndex(p) && proves(p, new Effort(0, 0, 0, 0));
  }

  /** Tests whether {@code a < b} can be proved. */
  public boolean provesLess(Poly a, Poly b) {
    return provesNonNegative(b.minus(a).minus(Poly.ONE));
  }

  /** Tests whether {@code a <= b} can be proved. */
  public boolean provesAtMost(Poly a, Poly b) {
    return provesNonNegative(b.minus(a));
  }

  /** Tests whether {@code p >= 0} can be proved for a polynomial that does not overflow. */
  boolean proves(Poly p, Effort effort) {
    return new Proof(effort).from(normal(p), effort.facts);
  }

  /**
   * Tests whether the coefficients are small enough for index arithmetic. Large ones occur in hash
   * functions and random number generators, which overflow.
   */
  public static boolean isLikeAnIndex(Poly p) {
    for (var t : p.terms().entrySet()) {
      long most = t.getKey().factors().isEmpty() ? LARGEST_CONSTANT : LARGEST_FACTOR;
      if (t.getValue() > most || t.getValue() < -most) {
        return false;
      }
    }
    return true;
  }

  /** A failed proof goal: different elimination orders lead to the same goals. */
  private record Goal(Poly p, int depth) {}

  /** An attempt at a proof, which caches the bounds of variables. */
  private final class Proof {
    private final Effort effort;
    private final Set<Goal> failed = new HashSet<>();
    private final Map<Name, Boolean> known = new HashMap<>();
    private final Map<Name, List<Poly>> lower = new HashMap<>();
    private final Map<Name, List<Poly>> upper = new HashMap<>();
    private int steps;

    Proof(Effort effort) {
      this.effort = effort;
      this.steps = effort.steps;
    }

    /** Tests whether {@code p >= 0} can be proved with at most {@code uses} facts. */
    boolean from(Poly p, int uses) {
      if (prove(p, effort.depth)) {
        return true;
      }
      if (uses == 0 || p.constant() != null) {
        return false;
      }
      int left = FACTS_TRIED;
      UnaryOperator<Poly> normal = normalFacts();
      for (Bounds b = Bounds.this; b != null; b = b.outer) {
        if (b.facts.isEmpty()) {
          continue;
        }
        for (Poly fact : b.facts.reversed()) {
          if (left-- == 0 || steps < 0) {
            return false;
          }
          Poly f = normal.apply(fact);
          if (f.terms().size() > p.terms().size() + LARGEST_FACT) {
            continue;
          }
          if (Collections.disjoint(p.variables(), f.variables())) {
            continue;
          }
          for (Poly factor : factors(p, f)) {
            if (from(p.minus(factor.times(f)), uses - 1)) {
              return true;
            }
          }
        }
      }
      return false;
    }

    /**
     * Returns the non-negative factors with which the fact could cancel negative terms of the
     * polynomial.
     */
    private Set<Poly> factors(Poly p, Poly fact) {
      Set<Poly> factors = new LinkedHashSet<>();
      factors.add(Poly.ONE);
      for (var t : p.terms().entrySet()) {
        if (t.getValue() > 0) {
          continue;
        }
        for (var f : fact.terms().entrySet()) {
          Poly.Product rest = f.getValue() > 0 ? null : t.getKey().without(f.getKey());
          if (rest == null) {
            continue;
          }
          Poly factor = Poly.of(Math.max(1, t.getValue() / f.getValue()));
          for (Name x : rest.factors()) {
            factor = factor.times(Poly.of(x));
          }
          if (isSmall(factor, fact, p) && isSumOfNonNegatives(factor)) {
            factors.add(factor);
          }
        }
      }
      return factors;
    }

    private boolean isNonNegative(Name x) {
      return known.computeIfAbsent(x, Bounds.this::isNonNegative);
    }

    private boolean prove(Poly p, int depth) {
      Long c = p.constant();
      if (c != null) {
        return c >= 0;
      }
      if (isSumOfNonNegatives(p)) {
        return true;
      }
      if (depth == 0 || --steps < 0 || --effort.left < 0 || failed.contains(new Goal(p, depth))) {
        return false;
      }
      // Later names first: they belong to inner scopes, and their bounds mention outer variables.
      for (Name x : p.variables().reversed()) {
        if (eliminate(x, p, depth - 1)) {
          return true;
        }
      }
      failed.add(new Goal(p, depth));
      return false;
    }

    private boolean eliminate(Name x, Poly p, int depth) {
      List<Poly> most = upper.computeIfAbsent(x, Bounds.this::upper);
      List<Poly> least = lower.computeIfAbsent(x, Bounds.this::lower);
      if (most.isEmpty() && least.isEmpty()) {
        return false;
      }
      Poly.Division s = p.divide(x);
      Poly c = s.quotient();
      if (isNonNegativeLinearTerm(c, least)) {
        return false;
      }
      if (!most.isEmpty() && prove(c.times(-1), depth)) {
        return proveAt(most, s, depth);
      }
      if (!least.isEmpty() && prove(c, depth)) {
        return proveAt(least, s, depth);
      }
      return !most.isEmpty()
          && !least.isEmpty()
          && c.constant() == null
          && !c.variables().contains(x)
          && proveAt(most.subList(0, 1), s, depth)
          && proveAt(least.subList(0, 1), s, depth);
    }

    /**
     * Tests whether a variable occurs only as a linear term with a positive coefficient and has no
     * lower bound but 0. Such variables are not eliminated: a sum of such terms is non-negative,
     * and skipping them avoids equivalent elimination orders.
     */
    private static boolean isNonNegativeLinearTerm(Poly coefficient, List<Poly> least) {
      Long c = coefficient.constant();
      return c != null && c > 0 && least.size() == 1 && least.get(0).isZero();
    }

    /** Tests whether the goal can be proved after replacing the variable by one of its bounds. */
    private boolean proveAt(List<Poly> bounds, Poly.Division s, int depth) {
      for (Poly b : bounds) {
        if (!isSmall(s.quotient(), b, s.remainder())) {
          continue;
        }
        if (prove(s.quotient().times(b).plus(s.remainder()), depth)) {
          return true;
        }
      }
      return false;
    }

    private boolean isSumOfNonNegatives(Poly p) {
      for (var t : p.terms().entrySet()) {
        if (t.getValue() < 0) {
          return false;
        }
        for (Name x : t.getKey().factors()) {
          if (!isNonNegative(x)) {
            return false;
          }
        }
      }
      return true;
    }
  }

  /** Tests whether the coefficients of {@code a * b + c} can be computed without overflow. */
  private static boolean isSmall(Poly a, Poly b, Poly c) {
    return size(a) * size(b) + size(c) < 0x1p62;
  }
}
