package futharkc.core.ir.memory;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Poly;
import futharkc.core.ir.symbolic.Bounds;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A numbering of contiguous regions of blocks whose length is a multiple of a unit, which is a
 * product of sizes: {@code b + 3*m + {2: m, m: 1}} consists of the units 3 and 4 of length {@code
 * m} from the base {@code b}. Two regions with equal base and unit are comparable by their numbers.
 * Rows of a matrix, and consecutively written slices of an array, are such regions. If there are
 * many, the numbers avoid a proof for each pair.
 */
public final class DenseParts {
  private final ScalarValues values;
  private final Map<Lmad, Optional<Part>> parts = new IdentityHashMap<>();
  private final Map<Poly, Poly> bases = new HashMap<>();
  private final Map<Poly.Product, Poly.Product> products = new HashMap<>();

  DenseParts(ScalarValues values) {
    this.values = values;
  }

  /**
   * A region from unit {@code start} to unit {@code end} (exclusive), relative to a base.
   *
   * @param period the distance in units at which the region repeats; 0 if it does not repeat
   */
  public record Part(Poly base, Poly.Product unit, long start, long end, long period) {
    /** Tests whether two regions are comparable by their numbers. */
    public boolean isLike(Part other) {
      return base == other.base && unit == other.unit && period == other.period;
    }
  }

  /** Tests whether the numbers prove two regions of one block to be disjoint. */
  public boolean areDisjoint(Lmad a, Lmad b) {
    Part x = of(a);
    Part y = of(b);
    return x != null && y != null && x.isLike(y) && (x.end <= y.start || y.end <= x.start);
  }

  /** Returns the numbers of a region; null if it is not known to be dense. */
  public @Nullable Part of(Lmad l) {
    Optional<Part> known = parts.get(l);
    if (known == null) {
      known = Optional.ofNullable(part(l));
      parts.put(l, known);
    }
    return known.orElse(null);
  }

  private @Nullable Part part(Lmad l) {
    Poly length = Poly.ONE;
    Poly again = null;
    for (Lmad.Dim d : l.dims().reversed()) {
      if (d.size().isInt(1)) {
        continue;
      }
      Poly stride = values.expand(d.stride());
      if (stride.equals(length)) {
        length = length.times(values.expand(Poly.of(d.size())));
        continue;
      }
      if (again == null) {
        again = stride;
      }
      if (again.terms().size() != 1 || !Bounds.isLikeAnIndex(stride)) {
        return null;
      }
      if (!stride.divide(again).remainder().isZero()) {
        return null;
      }
    }
    if (length.terms().size() != 1) {
      return null;
    }
    Poly.Product unit = length.terms().firstKey();
    long units = length.terms().getOrDefault(unit, 0L);
    Poly offset = values.expand(l.offset());
    long start = offset.terms().getOrDefault(unit, 0L);
    if (units <= 0 || !Bounds.isLikeAnIndex(length) || !Bounds.isLikeAnIndex(offset)) {
      return null;
    }
    Poly base = offset.minus(Poly.of(unit, start));
    long period = 0;
    if (again != null) {
      period = again.terms().getOrDefault(unit, 0L);
      if (period <= 0) {
        return null;
      }
      start = Math.floorMod(start, period);
      if (start + units > period) {
        return null;
      }
    }
    return new Part(
        bases.computeIfAbsent(base, b -> b),
        products.computeIfAbsent(unit, u -> u),
        start,
        start + units,
        period);
  }
}
