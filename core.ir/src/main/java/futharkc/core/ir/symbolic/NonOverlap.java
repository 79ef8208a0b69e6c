package futharkc.core.ir.symbolic;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A prover that two LMADs of one block are disjoint. If they overlapped, there would be an index
 * for each such that the difference of the two offsets is 0. The prover refutes this equation
 * similarly to column addition of digits.
 *
 * <p>For a stride {@code n}, it splits an equation {@code a*n + b = 0} into {@code a = -c} and
 * {@code b = c*n} with a carry {@code c}. Few carries are possible, since {@code b} is a sum of
 * smaller steps. For each carry, the prover refutes both equations: because a side is never 0,
 * because of a common divisor, or after solving one equation for a step and substituting the
 * solution into the others.
 *
 * <p>For example, {@code i*n + j} and {@code i'*n + n + j'} with {@code j} and {@code j'} below
 * {@code n} are disjoint if {@code i <= i'}: the carry must be 0, and {@code i - i' - 1} is never
 * 0.
 *
 * <p>The prover is incomplete and stops after a bounded number of steps: false means only that it
 * found no proof. (It covers the aligned dimensions of Munksgaard et al., "Memory optimizations in
 * an array language", SC 2022, without their splitting of dimensions or an external solver.)
 */
public final class NonOverlap {
  /** The maximum number of equations that are split in sequence. */
  private static final int DEPTH = 8;

  /** The maximum number of cases in a proof. */
  private static final int CASES = 60;

  /** The maximum number of distinct carries. */
  private static final int CARRIES = 3;

  private final Bounds bounds;
  private final int cases;
  private final Bounds.Effort effort;

  /** Makes a prover from known facts about variables. Offsets are assumed not to overflow. */
  public NonOverlap(Bounds bounds) {
    this(bounds, CASES, new Bounds.Effort(14, 2, 120, 5_000));
  }

  NonOverlap(Bounds bounds, int cases, Bounds.Effort effort) {
    this.bounds = bounds;
    this.cases = cases;
    this.effort = effort;
  }

  /** Returns a prover with small limits, for frequent queries whose proofs are short. */
  public static NonOverlap brief(Bounds bounds) {
    return new NonOverlap(bounds, CASES / 4, new Bounds.Effort(10, 1, 40, 400));
  }

  /** Tests whether the two LMADs are proved to be disjoint. */
  public boolean disjoint(Lmad a, Lmad b) {
    return isBehind(a, b) || isBehind(b, a) || new Refutation(a, b).succeeds(a, b);
  }

  /**
   * Tests whether the first LMAD ends before the second begins, by signs of terms only. This quick
   * test covers most comparisons between slices of one array.
   */
  private boolean isBehind(Lmad a, Lmad b) {
    Poly gap = b.offset().minus(a.offset()).minus(Poly.ONE);
    for (Lmad.Dim d : a.dims()) {
      if (!bounds.isSumOfNonNegatives(d.stride())) {
        return false;
      }
      gap = gap.minus(Poly.of(d.size()).minus(Poly.ONE).times(d.stride()));
    }
    for (Lmad.Dim d : b.dims()) {
      if (!bounds.isSumOfNonNegatives(d.stride())) {
        return false;
      }
    }
    return bounds.isSumOfNonNegatives(gap);
  }

  /**
   * Tests whether the two LMADs share an offset for some small values that satisfy the known facts.
   * False means only that no such values were found.
   *
   * @param within further LMADs that must contain the offset
   */
  public boolean overlaps(Lmad a, Lmad b, List<Lmad> within) {
    return new Refutation(a, b).overlaps(a, b, within);
  }

  /**
   * Tests whether the LMAD is proved to map different indices to different offsets. The proof shows
   * that the stride of each dimension exceeds the combined extent of all dimensions with smaller
   * strides.
   */
  public boolean isInjective(Lmad l) {
    List<Lmad.Dim> dims = new ArrayList<>(l.dims());
    dims.removeIf(d -> d.size().isInt(1));
    dims.sort(Comparator.comparing(d -> d.stride().magnitude()));
    Poly reached = Poly.ZERO;
    for (Lmad.Dim d : dims) {
      Poly stride = d.stride().magnitude();
      if (!bounds.provesLess(reached, stride)) {
        return false;
      }
      reached = reached.plus(stride.times(Poly.of(d.size()).minus(Poly.ONE)));
    }
    return true;
  }

  /** A refutation of the equation between two offsets, with one step variable per dimension. */
  private final class Refutation {
    private final Set<Name> steps = new LinkedHashSet<>();
    private final Bounds here = new Bounds(bounds);
    private final List<Poly> inRange = new ArrayList<>();
    private final Poly difference;
    private int cases = NonOverlap.this.cases;

    Refutation(Lmad a, Lmad b) {
      this.difference = position(a).minus(position(b));
    }

    private Poly position(Lmad l) {
      Poly at = l.offset();
      for (Lmad.Dim d : l.dims()) {
        Poly size = Poly.of(d.size());
        Poly last = size.minus(Poly.ONE);
        inRange.add(last);
        if (d.size().isInt(1) || d.stride().isZero()) {
          continue;
        }
        Name step = new Name("step", Integer.MAX_VALUE - steps.size());
        steps.add(step);
        here.addIndex(step, size);
        inRange.add(Poly.of(step));
        inRange.add(last.minus(Poly.of(step)));
        at = at.plus(Poly.of(step).times(d.stride()));
      }
      return at;
    }

    private Samples samples(List<Lmad> within) {
      for (Poly p : inRange) {
        here.assume(p);
      }
      List<Poly> all = new ArrayList<>(inRange);
      all.add(difference);
      for (Lmad l : within) {
        all.add(l.offset());
        for (Lmad.Dim d : l.dims()) {
          all.addAll(List.of(d.stride(), Poly.of(d.size())));
        }
      }
      return Samples.of(all, here);
    }

    boolean overlaps(Lmad a, Lmad b, List<Lmad> within) {
      return samples(within).overlap(a, b, within, here);
    }

    boolean succeeds(Lmad a, Lmad b) {
      Samples samples = samples(List.of());
      return !samples.overlap(a, b, List.of(), here)
          && refute(List.of(difference), new Known(here, samples), DEPTH);
    }

    /** The facts in a case, and sample values that satisfy them. */
    private record Known(Bounds bounds, Samples samples) {}

    private boolean proves(Poly atLeastZero, Known known, Bounds.Effort effort) {
      Poly p = known.bounds.normal(atLeastZero);
      return known.samples.agree(p) && known.bounds.proves(p, effort);
    }

    /** Tests whether it is impossible that all polynomials are 0. */
    private boolean refute(List<Poly> all, Known known, int depth) {
      if (--cases < 0) {
        return false;
      }
      List<Poly> zeros = new ArrayList<>();
      for (Poly p : all) {
        Poly z = primitive(known.bounds.normal(p), known);
        if (z == null || isNever(z, known)) {
          return true;
        }
        if (!z.isZero() && !zeros.contains(z)) {
          zeros.add(z);
        }
      }
      for (Poly p : inRange) {
        if (proves(less(p, Poly.ZERO), known, effort)) {
          return true;
        }
      }
      if (depth == 0 || zeros.isEmpty()) {
        return false;
      }
      Cut cut = null;
      for (int i = 0; i < zeros.size() && (cut == null || cut.carries() > 1); i++) {
        Cut c = cut(i, zeros.get(i), known);
        if (c != null && (cut == null || c.carries() < cut.carries())) {
          cut = c;
        }
      }
      if (cut != null && cut.carries() <= 1) {
        return refute(zeros, cut, known, depth);
      }
      Solution solution = solution(zeros, known, true);
      if (solution == null && cut != null) {
        return refute(zeros, cut, known, depth);
      }
      if (solution == null) {
        solution = solution(zeros, known, false);
      }
      return solution != null && refute(without(zeros, solution.of), solution.known, depth - 1);
    }

    /** Refutes the split equation for each possible carry. */
    private boolean refute(List<Poly> zeros, Cut cut, Known known, int depth) {
      for (long c = cut.from; c <= cut.to; c++) {
        List<Poly> next = without(zeros, cut.of);
        next.add(cut.quotient.plus(Poly.of(c)));
        next.add(cut.remainder.minus(cut.divisor.times(c)));
        if (!refute(next, known, depth - 1)) {
          return false;
        }
      }
      return true;
    }

    private static List<Poly> without(List<Poly> all, int at) {
      List<Poly> rest = new ArrayList<>(all);
      rest.remove(at);
      return rest;
    }

    private boolean isNever(Poly p, Known known) {
      return proves(less(Poly.ZERO, p), known, effort) || proves(less(p, Poly.ZERO), known, effort);
    }

    /**
     * Removes common factors that are not 0. Returns null if divisibility shows that the polynomial
     * is never 0.
     */
    private @Nullable Poly primitive(Poly p, Known known) {
      if (p.isZero()) {
        return p;
      }
      long common = 0;
      long constant = 0;
      for (var t : p.terms().entrySet()) {
        if (t.getKey().factors().isEmpty()) {
          constant = t.getValue();
        } else {
          common = gcd(common, t.getValue());
        }
      }
      if (common == 0 || constant % common != 0) {
        return null;
      }
      Poly q = p.divide(Poly.of(common)).quotient();
      for (Name x : q.content().factors()) {
        if (isPositive(Poly.of(x), known)) {
          q = q.divide(x).quotient();
        }
      }
      return q;
    }

    /**
     * An equation solved for a variable, with the resulting facts.
     *
     * @param of the position of the equation
     */
    private record Solution(int of, Known known) {}

    /**
     * Solves an equation for a variable.
     *
     * @param linear true to require that all variables of the equation have constant coefficients
     */
    private @Nullable Solution solution(List<Poly> zeros, Known known, boolean linear) {
      for (int i = 0; i < zeros.size(); i++) {
        Poly zero = zeros.get(i);
        if (linear && !isLinear(zero)) {
          continue;
        }
        for (Name x : zero.variables().reversed()) {
          Poly c = zero.divide(x).quotient();
          if (!c.magnitude().equals(Poly.ONE)) {
            continue;
          }
          Bounds solved = new Bounds(known.bounds);
          solved.assumeValue(x, Poly.of(x).minus(zero.times(c)));
          List<Poly> ranges = inRange.stream().map(solved::normal).toList();
          return new Solution(i, new Known(solved, known.samples.where(ranges)));
        }
      }
      return null;
    }

    private static boolean isLinear(Poly p) {
      return p.terms().keySet().stream().allMatch(t -> t.factors().size() <= 1);
    }

    // Splits of equations

    /**
     * A split {@code quotient * divisor + remainder = 0}, in which the remainder is between {@code
     * from} and {@code to} divisors.
     */
    private record Cut(int of, Poly divisor, Poly quotient, Poly remainder, long from, long to) {
      long carries() {
        return Math.max(0, to - from + 1);
      }
    }

    /** Returns the split of an equation with the fewest carries, or null if there is none. */
    private @Nullable Cut cut(int of, Poly zero, Known known) {
      Cut best = null;
      for (Poly divisor : divisors(zero)) {
        if (!isPositive(divisor, known)) {
          continue;
        }
        Poly.Division d = zero.divide(divisor);
        if (d.quotient().constant() != null) {
          continue;
        }
        Cut c = carries(of, divisor, d, known);
        if (c == null || (best != null && best.carries() <= c.carries())) {
          continue;
        }
        best = c;
        if (c.carries() <= 1) {
          return c;
        }
      }
      return best;
    }

    /** Returns a split with the range of its carries, or null if there are too many carries. */
    private @Nullable Cut carries(int of, Poly divisor, Poly.Division d, Known known) {
      Poly r = d.remainder();
      Long least = bound(r, divisor, known);
      if (least == null) {
        return null;
      }
      Long most = bound(r.times(-1), divisor, known);
      if (most == null || -most - least >= CARRIES) {
        return null;
      }
      return new Cut(of, divisor, d.quotient(), r, least, -most);
    }

    /**
     * Returns the greatest small {@code c} for which {@code multiple >= c * divisor} is proved, or
     * null.
     */
    private @Nullable Long bound(Poly multiple, Poly divisor, Known known) {
      long c = 0;
      while (c > -CARRIES && !isMoreThan(multiple, divisor.times(c - 1), known)) {
        c--;
      }
      if (c == -CARRIES) {
        return null;
      }
      while (c >= 0 && c < CARRIES && isMoreThan(multiple, divisor.times(c), known)) {
        c++;
      }
      return c;
    }

    private boolean isMoreThan(Poly a, Poly b, Known known) {
      return proves(less(b, a), known, effort);
    }

    private boolean isPositive(Poly p, Known known) {
      Long c = p.constant();
      return c != null ? c > 0 : isMoreThan(p, Poly.ZERO, known);
    }

    /**
     * Returns candidate divisors, greatest first: the coefficients of step variables and their
     * factors, then those of other variables.
     */
    private Set<Poly> divisors(Poly p) {
      Set<Poly> all = new LinkedHashSet<>(divisors(p, true));
      all.addAll(divisors(p, false));
      return all;
    }

    private List<Poly> divisors(Poly p, boolean ofSteps) {
      List<Poly> found = new ArrayList<>();
      for (Name x : p.variables()) {
        if (steps.contains(x) != ofSteps) {
          continue;
        }
        Poly c = p.divide(x).quotient().magnitude();
        Poly content = Poly.of(c.content(), 1);
        Poly rest = c.divide(content).quotient();
        found.add(c);
        found.add(rest);
        found.add(content);
        for (Name y : c.content().factors()) {
          found.add(Poly.of(y));
        }
        found.add(Poly.of(rest.terms().lastKey(), 1));
      }
      found.removeIf(f -> f.equals(Poly.ONE));
      found.sort(Comparator.reverseOrder());
      return found;
    }
  }

  private static Poly less(Poly a, Poly b) {
    return b.minus(a).minus(Poly.ONE);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? Math.abs(a) : gcd(b, a % b);
  }
}
