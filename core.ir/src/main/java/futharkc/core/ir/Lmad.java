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
 * A linear memory access descriptor: index {@code (i, j, ...)} is at {@code offset + i * stride_0 +
 * j * stride_1 + ...}, in elements. (Hoeflinger, Paek and Yi, "Unified interprocedural parallelism
 * detection", 2001.)
 */
public record Lmad(Poly offset, List<Dim> dims) {
  public Lmad {
    dims = List.copyOf(dims);
  }

  /** One dimension: how far apart neighbours are, and how many there are. */
  public record Dim(Poly stride, SubExp size) {}

  /** Row-major from offset 0. */
  public static Lmad rowMajor(List<SubExp> shape) {
    return rowMajor(Poly.ZERO, shape);
  }

  /** Row-major from an offset. */
  public static Lmad rowMajor(Poly offset, List<SubExp> shape) {
    return new Lmad(offset, split(Poly.ONE, shape));
  }

  /**
   * Without gaps from an offset, the dimensions in this order, the one with the greatest stride
   * first: row-major if the order is 0, 1, 2, ...
   */
  public static Lmad ordered(Poly offset, List<SubExp> shape, List<Integer> order) {
    return rowMajor(offset, order.stream().map(shape::get).toList()).permute(inverse(order));
  }

  /** The permutation that takes back another. */
  public static List<Integer> inverse(List<Integer> perm) {
    Integer[] inverse = new Integer[perm.size()];
    for (int i = 0; i < perm.size(); i++) inverse[perm.get(i)] = i;
    return Arrays.asList(inverse);
  }

  /** The sizes of the dimensions. */
  public List<SubExp> shape() {
    return sizes(dims);
  }

  // Layout

  /** Whether this is row-major without gaps, from any offset. */
  public boolean isContiguous() {
    return equidistant(dims, Poly.ONE) != null;
  }

  /** Whether this is row-major without gaps, from offset 0. */
  public boolean isDirect() {
    return offset.isZero() && isContiguous();
  }

  /**
   * Whether sizes may turn out to be such that this is row-major without gaps, from offset 0,
   * though it cannot be seen to be. It is not if a constant says so, or if it is without gaps in
   * another order of dimensions.
   */
  public boolean mayBeDirect() {
    if (isNeverZero(offset)) return false;
    List<Integer> order = order();
    if (order != null) return IntStream.range(0, order.size()).allMatch(i -> order.get(i) == i);
    Poly stride = Poly.ONE;
    for (Dim d : dims.reversed()) {
      if (isNeverZero(d.stride.minus(stride))) return false;
      stride = stride.times(Poly.of(d.size));
    }
    return true;
  }

  private static boolean isNeverZero(Poly p) {
    Long c = p.constant();
    return c != null && c != 0;
  }

  /**
   * The order of dimensions, the greatest stride first, in which this is row-major without gaps;
   * null if there is none. It is 0, 1, 2, ... wherever that is one.
   */
  public @Nullable List<Integer> order() {
    List<Integer> rest = new ArrayList<>();
    for (int i = 0; i < dims.size(); i++) rest.add(i);
    List<Integer> order = new ArrayList<>();
    Poly stride = Poly.ONE;
    while (!rest.isEmpty()) {
      int at = rest.size() - 1;
      while (at >= 0 && !isStep(dims.get(rest.get(at)), stride)) at--;
      if (at < 0) return null;
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

  // Where an index lies

  /** Where an index lies. */
  public Poly index(List<Poly> indices) {
    Poly at = offset;
    for (int i = 0; i < indices.size(); i++) at = at.plus(indices.get(i).times(dims.get(i).stride));
    return at;
  }

  // The same elements, or some of them, as other arrays

  /**
   * The array with dimensions permuted: dimension i of the result is dimension {@code perm.get(i)}
   * of this. Permuting by the {@linkplain #inverse inverse} takes it back.
   */
  public Lmad permute(List<Integer> perm) {
    return new Lmad(offset, perm.stream().map(dims::get).toList());
  }

  /** The part that a slice selects; its shape is the slice's. */
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

  /** The part that a flat slice of a one-dimensional array selects. */
  public Lmad flatSlice(FlatSlice slice) {
    Poly stride = dims.get(0).stride;
    List<Dim> kept = new ArrayList<>();
    for (FlatSlice.Dim d : slice.dims())
      kept.add(new Dim(Poly.of(d.stride()).times(stride), d.count()));
    return new Lmad(offset.plus(Poly.of(slice.offset()).times(stride)), kept);
  }

  /**
   * The same array under other names of its sizes, which have the same values. If it is without
   * gaps, it can be seen to be so.
   */
  public Lmad coerce(List<SubExp> shape) {
    List<Integer> order = order();
    if (order != null) return ordered(offset, shape, order);
    List<Dim> renamed = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      renamed.add(new Dim(dims.get(i).stride, shape.get(i)));
    }
    return new Lmad(offset, renamed);
  }

  /**
   * The array in another shape of as many elements, in the same order; null if no LMAD says where
   * these are. Dimensions are taken together only where they are equidistant. Reshaping to the
   * shape that this has takes it back, if it can be.
   */
  public @Nullable Lmad reshape(List<SubExp> shape) {
    for (Dim d : dims) if (d.size.isInt(0)) return rowMajor(offset, shape);
    if (isContiguous()) return rowMajor(offset, shape);
    List<Dim> front = new ArrayList<>();
    List<Dim> old = dims;
    List<SubExp> now = shape;
    for (Runs r = Runs.of(sizes(old), now); r != null; r = Runs.of(sizes(old), now)) {
      Poly stride = equidistant(old.subList(0, r.a), null);
      if (stride == null) return null;
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
      if (stride == null) return null;
      back.addAll(0, split(stride, now.subList(b, now.size())));
      old = old.subList(0, a);
      now = now.subList(0, b);
    }
    Poly stride = equidistant(old, null);
    if (stride == null) return null;
    front.addAll(split(stride, now));
    front.addAll(back);
    return new Lmad(offset, front);
  }

  private static List<SubExp> sizes(List<Dim> dims) {
    return dims.stream().map(Dim::size).toList();
  }

  /** The lengths of the shortest two first parts of shapes that have as many elements. */
  private record Runs(int a, int b) {
    static @Nullable Runs of(List<SubExp> as, List<SubExp> bs) {
      Poly left = Poly.ONE;
      for (int i = 0; i <= as.size(); i++) {
        if (i > 0) left = left.times(Poly.of(as.get(i - 1)));
        Poly right = Poly.ONE;
        for (int k = 0; k <= bs.size(); k++) {
          if (k > 0) right = right.times(Poly.of(bs.get(k - 1)));
          if (i + k > 0 && left.equals(right)) return new Runs(i, k);
        }
      }
      return null;
    }
  }

  /**
   * How far apart the elements of these dimensions are, in row-major order, if always the same.
   *
   * @param stride what it has to be, or null if anything will do
   */
  private static @Nullable Poly equidistant(List<Dim> dims, @Nullable Poly stride) {
    Poly expected = stride;
    Poly first = stride;
    for (int i = dims.size() - 1; i >= 0; i--) {
      Dim d = dims.get(i);
      if (d.size.isInt(1)) continue;
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

  /** Dimensions of elements that are this far apart, in row-major order. */
  private static List<Dim> split(Poly stride, List<SubExp> shape) {
    List<Dim> dims = new ArrayList<>();
    Poly s = stride;
    for (SubExp size : shape.reversed()) {
      dims.add(new Dim(s, size));
      s = s.times(Poly.of(size));
    }
    return dims.reversed();
  }

  // The same array, elsewhere

  /**
   * Where this is if element {@code p} of its block becomes element {@code start + factor * p} of
   * another: one of many blocks put one after the other ({@code factor} 1), or interleaved.
   */
  public Lmad expand(Poly start, Poly factor) {
    List<Dim> expanded = new ArrayList<>();
    for (Dim d : dims) expanded.add(new Dim(d.stride.times(factor), d.size));
    return new Lmad(start.plus(offset.times(factor)), expanded);
  }

  /**
   * This view of an array, if that is moved: {@code from} is where the array was, no two of its
   * indices at the same place, and {@code to} is where it is now, in the same shape. Null if no
   * LMAD says so, or if none was found.
   *
   * @param isAtMost proves that one value is never greater than another
   */
  public @Nullable Lmad rebase(Lmad from, Lmad to, BiPredicate<Poly, Poly> isAtMost) {
    Poly factor = factor(from, to);
    if (factor != null) {
      return expand(to.offset.minus(from.offset.times(factor)), factor);
    }
    return new Rebasing(from).apply(this, to, isAtMost);
  }

  /**
   * The elements of this array whose row-major numbers in it are the places of another LMAD; null
   * if no LMAD says where they are, or if none was found. So {@code l.compose(rowMajor(l.shape()))}
   * is {@code l}.
   *
   * @param isAtMost proves that one value is never greater than another
   */
  public @Nullable Lmad compose(Lmad numbers, BiPredicate<Poly, Poly> isAtMost) {
    return numbers.rebase(rowMajor(shape()), this, isAtMost);
  }

  /** What the strides of one are multiplied by to give the other's, if all by the same. */
  private static @Nullable Poly factor(Lmad from, Lmad to) {
    Poly factor = null;
    for (int i = 0; i < from.dims.size(); i++) {
      Dim a = from.dims.get(i);
      if (a.size.isInt(1)) continue;
      if (a.stride.isZero()) return null;
      Poly.Division f = to.dims.get(i).stride.divide(a.stride);
      if (!f.remainder().isZero() || (factor != null && !factor.equals(f.quotient()))) return null;
      factor = f.quotient();
    }
    return factor == null ? Poly.ONE : factor;
  }

  /**
   * Says how many steps along each dimension of an array a distance in its block is, the dimension
   * with the greatest stride first.
   */
  private static final class Rebasing {
    private final Lmad from;
    private final List<Integer> order = new ArrayList<>();

    Rebasing(Lmad from) {
      this.from = from;
      for (int i = 0; i < from.dims.size(); i++) {
        if (!from.dims.get(i).size.isInt(1)) order.add(i);
      }
      Comparator<Integer> byStride = Comparator.comparing(i -> stride(i).magnitude());
      order.sort(byStride.reversed());
    }

    private Poly stride(int i) {
      return from.dims.get(i).stride;
    }

    @Nullable Lmad apply(Lmad view, Lmad to, BiPredicate<Poly, Poly> isAtMost) {
      List<Poly> start = steps(view.offset.minus(from.offset));
      if (start == null) return null;
      List<Poly> least = new ArrayList<>(start);
      List<Poly> greatest = new ArrayList<>(start);
      List<Dim> dims = new ArrayList<>();
      for (Dim d : view.dims) {
        List<Poly> steps = steps(d.stride);
        if (steps == null) return null;
        dims.add(new Dim(distance(steps, to), d.size));
        Poly last = Poly.of(d.size).minus(Poly.ONE);
        for (int i = 0; i < steps.size(); i++) {
          Poly s = steps.get(i);
          if (s.isZero()) continue;
          List<Poly> end = isAtMost.test(Poly.ZERO, s) ? greatest : least;
          if (end == least && !isAtMost.test(s, Poly.ZERO)) return null;
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
        if (stride(i).isZero()) return null;
        Poly.Division d = rest.divide(stride(i));
        steps.set(i, d.quotient());
        rest = d.remainder();
      }
      return rest.isZero() ? steps : null;
    }

    private static Poly distance(List<Poly> steps, Lmad in) {
      Poly sum = Poly.ZERO;
      for (int i = 0; i < steps.size(); i++)
        sum = sum.plus(steps.get(i).times(in.dims.get(i).stride));
      return sum;
    }
  }
}
