package futharkc.core.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A linear memory access descriptor: index {@code (i, j, ...)} has the element offset {@code offset
 * + i * stride_0 + j * stride_1 + ...}. (Hoeflinger, Paek and Yi, "Unified interprocedural
 * parallelism detection", 2001.)
 */
public record Lmad(Poly offset, List<Dim> dims) {
  public Lmad {
    dims = List.copyOf(dims);
  }

  /**
   * One dimension: the distance between neighbouring indices in elements, and the number of
   * indices.
   */
  public record Dim(Poly stride, SubExp size) {}

  /** Returns the row-major layout from offset 0. */
  public static Lmad rowMajor(List<SubExp> shape) {
    return rowMajor(Poly.ZERO, shape);
  }

  /** Returns the row-major layout from an offset. */
  public static Lmad rowMajor(Poly offset, List<SubExp> shape) {
    return new Lmad(offset, split(Poly.ONE, shape));
  }

  /**
   * Returns a contiguous layout from an offset, with the dimensions in the given order, greatest
   * stride first. The order 0, 1, 2, ... is row-major.
   */
  public static Lmad ordered(Poly offset, List<SubExp> shape, List<Integer> order) {
    return rowMajor(offset, order.stream().map(shape::get).toList()).permute(inverse(order));
  }

  /** Returns the inverse of a permutation. */
  public static List<Integer> inverse(List<Integer> perm) {
    Integer[] inverse = new Integer[perm.size()];
    for (int i = 0; i < perm.size(); i++) {
      inverse[perm.get(i)] = i;
    }
    return Arrays.asList(inverse);
  }

  /** Returns the sizes of the dimensions. */
  public List<SubExp> shape() {
    return sizes(dims);
  }

  // Layout

  /** Tests whether this layout is row-major and contiguous, from any offset. */
  public boolean isContiguous() {
    return equidistant(dims, Poly.ONE) != null;
  }

  /** Tests whether this layout is row-major and contiguous, from offset 0. */
  public boolean isDirect() {
    return offset.isZero() && isContiguous();
  }

  /**
   * Tests whether this layout is row-major and contiguous from offset 0 for some values of the
   * symbolic sizes. The result is false if a constant offset or stride differs, or if the layout is
   * contiguous in another order of dimensions.
   */
  public boolean mayBeDirect() {
    if (isNeverZero(offset)) {
      return false;
    }
    List<Integer> order = order();
    if (order != null) {
      return IntStream.range(0, order.size()).allMatch(i -> order.get(i) == i);
    }
    Poly stride = Poly.ONE;
    for (Dim d : dims.reversed()) {
      if (isNeverZero(d.stride.minus(stride))) {
        return false;
      }
      stride = stride.times(Poly.of(d.size));
    }
    return true;
  }

  private static boolean isNeverZero(Poly p) {
    Long c = p.constant();
    return c != null && c != 0;
  }

  /**
   * Returns the order of dimensions, greatest stride first, in which this layout is contiguous, or
   * null if there is none. The result is 0, 1, 2, ... if that order fits.
   */
  public @Nullable List<Integer> order() {
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < dims.size(); i++) {
      rest.add(i);
    }
    List<Integer> order = new ArrayList<>();
    Poly stride = Poly.ONE;
    while (!rest.isEmpty()) {
      int at = rest.size() - 1;
      while (at >= 0 && !isStep(dims.get(rest.get(at)), stride)) {
        at--;
      }
      if (at < 0) {
        return null;
      }
      Dim next = dims.get(rest.get(at));
      order.add(rest.remove(at));
      stride = stride.times(Poly.of(next.size));
    }
    Collections.reverse(order);
    return order;
  }

  private static boolean isStep(Dim d, Poly stride) {
    return d.stride.equals(stride) || d.size.isInt(1);
  }

  // Offsets of indices

  /** Returns the element offset of an index. */
  public Poly index(List<Poly> indices) {
    Poly at = offset;
    for (int i = 0; i < indices.size(); i++) {
      at = at.plus(indices.get(i).times(dims.get(i).stride));
    }
    return at;
  }

  // Views of the same elements or of a subset

  /**
   * Permutes the dimensions: dimension i of the result is dimension {@code perm.get(i)} of this
   * layout. Permuting the result by the {@linkplain #inverse inverse} restores this layout.
   */
  public Lmad permute(List<Integer> perm) {
    return new Lmad(offset, perm.stream().map(dims::get).toList());
  }

  /** Returns the layout of the elements that a slice selects, in the slice's shape. */
  public Lmad slice(Slice slice) {
    Poly at = offset;
    List<Dim> kept = new ArrayList<>();
    for (int i = 0; i < dims.size(); i++) {
      Poly stride = dims.get(i).stride;
      switch (slice.dims().get(i)) {
        case Slice.Fix f -> at = at.plus(Poly.of(f.index()).times(stride));
        case Slice.Range r -> {
          at = at.plus(Poly.of(r.start()).times(stride));
          kept.add(new Dim(stride.times(Poly.of(r.stride())), r.count()));
        }
      }
    }
    return new Lmad(at, kept);
  }

  /** Returns the layout of the elements that a flat slice of a one-dimensional array selects. */
  public Lmad flatSlice(FlatSlice slice) {
    Poly stride = dims.get(0).stride;
    List<Dim> kept = new ArrayList<>();
    for (FlatSlice.Dim d : slice.dims()) {
      kept.add(new Dim(Poly.of(d.stride()).times(stride), d.count()));
    }
    return new Lmad(offset.plus(Poly.of(slice.offset()).times(stride)), kept);
  }

  /**
   * Replaces the names of sizes by others with the same values. The strides of a contiguous layout
   * then use the new names, too.
   */
  public Lmad coerce(List<SubExp> shape) {
    List<Integer> order = order();
    if (order != null) {
      return ordered(offset, shape, order);
    }
    List<Dim> renamed = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      renamed.add(new Dim(dims.get(i).stride, shape.get(i)));
    }
    return new Lmad(offset, renamed);
  }

  /**
   * Returns the layout of the same elements in another shape, in the same row-major order, or null
   * if no LMAD describes it. Dimensions are merged only if their elements are equidistant. If
   * reshaping back succeeds, it restores this layout.
   */
  public @Nullable Lmad reshape(List<SubExp> shape) {
    for (Dim d : dims) {
      if (d.size.isInt(0)) {
        return rowMajor(offset, shape);
      }
    }
    if (isContiguous()) {
      return rowMajor(offset, shape);
    }
    List<Dim> front = new ArrayList<>();
    List<Dim> old = dims;
    List<SubExp> now = shape;
    for (Runs r = Runs.of(sizes(old), now); r != null; r = Runs.of(sizes(old), now)) {
      Poly stride = equidistant(old.subList(0, r.a), null);
      if (stride == null) {
        return null;
      }
      front.addAll(split(stride, now.subList(0, r.b)));
      old = old.subList(r.a, old.size());
      now = now.subList(r.b, now.size());
    }
    List<Dim> back = new ArrayList<>();
    for (Runs r = Runs.of(sizes(old).reversed(), now.reversed());
        r != null;
        r = Runs.of(sizes(old).reversed(), now.reversed())) {
      int a = old.size() - r.a;
      int b = now.size() - r.b;
      Poly stride = equidistant(old.subList(a, old.size()), null);
      if (stride == null) {
        return null;
      }
      back.addAll(0, split(stride, now.subList(b, now.size())));
      old = old.subList(0, a);
      now = now.subList(0, b);
    }
    Poly stride = equidistant(old, null);
    if (stride == null) {
      return null;
    }
    front.addAll(split(stride, now));
    front.addAll(back);
    return new Lmad(offset, front);
  }

  private static List<SubExp> sizes(List<Dim> dims) {
    return dims.stream().map(Dim::size).toList();
  }

  /** The lengths of the shortest prefixes of two shapes that have equal element counts. */
  private record Runs(int a, int b) {
    static @Nullable Runs of(List<SubExp> as, List<SubExp> bs) {
      Poly left = Poly.ONE;
      for (int i = 0; i <= as.size(); i++) {
        if (i > 0) {
          left = left.times(Poly.of(as.get(i - 1)));
        }
        Poly right = Poly.ONE;
        for (int k = 0; k <= bs.size(); k++) {
          if (k > 0) {
            right = right.times(Poly.of(bs.get(k - 1)));
          }
          if (i + k > 0 && left.equals(right)) {
            return new Runs(i, k);
          }
        }
      }
      return null;
    }
  }

  /**
   * Returns the distance between row-major neighbours in the given dimensions, or null if it
   * varies.
   *
   * @param stride the required distance, or null for any
   */
  private static @Nullable Poly equidistant(List<Dim> dims, @Nullable Poly stride) {
    Poly expected = stride;
    Poly first = stride;
    for (int i = dims.size() - 1; i >= 0; i--) {
      Dim d = dims.get(i);
      if (d.size.isInt(1)) {
        continue;
      }
      if (expected == null || first == null) {
        first = d.stride;
        expected = first;
      } else if (!d.stride.equals(expected)) {
        return null;
      }
      expected = expected.times(Poly.of(d.size));
    }
    return first == null ? Poly.ONE : first;
  }

  /** Returns dimensions of a shape whose row-major neighbours have the given distance. */
  private static List<Dim> split(Poly stride, List<SubExp> shape) {
    List<Dim> dims = new ArrayList<>();
    Poly s = stride;
    for (SubExp size : shape.reversed()) {
      dims.add(new Dim(s, size));
      s = s.times(Poly.of(size));
    }
    return dims.reversed();
  }

  // The same array in another block

  /**
   * Returns the layout after element {@code p} of its block moves to element {@code start + factor
   * * p} of another block. The other block concatenates many blocks ({@code factor} 1) or
   * interleaves them.
   */
  public Lmad expand(Poly start, Poly factor) {
    List<Dim> expanded = new ArrayList<>();
    for (Dim d : dims) {
      expanded.add(new Dim(d.stride.times(factor), d.size));
    }
    return new Lmad(start.plus(offset.times(factor)), expanded);
  }

  /**
   * Returns this view of an array after the array has moved, or null if no LMAD describes it or
   * none was found.
   *
   * @param from the old layout of the array, which maps different indices to different offsets
   * @param to the new layout, in the same shape
   * @param isAtMost a prover that returns true only if the first value never exceeds the second
   */
  public @Nullable Lmad rebase(Lmad from, Lmad to, BiPredicate<Poly, Poly> isAtMost) {
    Poly factor = factor(from, to);
    if (factor != null) {
      return expand(to.offset.minus(from.offset.times(factor)), factor);
    }
    return new Rebasing(from).apply(this, to, isAtMost);
  }

  /**
   * Returns the layout of selected elements of this array, or null if no LMAD describes it or none
   * was found. For example, {@code l.compose(rowMajor(l.shape()))} is {@code l}.
   *
   * @param numbers an LMAD that yields the row-major numbers of the selected elements
   * @param isAtMost a prover that returns true only if the first value never exceeds the second
   */
  public @Nullable Lmad compose(Lmad numbers, BiPredicate<Poly, Poly> isAtMost) {
    return numbers.rebase(rowMajor(shape()), this, isAtMost);
  }

  /**
   * Returns the common ratio of the strides of {@code to} and {@code from}, or null if the ratios
   * differ.
   */
  private static @Nullable Poly factor(Lmad from, Lmad to) {
    Poly factor = null;
    for (int i = 0; i < from.dims.size(); i++) {
      Dim a = from.dims.get(i);
      if (a.size.isInt(1)) {
        continue;
      }
      if (a.stride.isZero()) {
        return null;
      }
      Poly.Division f = to.dims.get(i).stride.divide(a.stride);
      if (!f.remainder().isZero() || (factor != null && !factor.equals(f.quotient()))) {
        return null;
      }
      factor = f.quotient();
    }
    return factor == null ? Poly.ONE : factor;
  }

  /**
   * A translation of block distances into steps along the dimensions of an array, greatest stride
   * first.
   */
  private static final class Rebasing {
    private final Lmad from;
    private final List<Integer> order = new ArrayList<>();

    Rebasing(Lmad from) {
      this.from = from;
      for (int i = 0; i < from.dims.size(); i++) {
        if (!from.dims.get(i).size.isInt(1)) {
          order.add(i);
        }
      }
      Comparator<Integer> byStride = Comparator.comparing(i -> stride(i).magnitude());
      order.sort(byStride.reversed());
    }

    private Poly stride(int i) {
      return from.dims.get(i).stride;
    }

    @Nullable Lmad apply(Lmad view, Lmad to, BiPredicate<Poly, Poly> isAtMost) {
      List<Poly> start = steps(view.offset.minus(from.offset));
      if (start == null) {
        return null;
      }
      List<Poly> least = new ArrayList<>(start);
      List<Poly> greatest = new ArrayList<>(start);
      List<Dim> dims = new ArrayList<>();
      for (Dim d : view.dims) {
        List<Poly> steps = steps(d.stride);
        if (steps == null) {
          return null;
        }
        dims.add(new Dim(distance(steps, to), d.size));
        Poly last = Poly.of(d.size).minus(Poly.ONE);
        for (int i = 0; i < steps.size(); i++) {
          Poly s = steps.get(i);
          if (s.isZero()) {
            continue;
          }
          List<Poly> end = isAtMost.test(Poly.ZERO, s) ? greatest : least;
          if (end == least && !isAtMost.test(s, Poly.ZERO)) {
            return null;
          }
          end.set(i, end.get(i).plus(s.times(last)));
        }
      }
      for (int i = 0; i < from.dims.size(); i++) {
        Poly last = Poly.of(from.dims.get(i).size).minus(Poly.ONE);
        if (!isAtMost.test(Poly.ZERO, least.get(i)) || !isAtMost.test(greatest.get(i), last)) {
          return null;
        }
      }
      return new Lmad(to.offset.plus(distance(start, to)), dims);
    }

    private @Nullable List<Poly> steps(Poly distance) {
      List<Poly> steps = new ArrayList<>(Collections.nCopies(from.dims.size(), Poly.ZERO));
      Poly rest = distance;
      for (int i : order) {
        if (stride(i).isZero()) {
          return null;
        }
        Poly.Division d = rest.divide(stride(i));
        steps.set(i, d.quotient());
        rest = d.remainder();
      }
      return rest.isZero() ? steps : null;
    }

    private static Poly distance(List<Poly> steps, Lmad in) {
      Poly sum = Poly.ZERO;
      for (int i = 0; i < steps.size(); i++) {
        sum = sum.plus(steps.get(i).times(in.dims.get(i).stride));
      }
      return sum;
    }
  }
}
