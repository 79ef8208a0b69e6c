package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Flattens updates of array slices. If the slice is the same in all segments, one update writes all
 * segments. Otherwise a scatter writes each element.
 */
final class UpdateFlattening {
  private final Flattener in;

  UpdateFlattening(Flattener in) {
    this.in = in;
  }

  /** The slice that a segment writes. */
  private interface Part {
    /** Returns the shape of the slice. */
    List<SubExp> shape();

    /**
     * Returns the index in the array of an element of the slice; an index of -1 if the element is
     * not written.
     */
    List<SubExp> place(SegBodyBuilder k, List<SubExp> index, List<SubExp> dims);
  }

  void update(HostBuilder h, Nest n, LiftedEnv env, Stm s, BasicOp.Update x) {
    PatElem p = s.pat().get(0);
    Type t = p.type();
    if (x.slice().isElement() && Flattener.isRegular(env, s, t)) {
      in.scalars(h, n, env, List.of(s), new HashSet<>(s.names()));
      return;
    }
    if (Flattener.isRegular(env, s, t) && !varies(env, x.slice())) {
      Name dest = Regularisation.regular(h, n, env, SubExp.of(x.array()), t);
      Type part = Type.array(Type.prim(t.elemPrim()), x.slice().shape());
      Name value = Regularisation.regular(h, n, env, x.value(), part);
      BasicOp all =
          new BasicOp.Update(
              x.safe(), dest, ArrayFlattening.all(n.dims(), x.slice()), SubExp.of(value));
      put(env, p, new ValueRep.Regular(h.let("update", h.type(dest), all)), n);
      return;
    }
    Part part =
        new Part() {
          @Override
          public List<SubExp> shape() {
            return x.slice().shape();
          }

          @Override
          public List<SubExp> place(SegBodyBuilder k, List<SubExp> index, List<SubExp> dims) {
            List<SubExp> at = ArrayFlattening.selected(k, x.slice(), index);
            return x.safe() ? unlessOutside(k, x.slice(), at, dims) : at;
          }
        };
    each(h, n, env, s, x.array(), x.value(), part);
  }

  /**
   * Returns the index, or -1 if the slice is out of bounds: a safe update out of bounds has no
   * effect.
   */
  private static List<SubExp> unlessOutside(
      SegBodyBuilder k, Slice slice, List<SubExp> at, List<SubExp> dims) {
    SubExp inside = SubExp.TRUE;
    for (int d = 0; d < dims.size(); d++) {
      switch (slice.dims().get(d)) {
        case Slice.Fix f ->
            inside = k.and(inside, k.compare(CmpOp.Kind.ULT, at.get(d), dims.get(d)));
        case Slice.Range r -> {
          SubExp first = k.operand(r.start());
          SubExp steps = k.minus(k.operand(r.count()), SubExp.i64(1));
          SubExp last = k.plus(first, k.times(steps, k.operand(r.stride())));
          inside = k.and(inside, k.compare(CmpOp.Kind.ULT, first, dims.get(d)));
          inside = k.and(inside, k.compare(CmpOp.Kind.ULT, last, dims.get(d)));
        }
      }
    }
    List<SubExp> checked = new ArrayList<>(at);
    SubExp first = at.get(0);
    checked.set(0, k.either(inside, Type.I64, a -> first, a -> SubExp.i64(-1)));
    return checked;
  }

  void flatUpdate(HostBuilder h, Nest n, LiftedEnv env, Stm s, BasicOp.FlatUpdate x) {
    PatElem p = s.pat().get(0);
    Type t = p.type();
    FlatSlice slice = x.slice();
    if (Flattener.isRegular(env, s, t) && !varies(env, slice)) {
      Name dest = Regularisation.regular(h, n, env, SubExp.of(x.array()), t);
      Type part = Type.array(Type.prim(t.elemPrim()), slice.shape());
      Name value = Regularisation.regular(h, n, env, SubExp.of(x.value()), part);
      SubExp count = h.count(n);
      List<SubExp> shape = new ArrayList<>(List.of(count));
      shape.addAll(slice.shape());
      List<FlatSlice.Dim> dims = new ArrayList<>();
      dims.add(new FlatSlice.Dim(count, t.outerSize()));
      dims.addAll(slice.dims());
      Name flat = h.flat(dest);
      Name updated =
          h.let(
              "update",
              h.type(flat),
              new BasicOp.FlatUpdate(
                  flat, new FlatSlice(slice.offset(), dims), h.reshaped(value, shape)));
      put(env, p, new ValueRep.Regular(h.reshaped(updated, h.type(dest).dims())), n);
      return;
    }
    Part part =
        new Part() {
          @Override
          public List<SubExp> shape() {
            return slice.shape();
          }

          @Override
          public List<SubExp> place(SegBodyBuilder k, List<SubExp> index, List<SubExp> dims) {
            SubExp at = k.operand(slice.offset());
            for (int d = 0; d < index.size(); d++) {
              SubExp stride = k.operand(slice.dims().get(d).stride());
              at = k.plus(at, k.times(index.get(d), stride));
            }
            return List.of(at);
          }
        };
    each(h, n, env, s, x.array(), SubExp.of(x.value()), part);
  }

  /** Emits a scatter that writes each element of the slices. */
  private void each(
      HostBuilder h, Nest n, LiftedEnv env, Stm s, Name array, SubExp value, Part part) {
    PatElem p = s.pat().get(0);
    Type t = p.type();
    boolean regular = Flattener.isRegular(env, s, t);
    List<SubExp> shape = shape(env, part, value);
    boolean sameShape = !env.anyVaries(shape);
    BiFunction<SegBodyBuilder, List<SubExp>, SubExp> element =
        (k, index) -> value instanceof SubExp.Var v ? k.locate(v.name()).element(k, index) : value;
    if (regular && sameShape) {
      Name dest = Regularisation.regular(h, n, env, SubExp.of(array), t);
      Name updated =
          h.scatter(
              "update",
              dest,
              n,
              env,
              shape,
              k -> {
                List<SubExp> index = new ArrayList<>(k.at(n));
                index.addAll(part.place(k, k.inside(), k.operands(t.dims())));
                return new HostBuilder.Written(index, element.apply(k, k.inside()));
              });
      put(env, p, new ValueRep.Regular(updated), n);
      return;
    }
    ValueRep.Irregular dest =
        Regularisation.dense(h, n, Regularisation.irregular(h, n, env, array));
    Nest written = sameShape ? n : elements(h, n, env, shape);
    Name updated =
        h.scatter(
            "update",
            dest.data(),
            written,
            env,
            sameShape ? shape : List.of(),
            k -> {
              List<SubExp> index =
                  sameShape ? k.inside() : k.unflatten(k.position(written), k.operands(shape));
              List<SubExp> dims = k.operands(t.dims());
              List<SubExp> place = part.place(k, index, dims);
              SubExp at = k.plus(k.element(dest.offsets(), k.number(n)), k.rowMajor(place, dims));
              // The first index is -1 for an element that is not written.
              SubExp some = k.compare(CmpOp.Kind.SLE, SubExp.i64(0), place.get(0));
              SubExp to = k.either(some, Type.I64, a -> at, a -> SubExp.i64(-1));
              return new HostBuilder.Written(List.of(to), element.apply(k, index));
            });
    put(env, p, new ValueRep.Irregular(dest.sizes(), dest.offsets(), updated, true), n);
  }

  /**
   * Returns the shape of the slice. If the value's sizes are invariant, the result uses the value's
   * names for them.
   */
  private List<SubExp> shape(LiftedEnv env, Part part, SubExp value) {
    if (!(value instanceof SubExp.Var v)) {
      return part.shape();
    }
    List<SubExp> dims = in.cx.scope.type(v.name()).dims();
    return dims.size() != part.shape().size() || env.anyVaries(dims) ? part.shape() : dims;
  }

  private static Nest elements(HostBuilder h, Nest n, LiftedEnv env, List<SubExp> shape) {
    SegmentDescriptor all = h.numbering(Regularisation.sizes(h, n, env, shape));
    return new Nest.Flat(n, all.total(), all.ids(), all.offsets());
  }

  private static void put(LiftedEnv env, PatElem p, ValueRep rep, Nest n) {
    env.put(p.name(), new LiftedName(p.type(), rep, n));
  }

  private static boolean varies(LiftedEnv env, Slice slice) {
    for (Slice.Dim d : slice.dims()) {
      boolean varies =
          switch (d) {
            case Slice.Fix f -> env.varies(f.index());
            case Slice.Range r -> env.anyVaries(List.of(r.start(), r.count(), r.stride()));
          };
      if (varies) {
        return true;
      }
    }
    return false;
  }

  private static boolean varies(LiftedEnv env, FlatSlice slice) {
    return env.varies(slice.offset())
        || slice.dims().stream().anyMatch(d -> env.anyVaries(List.of(d.count(), d.stride())));
  }
}
