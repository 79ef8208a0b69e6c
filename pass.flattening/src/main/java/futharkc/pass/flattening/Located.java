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

/** Where a kernel finds the value of one segment. */
sealed interface Located {
  /** The sizes of the value, as the kernel knows them. */
  List<SubExp> dims();

  /** The type of its elements. */
  PrimType elem();

  /** The row at an index of the outermost dimension. */
  Located row(Kernel k, SubExp index);

  /** The scalar at an index for each dimension. */
  SubExp element(Kernel k, List<SubExp> index);

  /** All of it. */
  SubExp whole(Kernel k);

  /**
   * Part of an array of the host that some indices select.
   *
   * @param prefix indices of the outer dimensions
   */
  record InArray(Name array, List<SubExp> prefix, List<SubExp> dims, PrimType elem)
      implements Located {
    public InArray {
      prefix = List.copyOf(prefix);
      dims = List.copyOf(dims);
    }

    private List<SubExp> indices(List<SubExp> more) {
      List<SubExp> all = new ArrayList<>(prefix);
      all.addAll(more);
      return all;
    }

    @Override
    public Located row(Kernel k, SubExp index) {
      return new InArray(array, indices(List.of(index)), dims.subList(1, dims.size()), elem);
    }

    @Override
    public SubExp element(Kernel k, List<SubExp> index) {
      List<SubExp> all = indices(index);
      if (all.isEmpty()) return SubExp.of(array);
      Slice slice = Slice.fix(all, k.host().type(array).dims());
      return k.letExp(array.base(), Type.prim(elem), new BasicOp.Index(array, slice));
    }

    @Override
    public SubExp whole(Kernel k) {
      if (prefix.isEmpty()) return SubExp.of(array);
      if (dims.isEmpty()) return element(k, List.of());
      Slice slice = Slice.fix(prefix, k.host().type(array).dims());
      // The host may know the sizes by other names.
      Type t = Type.array(Type.prim(elem), slice.shape());
      SubExp part = k.letExp(array.base(), t, new BasicOp.Index(array, slice));
      return k.coerced(part, dims);
    }
  }

  /** Scalars in a row in a one-dimensional array of the host. */
  record InData(Name data, SubExp offset, List<SubExp> dims, PrimType elem) implements Located {
    public InData {
      dims = List.copyOf(dims);
    }

    @Override
    public Located row(Kernel k, SubExp index) {
      List<SubExp> inner = dims.subList(1, dims.size());
      SubExp skipped = k.times(index, k.product(inner));
      return new InData(data, k.plus(offset, skipped), inner, elem);
    }

    @Override
    public SubExp element(Kernel k, List<SubExp> index) {
      return scalar(k, k.rowMajor(index, dims));
    }

    /** The scalar at a row-major index. */
    SubExp scalar(Kernel k, SubExp index) {
      Slice slice = new Slice(List.of(new Slice.Fix(k.plus(offset, index))));
      return k.letExp(data.base(), Type.prim(elem), new BasicOp.Index(data, slice));
    }

    @Override
    public SubExp whole(Kernel k) {
      if (dims.isEmpty()) return scalar(k, SubExp.i64(0));
      SubExp n = k.product(dims);
      Slice slice = new Slice(List.of(new Slice.Range(offset, n, SubExp.i64(1))));
      Type t = Type.array(Type.prim(elem), n);
      SubExp part = k.letExp(data.base(), t, new BasicOp.Index(data, slice));
      if (dims.size() == 1) return part;
      return k.letExp(
          data.base(),
          Type.array(Type.prim(elem), dims),
          new BasicOp.Reshape(false, ((SubExp.Var) part).name(), dims));
    }
  }

  /** The scalar at a row-major index. */
  default SubExp flatElement(Kernel k, SubExp index) {
    return this instanceof InData d ? d.scalar(k, index) : element(k, k.unflatten(index, dims()));
  }

  /** The operator of sizes and indices. */
  static BinOp i64(BinOp.Kind kind) {
    return new BinOp(kind, PrimType.I64);
  }
}
