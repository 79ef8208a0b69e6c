package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The index space of a kernel's results, with new names for the indices.
 *
 * @param dimensions the dimensions, outermost first
 * @param flat the values of the kernel's flat indices, as polynomials over the dimensions' indices
 */
record ResultSpace(List<Dimension> dimensions, Map<Name, Poly> flat) {
  /**
   * A dimension.
   *
   * @param index a new name for the index
   * @param extent the size of the dimension
   */
  record Dimension(Name index, Poly extent) {}

  /** Returns the dimensions of a kernel; null if there are fewer than two. */
  static @Nullable ResultSpace of(Code.Launch launch, NameSource names) {
    if (launch.space().size() < 2) {
      return null;
    }
    List<Dimension> dimensions = new ArrayList<>();
    Map<Name, Poly> flat = new LinkedHashMap<>();
    Poly value = Poly.ZERO;
    for (Code.Dimension d : launch.space()) {
      Name index = names.fresh("index");
      dimensions.add(new Dimension(index, d.extent()));
      value = value.times(d.extent()).plus(Poly.of(index));
      flat.put(d.flat(), value);
    }
    return new ResultSpace(List.copyOf(dimensions), flat);
  }

  /**
   * Returns the loop's index as the only dimension, followed by the kernel's dimensions if there
   * are several.
   */
  static List<ResultSpace> flatFirst(Code.Launch launch, Code.Strided loop, NameSource names) {
    Dimension all = new Dimension(names.fresh("index"), loop.to().polynomial());
    ResultSpace flat = new ResultSpace(List.of(all), Map.of(loop.index(), Poly.of(all.index)));
    ResultSpace several = of(launch, names);
    return several == null ? List.of(flat) : List.of(flat, several);
  }

  /** Returns the number of results. */
  Poly size() {
    return dimensions.stream().map(Dimension::extent).reduce(Poly.ONE, Poly::times);
  }
}
