package futharkc.core.ir.symbolic;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Proves that two index functions of one block reach no common position. First by their extent: one
 * ends before the other begins. Else, where both have dimensions of the same strides, none of which
 * reaches into the next greater one, by finding a dimension in which their ranges are apart.
 * (Munksgaard et al., "Memory optimizations in an array language", SC 2022.) It is incomplete:
 * false means only that no proof was found.
 */
public final class NonOverlap {
  private final Bounds bounds;

  /** With what is known of the variables. Sizes of dimensions are taken not to be negative. */
  public NonOverlap(Bounds bounds) {
    this.bounds = bounds;
  }

  /**
   * A dimension counted from its least position: steps 0 to {@code last}, a positive stride apart.
   */
  private record Extent(Poly stride, Poly last) {}

  /** Positions {@code least + sum of steps}. */
  private record Region(Poly least, List<Extent> extents) {
    Poly greatest() {
      Poly g = least;
      for (Extent e : extents) g = g.plus(e.stride.times(e.last));
      return g;
    }
  }

  /** The range of steps along a stride, both ends included. */
  private record Range(Poly from, Poly to) {}

  /** Whether the two are proved to have no position in common. */
  public boolean disjoint(Lmad a, Lmad b) {
    Region ra = region(a);
    Region rb = region(b);
    if (ra == null || rb == null) return false;
    return bounds.provesLess(ra.greatest(), rb.least)
        || bounds.provesLess(rb.greatest(), ra.least)
        || apartInADimension(ra, rb);
  }

  /** With strides made positive; null if the sign of one is not known. */
  private @Nullable Region region(Lmad l) {
    Poly least = l.offset();
    List<Extent> extents = new ArrayList<>();
    for (Lmad.Dim d : l.dims()) {
      if (d.size().isInt(1)) continue;
      Poly last = Poly.of(d.size()).minus(Poly.ONE);
      if (bounds.provesNonNegative(d.stride())) {
        if (!d.stride().isZero()) extents.add(new Extent(d.stride(), last));
      } else if (bounds.provesNonNegative(d.stride().times(-1))) {
        least = least.plus(d.stride().times(last));
        extents.add(new Extent(d.stride().times(-1), last));
      } else {
        return null;
      }
    }
    return new Region(least, extents);
  }

  private boolean apartInADimension(Region a, Region b) {
    List<Poly> strides = strides(a, b);
    if (strides == null) return false;
    List<Range> ra = ranges(a, strides);
    List<Range> rb = ranges(b, strides);
    if (!isNested(ra, strides) || !isNested(rb, strides)) return false;
    for (int i = 0; i < strides.size(); i++) {
      if (bounds.provesLess(ra.get(i).to, rb.get(i).from)
          || bounds.provesLess(rb.get(i).to, ra.get(i).from)) {
        return true;
      }
    }
    return false;
  }

  /** The strides of both, the greatest first, and 1; null if they cannot be ordered. */
  private @Nullable List<Poly> strides(Region a, Region b) {
    List<Poly> ordered = new ArrayList<>();
    List<Extent> all = new ArrayList<>(a.extents);
    all.addAll(b.extents);
    all.add(new Extent(Poly.ONE, Poly.ZERO));
    for (Extent e : all) {
      if (ordered.contains(e.stride)) continue;
      int at = 0;
      while (at < ordered.size() && bounds.provesNonNegative(ordered.get(at).minus(e.stride))) at++;
      for (Poly smaller : ordered.subList(at, ordered.size())) {
        if (!bounds.provesNonNegative(e.stride.minus(smaller))) return null;
      }
      ordered.add(at, e.stride);
    }
    return ordered;
  }

  /**
   * Distributes the least position over the strides, the greatest first, and adds the steps of the
   * region.
   */
  private static List<Range> ranges(Region r, List<Poly> strides) {
    Poly rest = r.least;
    List<Range> ranges = new ArrayList<>();
    for (Poly stride : strides) {
      Poly steps = quotient(rest, stride);
      rest = rest.minus(steps.times(stride));
      Poly to = steps;
      for (Extent e : r.extents) if (e.stride.equals(stride)) to = to.plus(e.last);
      ranges.add(new Range(steps, to));
    }
    return ranges;
  }

  /**
   * The sum of those terms, divided, that a stride of one term divides without remainder; zero for
   * other strides.
   */
  private static Poly quotient(Poly p, Poly stride) {
    if (stride.terms().size() != 1) return Poly.ZERO;
    Map.Entry<Poly.Product, Long> term = stride.terms().entrySet().iterator().next();
    Poly.Product divisor = term.getKey();
    long factor = term.getValue();
    Poly sum = Poly.ZERO;
    for (var t : p.terms().entrySet()) {
      List<Name> rest = new ArrayList<>(t.getKey().factors());
      boolean divides = t.getValue() % factor == 0;
      for (Name n : divisor.factors()) divides = divides && rest.remove(n);
      if (!divides) continue;
      Poly q = Poly.of(t.getValue() / factor);
      for (Name n : rest) q = q.times(Poly.of(n));
      sum = sum.plus(q);
    }
    return sum;
  }

  /**
   * Whether all steps are at least 0, and those of smaller strides never add up to a greater one.
   */
  private boolean isNested(List<Range> ranges, List<Poly> strides) {
    Poly inner = Poly.ZERO;
    for (int i = strides.size() - 1; i >= 0; i--) {
      if (!bounds.provesNonNegative(ranges.get(i).from)) return false;
      if (i < strides.size() - 1 && !bounds.provesLess(inner, strides.get(i))) return false;
      inner = inner.plus(strides.get(i).times(ranges.get(i).to));
    }
    return true;
  }
}
