package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Type;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueDisplay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A compiler of expressions without bodies. */
final class BasicCode {
  private final Machine machine;
  private final VariableScopes scopes;

  BasicCode(Machine machine, VariableScopes scopes) {
    this.machine = machine;
    this.scopes = scopes;
  }

  Instruction op(BasicOp op, Destination[] outs) {
    Destination out = outs[0];
    Operation.Use use = scopes.active() ? Operation.of(op) : null;
    if (use != null) {
      return active(use.op(), scopes.ins(use.operands()), out);
    }
    return switch (op) {
      case BasicOp.SubExpOp x -> copy(scopes.in(x.value()), out);
      case BasicOp.Opaque x -> opaque(x, out);
      case BasicOp.BinOpExp x -> {
        ScalarOps.Binary f = ScalarOps.binary(x.op());
        yield binary(f, scopes.in(x.left()), scopes.in(x.right()), out);
      }
      case BasicOp.CmpOpExp x -> {
        ScalarOps.Binary f = ScalarOps.compare(x.op());
        yield binary(f, scopes.in(x.left()), scopes.in(x.right()), out);
      }
      case BasicOp.UnOpExp x -> unary(ScalarOps.unary(x.op()), scopes.in(x.operand()), out);
      case BasicOp.ConvOpExp x -> unary(ScalarOps.convert(x.op()), scopes.in(x.operand()), out);
      case BasicOp.PrimFunExp x -> {
        ScalarFunctions.Function g = ScalarFunctions.of(x.fun());
        Operand[] args = scopes.ins(x.args());
        Operand a = args[0];
        Operand b = args.length > 1 ? args[1] : a;
        Operand c = args.length > 2 ? args[2] : a;
        yield f -> out.scalar(f, g.apply(a.scalar(f), b.scalar(f), c.scalar(f)));
      }
      case BasicOp.Assert x -> assertion(x, out);
      case BasicOp.ArrayVal x -> {
        long[] bits = x.values().stream().mapToLong(ScalarOps::bits).toArray();
        yield f -> {
          ArrayView v = out.fresh(f);
          for (int i = 0; i < bits.length; i++) {
            v.set(v.row(i), bits[i]);
          }
        };
      }
      case BasicOp.ArrayLit x -> {
        Operand[] elems = scopes.ins(x.elems());
        yield f -> {
          ArrayView v = out.fresh(f);
          for (int i = 0; i < elems.length; i++) {
            Elements.writeRow(v, i, elems[i], f);
          }
        };
      }
      case BasicOp.Index x -> index(x, out);
      case BasicOp.Update x -> update(x, out);
      case BasicOp.FlatIndex x -> {
        Operand array = scopes.in(x.array());
        Operand[] slice = flat(x.slice());
        yield f -> out.object(f, flatSlice(array.view(f), slice, f));
      }
      case BasicOp.FlatUpdate x -> {
        Operand array = scopes.in(x.array());
        Operand value = scopes.in(x.value());
        Operand[] slice = flat(x.slice());
        yield f -> {
          ArrayView v = array.view(f);
          flatSlice(v, slice, f).assign(value.view(f));
          out.object(f, v);
        };
      }
      case BasicOp.Concat x -> concat(x, out);
      case BasicOp.Manifest x -> {
        Operand array = scopes.in(x.array());
        int[] perm = x.perm().stream().mapToInt(i -> i).toArray();
        yield f -> manifest(array.view(f), perm, out, f);
      }
      case BasicOp.Iota x -> {
        Operand start = scopes.in(x.start());
        Operand stride = scopes.in(x.stride());
        PrimType t = x.type();
        if (scopes.active()) {
          yield iota(start, stride, new NumArithmetic(t), out);
        }
        yield f -> {
          ArrayView v = out.fresh(f);
          long a = start.scalar(f);
          long s = stride.scalar(f);
          for (long i = 0; i < v.shape()[0]; i++) {
            v.set(v.row(i), ScalarOps.wrap(t, a + i * s));
          }
        };
      }
      case BasicOp.Replicate x -> replicate(scopes.in(x.value()), x.shape().size(), out);
      case BasicOp.Scratch x -> f -> out.fresh(f);
      case BasicOp.Reshape x -> reshape(x, out);
      case BasicOp.Rearrange x -> {
        Operand array = scopes.in(x.array());
        int[] perm = x.perm().stream().mapToInt(i -> i).toArray();
        yield f -> out.object(f, permuted(array.view(f), perm));
      }
      case BasicOp.UpdateAcc x -> {
        Operand acc = scopes.in(x.acc());
        Operand[] index = scopes.ins(x.index());
        Operand[] values = scopes.ins(x.values());
        yield f -> {
          Accumulator a = (Accumulator) acc.object(f);
          long[] at = new long[index.length];
          for (int d = 0; d < at.length; d++) {
            at[d] = index[d].scalar(f);
          }
          a.update(at, values, x.inRange(), f);
          out.object(f, a);
        };
      }
      case BasicOp.UserParam x -> {
        Long value = machine.options().parameters().get(x.name());
        Operand dflt = value == null ? scopes.in(x.defaultValue()) : Operand.constant(value);
        yield f -> out.scalar(f, dflt.scalar(f));
      }
    };
  }

  /** Compiles an operation on scalars that may have derivatives. */
  private static Instruction active(Operation op, Operand[] operands, Destination out) {
    Operand a = operands[0];
    Operand b = operands.length > 1 ? operands[1] : a;
    Operand c = operands.length > 2 ? operands[2] : a;
    return f -> {
      boolean constant = true;
      for (Operand x : operands) {
        constant &= x.derived(f) == null;
      }
      if (constant) {
        out.scalar(f, op.function().apply(a.scalar(f), b.scalar(f), c.scalar(f)));
        return;
      }
      Num[] x = new Num[operands.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = operands[i].number(f);
      }
      out.number(f, op.apply(x));
    };
  }

  private static Instruction iota(
      Operand start, Operand stride, NumArithmetic arithmetic, Destination out) {
    return f -> {
      ArrayView v = out.fresh(f);
      Num step = stride.number(f);
      for (long i = 0; i < v.shape()[0]; i++) {
        Num distance = arithmetic.mul(new Num.Const(ScalarOps.wrap(arithmetic.type(), i)), step);
        v.put(v.row(i), arithmetic.add(start.number(f), distance));
      }
    };
  }

  private static Instruction binary(ScalarOps.Binary g, Operand a, Operand b, Destination out) {
    int slot = out.slot;
    return f -> f.scalars[slot] = g.apply(a.scalar(f), b.scalar(f));
  }

  private static Instruction unary(ScalarOps.Unary g, Operand a, Destination out) {
    int slot = out.slot;
    return f -> f.scalars[slot] = g.apply(a.scalar(f));
  }

  private static Instruction copy(Operand value, Destination out) {
    return value.isScalar() ? f -> out.bind(f, value, f) : f -> out.object(f, value.object(f));
  }

  private Instruction opaque(BasicOp.Opaque x, Destination out) {
    Operand value = scopes.in(x.value());
    Instruction copy = copy(value, out);
    Type type = scopes.type(x.value());
    if (!(type instanceof Type.Prim || type instanceof Type.Array)) {
      return copy;
    }
    return switch (x.tag()) {
      case BasicOp.Tag.Barrier _ -> copy;
      case BasicOp.Tag.Break e -> {
        ElemType elem = ValueFormatter.elemType(type.elemPrim(), false);
        yield f -> {
          copy.run(f);
          machine.options().events().accept(ValueFormatter.value(elem, value, f), e.event());
        };
      }
      case BasicOp.Tag.Trace t -> {
        ElemType elem = ValueFormatter.elemType(type.elemPrim(), t.unsigned());
        yield f -> {
          copy.run(f);
          Value traced = ValueFormatter.value(elem, value, f);
          machine.options().trace().accept(ValueDisplay.plain(t.text() + ": ", traced) + "\n");
        };
      }
    };
  }

  private Instruction assertion(BasicOp.Assert x, Destination out) {
    Operand cond = scopes.in(x.cond());
    List<Operand> parts = new ArrayList<>();
    for (BasicOp.MsgPart p : x.message()) {
      parts.add(p instanceof BasicOp.MsgPart.Value v ? scopes.in(v.value()) : Operand.constant(0));
    }
    return f -> {
      if (cond.scalar(f) == 0) {
        throw error(x, parts, f);
      }
      out.scalar(f, 0);
    };
  }

  private static FutharkError error(BasicOp.Assert x, List<Operand> parts, CallFrame f) {
    StringBuilder message = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      switch (x.message().get(i)) {
        case BasicOp.MsgPart.Text t -> message.append(t.text());
        case BasicOp.MsgPart.Value v ->
            message.append(ValueFormatter.scalar(v.type(), v.unsigned(), parts.get(i).scalar(f)));
      }
    }
    return new FutharkError(message.toString(), ValueFormatter.trace(x.trace()));
  }

  /** A compiled slice: for each dimension either an index, or start, count and stride. */
  private record CompiledSlice(Operand[][] dims, int rank) {
    /**
     * Returns the selected elements of an array. If the slice selects no element, its indices may
     * be out of range.
     */
    ArrayView of(ArrayView v, CallFrame f) {
      boolean some = true;
      for (Operand[] d : dims) {
        some &= d.length == 1 || d[1].scalar(f) != 0;
      }
      long offset = v.offset();
      long[] shape = new long[rank];
      long[] strides = new long[rank];
      int k = 0;
      for (int d = 0; d < dims.length; d++) {
        long start = dims[d][0].scalar(f);
        if (dims[d].length == 1) {
          if (some && (start < 0 || start >= v.shape()[d])) {
            throw v.outside(start, d);
          }
        } else {
          long count = dims[d][1].scalar(f);
          long stride = dims[d][2].scalar(f);
          if (some && count > 0) {
            if (start < 0 || start >= v.shape()[d]) {
              throw v.outside(start, d);
            }
            long end = start + (count - 1) * stride;
            if (end < 0 || end >= v.shape()[d]) {
              throw v.outside(end, d);
            }
          }
          shape[k] = count;
          strides[k++] = v.strides()[d] * stride;
        }
        offset += start * v.strides()[d];
      }
      return new ArrayView(v.store(), offset, shape, strides);
    }

    /** Tests whether all selected elements are in the array. */
    boolean isInside(ArrayView v, CallFrame f) {
      for (int d = 0; d < dims.length; d++) {
        long n = v.shape()[d];
        long start = dims[d][0].scalar(f);
        long count = dims[d].length == 1 ? 1 : dims[d][1].scalar(f);
        long end = count <= 1 ? start : start + (count - 1) * dims[d][2].scalar(f);
        if (count > 0 && (start < 0 || start >= n || end < 0 || end >= n)) {
          return false;
        }
      }
      return true;
    }
  }

  private CompiledSlice slice(Slice s) {
    Operand[][] dims = new Operand[s.dims().size()][];
    for (int d = 0; d < dims.length; d++) {
      dims[d] =
          switch (s.dims().get(d)) {
            case Slice.Fix x -> new Operand[] {scopes.in(x.index())};
            case Slice.Range r ->
                new Operand[] {scopes.in(r.start()), scopes.in(r.count()), scopes.in(r.stride())};
          };
    }
    return new CompiledSlice(dims, s.shape().size());
  }

  private Instruction index(BasicOp.Index x, Destination out) {
    Operand array = scopes.in(x.array());
    CompiledSlice slice = slice(x.slice());
    if (!out.isScalar()) {
      return f -> out.object(f, slice.of(array.view(f), f));
    }
    int n = slice.dims().length;
    return f -> {
      ArrayView v = array.view(f);
      long at = v.offset();
      for (int d = 0; d < n; d++) {
        long i = slice.dims()[d][0].scalar(f);
        if (i < 0 || i >= v.shape()[d]) {
          throw v.outside(i, d);
        }
        at += i * v.strides()[d];
      }
      out.load(f, v, at);
    };
  }

  private Instruction update(BasicOp.Update x, Destination out) {
    Operand array = scopes.in(x.array());
    CompiledSlice slice = slice(x.slice());
    Operand value = scopes.in(x.value());
    return f -> {
      ArrayView v = array.view(f);
      if (!x.safe() || slice.isInside(v, f)) {
        Elements.write(slice.of(v, f), value, f);
      }
      out.object(f, v);
    };
  }

  private Operand[] flat(FlatSlice s) {
    List<Operand> ins = new ArrayList<>(List.of(scopes.in(s.offset())));
    for (FlatSlice.Dim d : s.dims()) {
      ins.add(scopes.in(d.count()));
      ins.add(scopes.in(d.stride()));
    }
    return ins.toArray(Operand[]::new);
  }

  private static ArrayView flatSlice(ArrayView v, Operand[] slice, CallFrame f) {
    int rank = slice.length / 2;
    long[] shape = new long[rank];
    long[] strides = new long[rank];
    long start = slice[0].scalar(f);
    long least = start;
    long greatest = start;
    for (int d = 0; d < rank; d++) {
      shape[d] = slice[1 + 2 * d].scalar(f);
      long stride = slice[2 + 2 * d].scalar(f);
      strides[d] = stride * v.strides()[0];
      long span = (shape[d] - 1) * stride;
      if (span < 0) {
        least += span;
      } else {
        greatest += span;
      }
    }
    if (ArrayView.size(shape) > 0) {
      if (least < 0) {
        throw v.outside(least, 0);
      }
      if (greatest >= v.shape()[0]) {
        throw v.outside(greatest, 0);
      }
    }
    return new ArrayView(v.store(), v.offset() + start * v.strides()[0], shape, strides);
  }

  private Instruction concat(BasicOp.Concat x, Destination out) {
    Operand[] arrays = scopes.names(x.arrays());
    int dim = x.dim();
    return f -> {
      ArrayView all = out.fresh(f);
      long at = 0;
      for (Operand array : arrays) {
        ArrayView v = array.view(f);
        long n = v.shape()[dim];
        long[] shape = all.shape().clone();
        shape[dim] = n;
        if (at + n > all.shape()[dim]) {
          throw new Fault("the size of the concatenation is too small");
        }
        new ArrayView(all.store(), all.offset() + at * all.strides()[dim], shape, all.strides())
            .assign(v);
        at += n;
      }
      if (at != all.shape()[dim]) {
        throw new Fault("the size of the concatenation is too great");
      }
    };
  }

  private static ArrayView permuted(ArrayView v, int[] perm) {
    long[] shape = new long[perm.length];
    long[] strides = new long[perm.length];
    for (int d = 0; d < perm.length; d++) {
      shape[d] = v.shape()[perm[d]];
      strides[d] = v.strides()[perm[d]];
    }
    return new ArrayView(v.store(), v.offset(), shape, strides);
  }

  /**
   * Copies an array. The layout is the destination's if its type has a memory annotation, and
   * otherwise the permutation's.
   */
  private static void manifest(ArrayView v, int[] perm, Destination out, CallFrame f) {
    if (out instanceof Destination.Array a && a.said(f) != null) {
      out.fresh(f).assign(v);
      return;
    }
    ArrayView copy = permuted(v, perm).copy();
    int[] inverse = new int[perm.length];
    for (int d = 0; d < perm.length; d++) {
      inverse[perm[d]] = d;
    }
    out.object(f, permuted(copy, inverse));
  }

  private static Instruction replicate(Operand value, int outer, Destination out) {
    return f -> {
      ArrayView v = out.fresh(f);
      if (value.isScalar()) {
        v.fill(value, f);
      } else {
        fill(v, outer, value.view(f));
      }
    };
  }

  private static void fill(ArrayView v, int outer, ArrayView row) {
    if (outer == 0) {
      v.assign(row);
      return;
    }
    for (long i = 0; i < v.shape()[0]; i++) {
      fill(v.rowView(i), outer - 1, row);
    }
  }

  private Instruction reshape(BasicOp.Reshape x, Destination out) {
    Operand array = scopes.in(x.array());
    Operand[] dims = scopes.ins(x.shape());
    return f -> {
      ArrayView v = array.view(f);
      long[] shape = new long[dims.length];
      for (int d = 0; d < shape.length; d++) {
        shape[d] = dims[d].scalar(f);
      }
      if (ArrayView.size(shape) != v.size()) {
        throw new Fault("reshape of " + v.size() + " elements to " + ArrayView.size(shape));
      }
      ArrayView said = out instanceof Destination.Array a ? a.said(f) : null;
      boolean sameRank = shape.length == v.rank() && Arrays.equals(shape, v.shape());
      // An empty array may have other sizes: the sizes of rows are unknown if there are no rows.
      if (x.coerce() && !sameRank && v.size() > 0) {
        throw new Fault(
            "coercion of shape " + Arrays.toString(v.shape()) + " to " + Arrays.toString(shape));
      }
      if (said != null && said.store().base() != v.store().base()) {
        out.fresh(f).assign(sameRank ? v : ArrayView.whole(v.copy().store(), shape));
      } else if (sameRank) {
        out.object(f, new ArrayView(v.store(), v.offset(), shape, v.strides()));
      } else if (v.isContiguous()) {
        out.object(f, new ArrayView(v.store(), v.offset(), shape, ArrayView.rowMajor(shape)));
      } else if (said != null) {
        if (!sameElements(v, said)) {
          throw new Fault("the reshaped array is not where its type says");
        }
        out.object(f, said);
      } else {
        out.object(f, ArrayView.whole(v.copy().store(), shape));
      }
    };
  }

  /** Tests whether two arrays consist of the same positions in memory, in row-major order. */
  private static boolean sameElements(ArrayView a, ArrayView b) {
    return Arrays.equals(positions(a), positions(b));
  }

  private static long[] positions(ArrayView v) {
    long[] all = new long[Math.toIntExact(v.size())];
    for (int i = 0; i < all.length; i++) {
      long rest = i;
      long at = v.offset();
      for (int d = v.rank() - 1; d >= 0; d--) {
        at += rest % v.shape()[d] * v.strides()[d];
        rest /= v.shape()[d];
      }
      all[i] = at;
    }
    return all;
  }
}
