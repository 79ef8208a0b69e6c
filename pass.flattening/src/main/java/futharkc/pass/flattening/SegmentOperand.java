package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The location from which a kernel reads the value of one segment. */
sealed interface SegmentOperand {
  /** Returns the sizes of the value, as operands in the kernel. */
  List<SubExp> dims();

  /** Returns the element type of the value. */
  PrimType elem();

  /** Returns the row at an index of the outermost dimension. */
  SegmentOperand row(SegBodyBuilder k, SubExp index);

  /** Returns the scalar at an index for each dimension. */
  SubExp element(SegBodyBuilder k, List<SubExp> index);

  /** Returns the whole value. */
  SubExp whole(SegBodyBuilder k);

  /**
   * A slice of an array of the host.
   *
   * @param array the array
   * @param part the selection in each dimension of the array
   * @param dims the sizes of the slice
   * @param elem the element type
   */
  record InArray(Name array, List<Slice.Dim> part, List<SubExp> dims, PrimType elem)
      implements SegmentOperand {
    public InArray {
      part = List.copyOf(part);
      dims = List.copyOf(dims);
    }

    /** Returns the slice that indices of the outer dimensions select. */
    static InArray at(Name array, Type t, List<SubExp> prefix, List<SubExp> dims) {
      return new InArray(array, Slice.fix(prefix, t.dims()).dims(), dims, t.elemPrim());
    }

    /** Returns a slice of this slice. */
    InArray part(SegBodyBuilder k, List<Slice.Dim> of) {
      List<Slice.Dim> all = new ArrayList<>();
      List<SubExp> sizes = new ArrayList<>();
      int at = 0;
      for (Slice.Dim d : part) {
        if (d instanceof Slice.Range r && at < of.size()) {
          all.add(
              switch (of.get(at)) {
                case Slice.Fix f -> new Slice.Fix(within(k, r, f.index()));
                case Slice.Range i ->
                    new Slice.Range(
                        within(k, r, i.start()), i.count(), k.times(i.stride(), r.stride()));
              });
          if (of.get(at) instanceof Slice.Range i) {
            sizes.add(i.count());
          }
          at++;
        } else {
          all.add(d);
        }
      }
      sizes.addAll(dims.subList(of.size(), dims.size()));
      return new InArray(array, all, sizes, elem);
    }

    private static SubExp within(SegBodyBuilder k, Slice.Range r, SubExp index) {
      SubExp skipped = k.times(index, r.stride());
      return r.start().isInt(0) ? skipped : k.plus(r.start(), skipped);
    }

    /** Returns the indices of the outer dimensions if they alone determine the slice; else null. */
    @Nullable List<SubExp> prefix(SegBodyBuilder k) {
      List<SubExp> sizes = k.host().type(array).dims();
      List<SubExp> prefix = new ArrayList<>();
      for (int d = 0; d < part.size(); d++) {
        boolean complete =
            switch (part.get(d)) {
              case Slice.Fix f -> prefix.size() == d && prefix.add(f.index());
              case Slice.Range r ->
                  r.start().isInt(0) && r.stride().isInt(1) && r.count().equals(sizes.get(d));
            };
        if (!complete) {
          return null;
        }
      }
      return prefix;
    }

    @Override
    public SegmentOperand row(SegBodyBuilder k, SubExp index) {
      return part(k, List.of(new Slice.Fix(index)));
    }

    @Override
    public SubExp element(SegBodyBuilder k, List<SubExp> index) {
      if (part.isEmpty()) {
        return SubExp.of(array);
      }
      List<Slice.Dim> fixed = new ArrayList<>();
      for (SubExp i : index) {
        fixed.add(new Slice.Fix(i));
      }
      Slice slice = new Slice(part(k, fixed).part());
      return k.letExp(array.base(), Type.prim(elem), new BasicOp.Index(array, slice));
    }

    @Override
    public SubExp whole(SegBodyBuilder k) {
      if (dims.isEmpty()) {
        return element(k, List.of());
      }
      Slice slice = new Slice(part);
      // The host may have other names for the sizes.
      Type t = Type.array(Type.prim(elem), slice.shape());
      boolean all = List.of().equals(prefix(k));
      SubExp part =
          all ? SubExp.of(array) : k.letExp(array.base(), t, new BasicOp.Index(array, slice));
      return all ? part : k.coerced(part, dims);
    }
  }

  /** Consecutive scalars in a one-dimensional array of the host. */
  record InData(Name data, SubExp offset, List<SubExp> dims, PrimType elem)
      implements SegmentOperand {
    public InData {
      dims = List.copyOf(dims);
    }

    @Override
    public SegmentOperand row(SegBodyBuilder k, SubExp index) {
      List<SubExp> inner = dims.subList(1, dims.size());
      SubExp skipped = k.times(index, k.product(inner));
      return new InData(data, k.plus(offset, skipped), inner, elem);
    }

    @Override
    public SubExp element(SegBodyBuilder k, List<SubExp> index) {
      return scalar(k, k.rowMajor(index, dims));
    }

    /** Returns the scalar at a row-major index. */
    SubExp scalar(SegBodyBuilder k, SubExp index) {
      Slice slice = new Slice(List.of(new Slice.Fix(k.plus(offset, index))));
      return k.letExp(data.base(), Type.prim(elem), new BasicOp.Index(data, slice));
    }

    @Override
    public SubExp whole(SegBodyBuilder k) {
      if (dims.isEmpty()) {
        return scalar(k, SubExp.i64(0));
      }
      SubExp n = k.product(dims);
      Slice slice = new Slice(List.of(new Slice.Range(offset, n, SubExp.i64(1))));
      Type t = Type.array(Type.prim(elem), n);
      SubExp part = k.letExp(data.base(), t, new BasicOp.Index(data, slice));
      if (dims.size() == 1) {
        return part;
      }
      return k.letExp(
          data.base(),
          Type.array(Type.prim(elem), dims),
          new BasicOp.Reshape(false, ((SubExp.Var) part).name(), dims));
    }
  }

  /** Returns the scalar at a row-major index. */
  default SubExp flatElement(SegBodyBuilder k, SubExp index) {
    return this instanceof InData d ? d.scalar(k, index) : element(k, k.unflatten(index, dims()));
  }

  /** Returns an operator on sizes and indices. */
  static BinOp i64(BinOp.Kind kind) {
    return new BinOp(kind, PrimType.I64);
  }
}
