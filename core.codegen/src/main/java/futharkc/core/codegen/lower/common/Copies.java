package futharkc.core.codegen.lower.common;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;

/** A lowering of copies, fills and counts of whole arrays, by the target's loops. */
public final class Copies {
  private final FunctionSymbols scope;
  private final CopyLoops loops;

  Copies(FunctionSymbols scope, CopyLoops loops) {
    this.scope = scope;
    this.loops = loops;
  }

  /**
   * Binds a parameter of code to an array. The array is copied to the memory of the parameter's
   * type if the code has views that mention that memory.
   */
  public void bind(Param p, ArrayMem array, Body code, List<Code> out) {
    Type.Array t = (Type.Array) p.type();
    ArrayMem there = t.mem();
    if (there == null
        || scope.areSame(there, array)
        || !FreeNames.of(code).contains(there.block())) {
      scope.add(p.name(), t.withMem(array));
      return;
    }
    copy(t.elem(), there, array, t.dims(), out);
    scope.add(p.name(), t);
  }

  /** Copies an array of a shape. */
  void copy(PrimType elem, ArrayMem to, ArrayMem from, List<SubExp> shape, List<Code> out) {
    Lmad dst = scope.place(to.lmad());
    Lmad src = scope.place(from.lmad());
    List<CopyLoops.Dim> dims = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      if (shape.get(i).isInt(1)) {
        continue;
      }
      dims.add(
          new CopyLoops.Dim(
              scope.poly(shape.get(i)), dst.dims().get(i).stride(), src.dims().get(i).stride()));
    }
    merge(dims);
    CopyLoops.Side there = new CopyLoops.Side(to.block(), dst.offset());
    CopyLoops.Side here = new CopyLoops.Side(from.block(), src.offset());
    loops.copy(elem, there, here, dims, out);
  }

  /** Merges adjacent dimensions that are contiguous on both sides. */
  private static void merge(List<CopyLoops.Dim> dims) {
    for (int i = dims.size() - 2; i >= 0; i--) {
      CopyLoops.Dim a = dims.get(i);
      CopyLoops.Dim b = dims.get(i + 1);
      if (a.to().equals(b.to().times(b.size())) && a.from().equals(b.from().times(b.size()))) {
        dims.set(i, new CopyLoops.Dim(a.size().times(b.size()), b.to(), b.from()));
        dims.remove(i + 1);
      }
    }
  }

  /** Fills an array with a value. */
  public void fill(PrimType elem, ArrayMem to, List<SubExp> shape, Expr value, List<Code> out) {
    Lmad dst = scope.place(to.lmad());
    List<CopyLoops.Dim> dims = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      if (shape.get(i).isInt(1)) {
        continue;
      }
      Poly stride = dst.dims().get(i).stride();
      dims.add(new CopyLoops.Dim(scope.poly(shape.get(i)), stride, stride));
    }
    dims.sort((a, b) -> Integer.compare(weight(b), weight(a)));
    merge(dims);
    loops.fill(elem, new CopyLoops.Side(to.block(), dst.offset()), dims, value, out);
  }

  /**
   * Returns the largest number of factors of a stride. Dimensions with large strides become outer
   * loops.
   */
  private static int weight(CopyLoops.Dim d) {
    int most = 0;
    for (Poly.Product p : d.to().terms().keySet()) {
      most = Math.max(most, p.factors().size());
    }
    return most;
  }

  /** Fills an array with {@code start, start + stride, ...}. */
  void iota(ArrayMem to, BasicOp.Iota x, List<Code> out) {
    Lmad dst = scope.place(to.lmad());
    Poly step = dst.dims().get(0).stride();
    loops.iota(new CopyLoops.Side(to.block(), dst.offset()), step, x, out);
  }
}
