package futharkc.core.ir;

import java.util.ArrayList;
import java.util.List;

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
    List<Dim> dims = new ArrayList<>();
    Poly stride = Poly.ONE;
    for (int i = shape.size() - 1; i >= 0; i--) {
      dims.add(0, new Dim(stride, shape.get(i)));
      stride = stride.times(Poly.of(shape.get(i)));
    }
    return new Lmad(offset, dims);
  }

  /** The sizes of the dimensions. */
  public List<SubExp> shape() {
    return dims.stream().map(Dim::size).toList();
  }

  /** Whether this is row-major without gaps, from any offset. */
  public boolean isContiguous() {
    Poly stride = Poly.ONE;
    for (int i = dims.size() - 1; i >= 0; i--) {
      if (!dims.get(i).stride.equals(stride) && !dims.get(i).size.isInt(1)) return false;
      stride = stride.times(Poly.of(dims.get(i).size));
    }
    return true;
  }

  /** Whether this is row-major without gaps, from offset 0. */
  public boolean isDirect() {
    return offset.isZero() && isContiguous();
  }

  /** Where an index lies. */
  public Poly index(List<Poly> indices) {
    Poly at = offset;
    for (int i = 0; i < indices.size(); i++) at = at.plus(indices.get(i).times(dims.get(i).stride));
    return at;
  }

  /**
   * The array with dimensions permuted: dimension i of the result is dimension {@code perm.get(i)}
   * of this.
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
}
