package futharkc.pass.memorymerge;

import futharkc.core.ir.Lmad;
import futharkc.core.ir.Poly;
import futharkc.core.ir.memory.ScalarValues;
import futharkc.core.ir.symbolic.Bounds;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Parts of blocks without gaps whose length is a multiple of one product of sizes, which is then
 * the unit that they are measured in: {@code b + 3*m + {2: m, m: 1}} takes two units {@code m} from
 * the third on, counted from the base {@code b}. Two parts with one base and one unit are told
 * apart by their numbers alone. Such are the rows of a matrix and the pieces of an array of which
 * one after the other is written; where there are many, each is compared with all others.
 */
final class DenseParts {
  private final ScalarValues values;
  private final Map<Lmad, Optional<Part>> parts = new IdentityHashMap<>();
  private final Map<Poly, Poly> bases = new HashMap<>();
  private final Map<Poly.Product, Poly.Product> products = new HashMap<>();

  DenseParts(ScalarValues values) {
    this.values = values;
  }

  /**
   * From a base on, in units: the elements from the start to before the end.
   *
   * @param period after how many units the same is part of it, too; 0 if it does not come again
   */
  record Part(Poly base, Poly.Product unit, long start, long end, long period) {
    /** Whether numbers tell it apart from another part. */
    boolean isLike(Part other) {
      return base == other.base && unit == other.unit && period == other.period;
    }
  }

  /** Whether this shows that two parts of one block have nothing in common. */
  boolean areDisjoint(Lmad a, Lmad b) {
    Part x = of(a);
    Part y = of(b);
    return x != null && y != null && x.isLike(y) && (x.end <= y.start || y.end <= x.start);
  }

  /** Null if it is not dense, or not known to be. */
  @Nullable Part of(Lmad l) {
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
      if (d.size().isInt(1)) continue;
      Poly stride = values.expand(d.stride());
      if (stride.equals(length)) {
        length = length.times(values.expand(Poly.of(d.size())));
        continue;
      }
      if (again == null) again = stride;
      if (again.terms().size() != 1 || !Bounds.isLikeAnIndex(stride)) return null;
      if (!stride.divide(again).remainder().isZero()) return null;
    }
    if (length.terms().size() != 1) return null;
    Poly.Product unit = length.terms().firstKey();
    long units = length.terms().getOrDefault(unit, 0L);
    Poly offset = values.expand(l.offset());
    long start = offset.terms().getOrDefault(unit, 0L);
    if (units <= 0 || !Bounds.isLikeAnIndex(length) || !Bounds.isLikeAnIndex(offset)) return null;
    Poly base = offset.minus(Poly.of(unit, start));
    long period = 0;
    if (again != null) {
      period = again.terms().getOrDefault(unit, 0L);
      if (period <= 0) return null;
      start = Math.floorMod(start, period);
      if (start + units > period) return null;
    }
    return new Part(
        bases.computeIfAbsent(base, b -> b),
        products.computeIfAbsent(unit, u -> u),
        start,
        start + units,
        period);
  }
}
