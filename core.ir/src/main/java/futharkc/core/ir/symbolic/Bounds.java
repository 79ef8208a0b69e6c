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
 * What is known of i64 variables at a place of a program, and a prover of inequalities from it.
 * Index arithmetic is taken not to overflow: sizes and offsets of arrays that exist do not.
 *
 * <p>To prove {@code p >= 0}, variables are eliminated one by one, in {@code p = c * x + r}: where
 * {@code c <= 0}, {@code x} is at most its upper bound; where {@code c >= 0}, it is at least its
 * lower one; where nobody knows, {@code p} is least at one of the two. That is enough for row-major
 * index functions, such as {@code n*m - (i*m + j) - 1 >= 0} with {@code i < n} and {@code j < m}.
 * Facts that bound no single variable are subtracted, multiplied by what makes terms vanish. It is
 * incomplete: false means only that no proof was found with limited effort.
 */
public final class Bounds {
  /** How many variables a proof eliminates one after the other. */
  private static final int DEPTH = 8;

  /** How many inequalities a proof looks at. */
  private static final int STEPS = 2000;

  /** How many facts a proof tries, latest first: conditions may nest a thousand deep. */
  private static final int FACTS_TRIED = 250;

  /** How many bounds of a variable on each side a proof tries, latest first. */
  private static final int BOUNDS_TRIED = 4;

  private static final long LARGEST_FACTOR = 1 << 20;
  private static final long LARGEST_CONSTANT = 1L << 61;

  /**
   * Of how many terms a polynomial may become when values are put in. Of longer sums, next to
   * nothing is proved: nobody need remember them.
   */
  public static final int LARGEST_SUM = 64;

  /**
   * How large a fact is that bounds each of its variables, and not only the one named last, and how
   * many terms more than what is to be proved a fact may have that is subtracted from it.
   */
  private static final int LARGEST_FACT = LARGEST_SUM / 4;

  private final @Nullable Bounds outer;
  private final Set<Name> nonNegative = new HashSet<>();
  private final Map<Name, List<Poly>> atLeast = new HashMap<>();
  private final Map<Name, List<Poly>> atMost = new HashMap<>();
  private final Map<Name, Poly> values = new HashMap<>();
  private final List<Name> valued = new ArrayList<>();
  private final List<Poly> facts = new ArrayList<>();

  /** The same, each under the last variable that it mentions once values have been put in. */
  private final Map<Name, List<Poly>> factsUpTo = new HashMap<>();

  /** Whether a fact is false, here or outside. */
  private boolean isContradictory;

  /** What facts and bounds are when variables have been replaced, by so many values. */
  private final Map<Poly, Poly> normals = new IdentityHashMap<>();

  private int normalValues;

  /** Whether some variable has a value, here or outside. */
  private boolean hasValues;

  /** What this knows, once it has been extended; it learns no more then. */
  private @Nullable Bounds learned;

  /** Whether this extends what is outside, which learns no more. */
  private final boolean extendsOuter;

  /** How hard proofs are tried. */
  static final class Effort {
    private final int depth;
    private final int facts;
    private final int steps;
    private int left;

    /**
     * For some proofs.
     *
     * @param depth how many variables are eliminated one after the other
     * @param facts how many facts are used together
     * @param steps how many inequalities are looked at in one proof
     * @param all how many in all proofs
     */
    Effort(int depth, int facts, int steps, int all) {
      this.depth = depth;
      this.facts = facts;
      this.steps = steps;
      this.left = all;
    }

    /** How many inequalities may still be looked at. */
    int left() {
      return left;
    }
  }

  /** Knows what the outer place knows, and what is added. */
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
   * Knows what this knows, and what is added; nothing may be added to this any more. Of a long
   * chain of such extensions the latest knows what each has added from a few places: who knows less
   * is put together with the one before, so that each knows twice as much as the next.
   */
  public Bounds extended() {
    if (learned == null) {
      learned = this;
      while (learned.extendsOuter && learned.outer != null && learned.outer.extendsOuter) {
        if (learned.outer.size() > learned.size()) break;
        learned = learned.withOuter(learned.outer);
      }
    }
    return new Bounds(learned, true);
  }

  private int size() {
    return nonNegative.size() + facts.size() + values.size();
  }

  /** What is known here and one place outside, as one. */
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

  /** The variable is not negative: it is a size, say. */
  public void addNonNegative(Name x) {
    nonNegative.add(x);
  }

  /** The variable is at least 0 and less than the bound: it is an index. */
  public void addIndex(Name x, Poly bound) {
    nonNegative.add(x);
    addBelow(x, bound);
  }

  /** The variable is less than the bound. */
  public void addBelow(Name x, Poly bound) {
    atMost.computeIfAbsent(x, k -> new ArrayList<>()).add(bound.minus(Poly.ONE));
  }

  /** The polynomial is at least 0. */
  public void addFact(Poly atLeastZero) {
    if (isLikeAnIndex(atLeastZero)) assume(atLeastZero);
  }

  /** The polynomial is at least 0, and nothing in it overflows. */
  void assume(Poly atLeastZero) {
    if (atLeastZero.constant() != null) return;
    facts.add(atLeastZero);
    index(atLeastZero);
    boolean isLarge = atLeastZero.terms().size() > LARGEST_FACT;
    for (var t : atLeastZero.terms().entrySet()) {
      if (t.getKey().factors().size() != 1 || Math.abs(t.getValue()) != 1) continue;
      Name x = t.getKey().factors().get(0);
      if (isLarge && !x.equals(atLeastZero.variables().getLast())) continue;
      Poly.Division s = atLeastZero.divide(x);
      if (s.quotient().constant() == null) continue;
      if (t.getValue() > 0) {
        Poly least = s.remainder().times(-1);
        if (least.constant() instanceof Long c && c >= 0) nonNegative.add(x);
        atLeast.computeIfAbsent(x, k -> new ArrayList<>()).add(least);
      } else {
        atMost.computeIfAbsent(x, k -> new ArrayList<>()).add(s.remainder());
      }
    }
  }

  private void index(Poly fact) {
    Poly f = normal(fact);
    Long c = f.constant();
    if (c != null) isContradictory |= c < 0;
    else factsUpTo.computeIfAbsent(f.variables().getLast(), k -> new ArrayList<>()).add(fact);
  }

  /**
   * The facts of which another variable may be the last once one has a value; of those with the
   * same one so far, the latest last.
   */
  private List<Poly> factsThatMayEndElsewhere(Name x, Poly value) {
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
   * The variable has this value, by which it is replaced from now on: what is known of it is known
   * of the value. A value that depends on the variable is just a fact.
   */
  public void addValue(Name x, Poly value) {
    if (isLikeAnIndex(value)) assumeValue(x, value);
  }

  /** The variable has this value, in which nothing overflows. */
  void assumeValue(Name x, Poly value) {
    Poly v = normal(value);
    Poly difference = Poly.of(x).minus(v);
    if (v.terms().size() > LARGEST_FACT || v.variables().contains(x) || value(x) != null) {
      assume(difference);
      assume(difference.times(-1));
      return;
    }
    List<Poly> known = new ArrayList<>();
    for (Poly l : lower(x)) known.add(v.minus(l));
    for (Poly u : upper(x)) known.add(u.minus(v));
    List<Poly> changed = factsThatMayEndElsewhere(x, v);
    values.put(x, v);
    valued.add(x);
    hasValues = true;
    changed.forEach(this::index);
    for (Poly f : known) assume(normal(f));
  }

  /** The polynomial with variables replaced by the values that they have, if it stays small. */
  public Poly normal(Poly p) {
    if (!hasValues) return p;
    Poly now = p;
    while (true) {
      Poly before = now;
      Map<Name, Poly> known = new HashMap<>();
      for (Name x : before.variables()) {
        Poly v = value(x);
        if (v != null) known.put(x, v);
      }
      if (known.isEmpty()) return before;
      if (sizeAfter(before, known) > 0x1p61) return p;
      now = before.substitute(x -> known.getOrDefault(x, Poly.of(x)));
      if (now.terms().size() > LARGEST_SUM) return p;
    }
  }

  /** Likewise, of what is known, which is asked for again and again: as values are by now. */
  private UnaryOperator<Poly> normalFacts() {
    if (!hasValues) return UnaryOperator.identity();
    Bounds valued = this;
    while (valued.values.isEmpty() && valued.outer != null) valued = valued.outer;
    return valued.normalFactsHere();
  }

  /**
   * The variables that have been given a value here, in order: what {@link #normal} makes of a
   * polynomial changes when those that it mentions are.
   */
  public List<Name> valued() {
    return Collections.unmodifiableList(valued);
  }

  private UnaryOperator<Poly> normalFactsHere() {
    int now = 0;
    for (Bounds b = this; b != null && b.hasValues; b = b.outer) now += b.values.size();
    if (now != normalValues) normals.clear();
    normalValues = now;
    return f -> normals.computeIfAbsent(f, this::normal);
  }

  private static double sizeAfter(Poly p, Map<Name, Poly> values) {
    double sum = 0;
    for (var t : p.terms().entrySet()) {
      double product = Math.abs((double) t.getValue());
      for (Name x : t.getKey().factors()) {
        Poly v = values.get(x);
        if (v != null) product *= size(v);
      }
      sum += product;
    }
    return sum;
  }

  /** The sum of the coefficients' sizes: at most multiplied by a product of polynomials. */
  private static double size(Poly p) {
    double sum = 0;
    for (long c : p.terms().values()) sum += Math.abs((double) c);
    return sum;
  }

  private @Nullable Poly value(Name x) {
    for (Bounds b = this; b != null && b.hasValues; b = b.outer) {
      Poly v = b.values.get(x);
      if (v != null) return v;
    }
    return null;
  }

  private boolean isNonNegative(Name x) {
    for (Bounds b = this; b != null; b = b.outer) if (b.nonNegative.contains(x)) return true;
    return false;
  }

  /** What the variable is at least, the latest first. */
  List<Poly> lower(Name x) {
    List<Poly> bounds = new ArrayList<>();
    for (Bounds b = this; b != null; b = b.outer) collect(b.atLeast.get(x), bounds);
    if (bounds.size() < BOUNDS_TRIED && isNonNegative(x) && !bounds.contains(Poly.ZERO)) {
      bounds.add(Poly.ZERO);
    }
    return bounds;
  }

  /** What the variable is at most, the latest first. */
  List<Poly> upper(Name x) {
    List<Poly> bounds = new ArrayList<>();
    for (Bounds b = this; b != null; b = b.outer) collect(b.atMost.get(x), bounds);
    return bounds;
  }

  /** The facts about a variable and earlier ones, the latest first. */
  List<Poly> facts(Name last) {
    List<Poly> found = new ArrayList<>();
    UnaryOperator<Poly> normal = normalFacts();
    for (Bounds b = this; b != null; b = b.outer) {
      for (Poly f : b.factsUpTo.getOrDefault(last, List.of()).reversed()) {
        if (found.size() == FACTS_TRIED) return found;
        Poly q = normal.apply(f);
        if (q.constant() == null) found.add(q);
      }
    }
    return found;
  }

  /** Whether something that is known is false: nothing happens here. */
  boolean isContradictory() {
    return isContradictory;
  }

  private void collect(@Nullable List<Poly> more, List<Poly> bounds) {
    if (more == null) return;
    UnaryOperator<Poly> normal = normalFacts();
    for (Poly p : more.reversed()) {
      if (bounds.size() == BOUNDS_TRIED) return;
      Poly q = normal.apply(p);
      if (!bounds.contains(q)) bounds.add(q);
    }
  }

  /** Whether {@code p >= 0} can be proved. */
  public boolean provesNonNegative(Poly p) {
    return isLikeAnIndex(p) && proves(p, new Effort(DEPTH, 1, STEPS, STEPS));
  }

  /**
   * Likewise, in a fortieth of the steps, and fewer the more terms there are: where it is asked
   * often, and mostly of sums of sizes.
   */
  public boolean provesNonNegativeBriefly(Poly p) {
    int steps = STEPS / 40 / Math.max(1, p.terms().size());
    return isLikeAnIndex(p) && proves(p, new Effort(DEPTH, 1, steps, steps));
  }

  /** Whether no term is negative, as it stands. */
  boolean isSumOfNonNegatives(Poly p) {
    return isLikeAnIndex(p) && proves(p, new Effort(0, 0, 0, 0));
  }

  /** Whether {@code a < b} can be proved. */
  public boolean provesLess(Poly a, Poly b) {
    return provesNonNegative(b.minus(a).minus(Poly.ONE));
  }

  /** Whether {@code a <= b} can be proved. */
  public boolean provesAtMost(Poly a, Poly b) {
    return provesNonNegative(b.minus(a));
  }

  /** Whether {@code p >= 0} can be proved, where nothing in it overflows. */
  boolean proves(Poly p, Effort effort) {
    return new Proof(effort).from(normal(p), effort.facts);
  }

  /** Large numbers belong to hashes and random numbers, which do overflow. */
  public static boolean isLikeAnIndex(Poly p) {
    for (var t : p.terms().entrySet()) {
      long most = t.getKey().factors().isEmpty() ? LARGEST_CONSTANT : LARGEST_FACTOR;
      if (t.getValue() > most || t.getValue() < -most) return false;
    }
    return true;
  }

  /** What was tried: variables may be eliminated in many orders, with the same outcome. */
  private record Goal(Poly p, int depth) {}

  /** An attempt to prove something here: what is known of a variable is looked up once. */
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

    /** With so many facts. */
    boolean from(Poly p, int uses) {
      if (prove(p, effort.depth)) return true;
      if (uses == 0 || p.constant() != null) return false;
      int left = FACTS_TRIED;
      UnaryOperator<Poly> normal = normalFacts();
      for (Bounds b = Bounds.this; b != null; b = b.outer) {
        for (Poly fact : b.facts.reversed()) {
          if (left-- == 0 || steps < 0) return false;
          Poly f = normal.apply(fact);
          if (f.terms().size() > p.terms().size() + LARGEST_FACT) continue;
          if (Collections.disjoint(p.variables(), f.variables())) continue;
          for (Poly factor : factors(p, f)) {
            if (from(p.minus(factor.times(f)), uses - 1)) return true;
          }
        }
      }
      return false;
    }

    /** What a fact may be multiplied by, none of it negative, to make up for negative terms. */
    private Set<Poly> factors(Poly p, Poly fact) {
      Set<Poly> factors = new LinkedHashSet<>();
      factors.add(Poly.ONE);
      for (var t : p.terms().entrySet()) {
        if (t.getValue() > 0) continue;
        for (var f : fact.terms().entrySet()) {
          Poly.Product rest = f.getValue() > 0 ? null : t.getKey().without(f.getKey());
          if (rest == null) continue;
          Poly factor = Poly.of(Math.max(1, t.getValue() / f.getValue()));
          for (Name x : rest.factors()) factor = factor.times(Poly.of(x));
          if (isSmall(factor, fact, p) && isSumOfNonNegatives(factor)) factors.add(factor);
        }
      }
      return factors;
    }

    private boolean isNonNegative(Name x) {
      return known.computeIfAbsent(x, Bounds.this::isNonNegative);
    }

    private boolean prove(Poly p, int depth) {
      Long c = p.constant();
      if (c != null) return c >= 0;
      if (isSumOfNonNegatives(p)) return true;
      if (depth == 0 || --steps < 0 || --effort.left < 0 || failed.contains(new Goal(p, depth)))
        return false;
      // Inner variables were named later, and their bounds mention outer ones.
      for (Name x : p.variables().reversed()) if (eliminate(x, p, depth - 1)) return true;
      failed.add(new Goal(p, depth));
      return false;
    }

    private boolean eliminate(Name x, Poly p, int depth) {
      List<Poly> most = upper.computeIfAbsent(x, Bounds.this::upper);
      List<Poly> least = lower.computeIfAbsent(x, Bounds.this::lower);
      if (most.isEmpty() && least.isEmpty()) return false;
      Poly.Division s = p.divide(x);
      Poly c = s.quotient();
      if (isLeftToTheEnd(c, least)) return false;
      if (!most.isEmpty() && prove(c.times(-1), depth)) return proveAt(most, s, depth);
      if (!least.isEmpty() && prove(c, depth)) return proveAt(least, s, depth);
      return !most.isEmpty()
          && !least.isEmpty()
          && c.constant() == null
          && !c.variables().contains(x)
          && proveAt(most.subList(0, 1), s, depth)
          && proveAt(least.subList(0, 1), s, depth);
    }

    /**
     * Whether a variable is a term of its own, and only known to be at least 0: what can be proved
     * without it can be proved with it, since at the end a sum of such terms is not negative. So it
     * need not be tried in all orders in which variables may be eliminated.
     */
    private static boolean isLeftToTheEnd(Poly coefficient, List<Poly> least) {
      Long c = coefficient.constant();
      return c != null && c > 0 && least.size() == 1 && least.get(0).isZero();
    }

    /** Whether some bound of a variable, put in its place, is enough. */
    private boolean proveAt(List<Poly> bounds, Poly.Division s, int depth) {
      for (Poly b : bounds) {
        if (!isSmall(s.quotient(), b, s.remainder())) continue;
        if (prove(s.quotient().times(b).plus(s.remainder()), depth)) return true;
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
  }

  /** Whether {@code a * b + c} has the coefficients that it has without wrapping. */
  private static boolean isSmall(Poly a, Poly b, Poly c) {
    return size(a) * size(b) + size(c) < 0x1p62;
  }
}
