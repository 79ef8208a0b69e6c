package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dimensions, outermost first, that a loop combines into one index.
 *
 * @param dimensions the dimensions
 * @param flat the value of the loop index, and of its quotients by inner dimensions, as polynomials
 *     over the dimensions' indices
 */
record IndexSpace(List<Dimension> dimensions, Map<Name, Poly> flat) {
  /**
   * A dimension.
   *
   * @param index a new name for the index
   * @param extent the size of the dimension
   */
  record Dimension(Name index, Poly extent) {}

  /**
   * Returns the dimensions of a loop whose body divides its index by their sizes.
   *
   * @param inside the names that the kernel declares, on which no size depends
   * @return null if there are fewer than two dimensions
   */
  static @Nullable IndexSpace of(
      Code.Strided loop, List<Code> body, Set<Name> inside, NameSource names) {
    Poly outermost = loop.to().poly();
    if (outermost == null || outermost.mentions(inside)) {
      return null;
    }
    List<Name> quotients = new ArrayList<>(List.of(loop.index()));
    List<Poly> lengths = new ArrayList<>();
    Poly inner = Poly.ONE;
    for (Code c : body) {
      Poly length = c instanceof Code.Declare d ? divisor(d, quotients.getLast()) : null;
      if (length == null || length.mentions(inside)) {
        continue;
      }
      quotients.add(((Code.Declare) c).name());
      lengths.add(length);
      inner = inner.times(length);
    }
    if (lengths.isEmpty() || inner.isZero()) {
      return null;
    }
    Poly.Division division = outermost.divide(inner);
    if (!division.remainder().isZero()) {
      return null;
    }
    lengths.add(division.quotient());
    List<Dimension> dimensions = new ArrayList<>();
    for (Poly length : lengths.reversed()) {
      dimensions.add(new Dimension(names.fresh("index"), length));
    }
    Map<Name, Poly> flat = new LinkedHashMap<>();
    Poly value = Poly.ZERO;
    for (int i = 0; i < dimensions.size(); i++) {
      Dimension d = dimensions.get(i);
      value = value.times(d.extent).plus(Poly.of(d.index));
      flat.put(quotients.get(dimensions.size() - 1 - i), value);
    }
    return new IndexSpace(List.copyOf(dimensions), flat);
  }

  /**
   * Returns the loop's index as the only dimension, followed by its dimensions if there are
   * several.
   *
   * @param inside the names that the kernel declares, on which no size depends
   */
  static List<IndexSpace> flatFirst(
      Code.Strided loop, List<Code> body, Set<Name> inside, NameSource names) {
    Poly extent = loop.to().poly();
    if (extent == null || extent.mentions(inside)) {
      return List.of();
    }
    Dimension all = new Dimension(names.fresh("index"), extent);
    IndexSpace flat = new IndexSpace(List.of(all), Map.of(loop.index(), Poly.of(all.index)));
    IndexSpace several = of(loop, body, inside, names);
    return several == null ? List.of(flat) : List.of(flat, several);
  }

  /**
   * Returns the divisor of a declaration that divides the given variable; null for other
   * declarations.
   */
  private static @Nullable Poly divisor(Code.Declare d, Name dividend) {
    return d.value() instanceof Expr.Binary b
            && b.op().kind() == BinOp.Kind.SQUOT
            && Poly.of(dividend).equals(b.left().poly())
        ? b.right().poly()
        : null;
  }

  /** Returns the number of results. */
  Poly size() {
    return dimensions.stream().map(Dimension::extent).reduce(Poly.ONE, Poly::times);
  }
}
