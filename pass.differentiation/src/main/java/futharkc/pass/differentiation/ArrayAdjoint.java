package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.List;

/**
 * Reverse mode of operations without bodies.
 *
 * <pre>
 * y = f(x1, .., xn), scalars       xk_ += f_k * y_
 * y = x[s]                         x_[s] += y_
 * y = x with [s] = v               v_ += y_[s]; x_ += y_ with [s] = 0
 * y = replicate n x                x_ += sum of y_
 * y = concat x1 .. xn              xk_ += slice k of y_
 * y = [x1, .., xn]                 xk_ += y_[k]
 * y = reshape, rearrange of x      x_ += y_ in the shape, order of x
 * y = iota n from a by s           n_ += sum of y_; a_ += sum of y_; s_ += sum of i * y_[i]
 * </pre>
 *
 * <p>The derivative of {@code iota n} by n is a convention of the language's public tests: a longer
 * iota has a greater sum. The length of a range has the derivative zero.
 */
final class ArrayAdjoint {
  private final Sweep sweep;
  private final Adjoints adjoints;
  private final Emitter e;

  ArrayAdjoint(Sweep sweep, Emitter e) {
    this.sweep = sweep;
    this.adjoints = sweep.adjoints();
    this.e = e;
  }

  void reverse(Stm s, BasicOp op) {
    if (op instanceof BasicOp.UpdateAcc x) {
      AccumulatorAdjoint.updated(sweep, e, x);
      return;
    }
    PatElem p = s.pat().get(0);
    Name y = p.name();
    // Adjoints of a copy's elements become adjoints of the original's elements.
    if (adjoints.get(y) instanceof Adjoints.Adjoint.Sparse sparse
        && op instanceof BasicOp.Replicate x
        && x.shape().isEmpty()
        && x.value() instanceof SubExp.Var v) {
      for (Adjoints.Part part : sparse.parts()) {
        adjoints.addAt(e, v.name(), part.index(), part.value(), part.safe());
      }
      return;
    }
    switch (op) {
      case BasicOp.BinOpExp x -> scalar(y, x);
      case BasicOp.UnOpExp x -> scalar(y, x);
      case BasicOp.ConvOpExp x -> scalar(y, x);
      case BasicOp.PrimFunExp x -> scalar(y, x);
      case BasicOp.SubExpOp x -> adjoints.add(e, x.value(), adjoints.owned(e, y), true);
      case BasicOp.Opaque x -> adjoints.add(e, x.value(), adjoints.owned(e, y), true);
      case BasicOp.ArrayLit x -> {
        SubExp adj = adjoints.value(e, y);
        for (int k = 0; k < x.elems().size(); k++) {
          if (!adjoints.isActive(x.elems().get(k))) {
            continue;
          }
          adjoints.add(e, x.elems().get(k), e.index(adj, List.of(SubExp.i64(k))));
        }
      }
      case BasicOp.Index x -> adjoints.addSlice(e, x.array(), x.slice(), adjoints.value(e, y));
      case BasicOp.Update x -> update(y, x);
      case BasicOp.FlatIndex x -> flatIndex(x, adjoints.value(e, y));
      case BasicOp.FlatUpdate x -> {
        SubExp adj = adjoints.owned(e, y);
        Type t = Type.array(Type.prim(p.type().elemPrim()), x.slice().shape());
        if (adjoints.isActive(SubExp.of(x.value()))) {
          SubExp part = e.let("part", t, new BasicOp.FlatIndex(Emitter.array(adj), x.slice()));
          adjoints.add(e, SubExp.of(x.value()), e.copy(part), true);
        }
        SubExp zeros = Arithmetic.zeros(e, t);
        SubExp rest =
            e.let(
                "adj",
                p.type(),
                new BasicOp.FlatUpdate(Emitter.array(adj), x.slice(), Emitter.array(zeros)));
        adjoints.add(e, SubExp.of(x.array()), rest, true);
      }
      case BasicOp.Concat x -> concat(x, adjoints.value(e, y));
      case BasicOp.Manifest x -> adjoints.add(e, SubExp.of(x.array()), adjoints.owned(e, y), true);
      case BasicOp.Reshape x -> {
        Type t = e.type(x.array());
        SubExp adj = adjoints.owned(e, y);
        adjoints.add(
            e,
            SubExp.of(x.array()),
            e.let("adj", t, new BasicOp.Reshape(x.coerce(), Emitter.array(adj), t.dims())),
            true);
      }
      case BasicOp.Rearrange x -> {
        Type t = e.type(x.array());
        SubExp adj = adjoints.owned(e, y);
        adjoints.add(
            e,
            SubExp.of(x.array()),
            e.let("adj", t, new BasicOp.Rearrange(Emitter.array(adj), inverse(x.perm()))),
            true);
      }
      case BasicOp.Replicate x -> {
        int outer = x.shape().size();
        SubExp adj = outer == 0 ? adjoints.owned(e, y) : adjoints.value(e, y);
        if (adjoints.isActive(x.value())) {
          adjoints.add(e, x.value(), total(e, adj, outer), true);
        }
      }
      case BasicOp.Iota x -> iota(x, adjoints.value(e, y));
      case BasicOp.ArrayVal x -> {}
      case BasicOp.CmpOpExp x -> {}
      case BasicOp.Assert x -> {}
      case BasicOp.Scratch x -> {}
      case BasicOp.UserParam x -> {}
      case BasicOp.UpdateAcc x ->
          throw new IllegalStateException("an accumulator update has its own rule");
    }
  }

  static List<Integer> inverse(List<Integer> perm) {
    List<Integer> inverse = new ArrayList<>(perm);
    for (int d = 0; d < perm.size(); d++) {
      inverse.set(perm.get(d), d);
    }
    return inverse;
  }

  private void scalar(Name y, BasicOp op) {
    SubExp adj = adjoints.value(e, y);
    List<SubExp> operands = ScalarPartials.operands(op);
    for (int k = 0; k < operands.size(); k++) {
      SubExp x = operands.get(k);
      if (!adjoints.isActive(x)) {
        continue;
      }
      ScalarPartials.Partial partial = ScalarPartials.of(e, op, k, SubExp.of(y));
      if (partial instanceof ScalarPartials.Partial.Factor f && Arithmetic.isZero(f.value())) {
        continue;
      }
      adjoints.add(e, x, ScalarPartials.backward(e, partial, adj));
    }
  }

  private void update(Name y, BasicOp.Update x) {
    Type t = e.type(y);
    SubExp adj = adjoints.owned(e, y);
    Type part = Type.array(Type.prim(t.elemPrim()), x.slice().shape());
    if (adjoints.isActive(x.value())) {
      SubExp contribution =
          x.safe()
              ? e.conditional(
                      "part",
                      List.of(part),
                      isInside(x.slice(), t),
                      in -> List.of(in.copy(in.slice(adj, x.slice()))),
                      in -> List.of(Arithmetic.zeros(in, part)))
                  .get(0)
              : e.copy(e.slice(adj, x.slice()));
      adjoints.add(e, x.value(), contribution, true);
    }
    if (!adjoints.isActive(SubExp.of(x.array()))) {
      return;
    }
    SubExp zeros = Arithmetic.zeros(e, part);
    SubExp rest =
        e.let("adj", t, new BasicOp.Update(x.safe(), Emitter.array(adj), x.slice(), zeros));
    adjoints.add(e, SubExp.of(x.array()), rest, true);
  }

  private SubExp isInside(Slice s, Type t) {
    SubExp inside = SubExp.TRUE;
    for (int d = 0; d < s.dims().size(); d++) {
      SubExp size = t.dims().get(d);
      inside =
          switch (s.dims().get(d)) {
            case Slice.Fix f -> and(inside, Arithmetic.inRange(e, f.index(), size));
            case Slice.Range r -> {
              SubExp steps = Arithmetic.sub(e, r.count(), SubExp.i64(1));
              SubExp last = Arithmetic.add(e, r.start(), Arithmetic.mul(e, steps, r.stride()));
              SubExp ends =
                  and(Arithmetic.inRange(e, r.start(), size), Arithmetic.inRange(e, last, size));
              yield and(inside, ends);
            }
          };
    }
    return inside;
  }

  private SubExp and(SubExp a, SubExp b) {
    return Arithmetic.times(e, PrimType.BOOL, a, b);
  }

  /**
   * Adds the adjoint of a flat index through an accumulator, since an element may occur several
   * times.
   */
  private void flatIndex(BasicOp.FlatIndex x, SubExp adj) {
    if (!adjoints.isActive(SubExp.of(x.array()))) {
      return;
    }
    AccumulatedAdjoint.add(
        adjoints,
        e,
        x.array(),
        (in, acc) -> flatIndex(in, acc, x.slice(), 0, x.slice().offset(), adj));
  }

  private static Name flatIndex(
      Emitter e, Name acc, FlatSlice s, int dim, SubExp at, SubExp value) {
    if (dim == s.dims().size()) {
      return e.name(
          "acc", e.type(acc), new BasicOp.UpdateAcc(true, acc, List.of(at), List.of(value)));
    }
    FlatSlice.Dim d = s.dims().get(dim);
    return Adjoints.over(
        e,
        d.count(),
        acc,
        List.of(value),
        (in, a, row, i) -> {
          SubExp next = Arithmetic.add(in, at, Arithmetic.mul(in, i, d.stride()));
          return flatIndex(in, a, s, dim + 1, next, row.get(0));
        });
  }

  private void concat(BasicOp.Concat x, SubExp adj) {
    List<SubExp> dims = e.type(adj).dims();
    SubExp offset = SubExp.i64(0);
    for (Name a : x.arrays()) {
      SubExp size = e.type(a).dims().get(x.dim());
      if (adjoints.isActive(SubExp.of(a))) {
        List<Slice.Dim> slice = new ArrayList<>();
        for (int d = 0; d < dims.size(); d++) {
          boolean along = d == x.dim();
          slice.add(
              new Slice.Range(
                  along ? offset : SubExp.i64(0), along ? size : dims.get(d), SubExp.i64(1)));
        }
        adjoints.add(e, SubExp.of(a), e.slice(adj, new Slice(slice)));
      }
      offset = Arithmetic.add(e, offset, size);
    }
  }

  private void iota(BasicOp.Iota x, SubExp adj) {
    boolean plain = x.start() instanceof SubExp.Const && x.stride() instanceof SubExp.Const;
    boolean count = plain && adjoints.isActive(x.count());
    if (count || adjoints.isActive(x.start())) {
      SubExp sum = total(e, adj, 1);
      adjoints.add(e, x.start(), sum);
      ConvOp widen = new ConvOp(ConvOp.Kind.SEXT, x.type(), PrimType.I64);
      SubExp wide = x.type() == PrimType.I64 || !count ? sum : Arithmetic.convert(e, widen, sum);
      if (count) {
        adjoints.add(e, x.count(), wide);
      }
    }
    if (adjoints.isActive(x.stride())) {
      ConvOp narrow = new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, x.type());
      SubExp weighted =
          e.map(
                  "weighted",
                  x.count(),
                  List.of(adj, e.iota(x.count())),
                  (in, v) -> {
                    SubExp i =
                        x.type() == PrimType.I64
                            ? v.get(1)
                            : Arithmetic.convert(in, narrow, v.get(1));
                    return List.of(Arithmetic.times(in, x.type(), v.get(0), i));
                  })
              .get(0);
      adjoints.add(e, x.stride(), total(e, weighted, 1));
    }
  }

  // Sums

  /** Returns the sum over the outer dimensions of an array. */
  static SubExp total(Emitter e, SubExp array, int outer) {
    if (outer == 0) {
      return array;
    }
    Type t = e.type(array);
    SubExp flat = array;
    SubExp size = t.dims().get(0);
    if (outer > 1) {
      for (SubExp d : t.dims().subList(1, outer)) {
        size = Arithmetic.mul(e, size, d);
      }
      Type f = Type.array(t.peel(outer), size);
      flat = e.let("flat", f, new BasicOp.Reshape(false, Emitter.array(array), f.dims()));
    }
    return e.reduce(
            "total",
            size,
            List.of(Emitter.array(flat)),
            List.of(Arithmetic.summing(e, t.peel(outer))))
        .get(0);
  }
}
