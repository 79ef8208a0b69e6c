package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flattens array operations that do not compute with elements. If the sizes and the selection are
 * the same in all segments, one operation on the arrays of all segments suffices. Otherwise a
 * kernel reads each element.
 */
final class ArrayFlattening {
  private final Flattener in;

  ArrayFlattening(Flattener in) {
    this.in = in;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, BasicOp op) {
    Type t = s.pat().get(0).type();
    Name result = s.pat().get(0).name();
    if (!(t instanceof Type.Array)) {
      in.scalars(h, n, env, List.of(s), new HashSet<>(s.names()));
      return;
    }
    boolean regular = Flattener.isRegular(env, s, t);
    ValueRep rep = regular ? regular(h, n, env, s, op) : irregular(h, n, env, t, op);
    env.put(result, new LiftedName(t, rep, n));
  }

  // Results of equal sizes in all segments

  private ValueRep regular(HostBuilder h, Nest n, LiftedEnv env, Stm s, BasicOp op) {
    Type t = s.pat().get(0).type();
    // In an empty nest, a reshape may name sizes that the array does not have.
    if (!env.anyVaries(FreeNames.of(op)) && !(op instanceof BasicOp.Reshape)) {
      Name once = once(h, n, env, s, t, op);
      return new ValueRep.Regular(h.replicate("all", n.dims(), SubExp.of(once)));
    }
    BasicOp whole = whole(h, n, env, op);
    if (whole != null) {
      return new ValueRep.Regular(h.let("arr", Type.array(t, n.dims()), whole));
    }
    switch (op) {
      case BasicOp.Reshape x -> {
        return new ValueRep.Regular(Regularisation.regular(h, n, env, SubExp.of(x.array()), t));
      }
      case BasicOp.Replicate x when !env.anyVaries(x.shape()) -> {
        return new ValueRep.Regular(replicated(h, n, env, x));
      }
      case BasicOp.Index x when isInArray(env.get(x.array())) -> {
        return new ValueRep.Part(env.get(x.array()), x.array(), x.slice(), h.aux().certs());
      }
      default -> {}
    }
    SegBodyBuilder k = h.kernel(n, env, t.dims().toArray(SubExp[]::new));
    SubExp element = element(k, op, k.inside(), t);
    return new ValueRep.Regular(h.segMap("arr", k, element));
  }

  /**
   * Returns an array that is the same in all segments, computed once. An index with a check that
   * varies is evaluated only if the nest has a segment: without segments, nothing was checked.
   */
  private static Name once(HostBuilder h, Nest n, LiftedEnv env, Stm s, Type t, BasicOp op) {
    boolean checked = op instanceof BasicOp.Index && env.anyVaries(s.aux().certs());
    if (!checked || n.dims().isEmpty()) {
      return h.let("once", t, op);
    }
    SubExp some = h.cmp("some", CmpOp.Kind.SLT, SubExp.i64(0), h.count(n));
    return h.either(
            "once",
            List.of(t),
            some,
            x -> List.of(x.letExp("once", t, op)),
            x -> List.of(x.nothing(t)))
        .get(0);
  }

  /** Returns one operation on the arrays of all segments at once, or null if there is none. */
  private static @Nullable BasicOp whole(HostBuilder h, Nest n, LiftedEnv env, BasicOp op) {
    List<SubExp> dims = n.dims();
    int rank = dims.size();
    return switch (op) {
      case BasicOp.SubExpOp x -> new BasicOp.SubExpOp(lifted(h, n, env, x.value()));
      case BasicOp.Opaque x -> new BasicOp.Opaque(x.tag(), lifted(h, n, env, x.value()));
      case BasicOp.Index x when isRegular(env, x.array()) && !varies(env, x.slice()) ->
          new BasicOp.Index(lifted(h, n, env, x.array()), all(dims, x.slice()));
      case BasicOp.Concat x when x.arrays().stream().allMatch(a -> isRegular(env, a)) -> {
        List<Name> arrays = new ArrayList<>();
        for (Name a : x.arrays()) {
          arrays.add(lifted(h, n, env, a));
        }
        yield new BasicOp.Concat(rank + x.dim(), arrays, x.size());
      }
      case BasicOp.Manifest x ->
          new BasicOp.Manifest(lifted(h, n, env, x.array()), all(rank, x.perm()));
      case BasicOp.Rearrange x ->
          new BasicOp.Rearrange(lifted(h, n, env, x.array()), all(rank, x.perm()));
      case BasicOp.Reshape x when isRegular(env, x.array()) -> {
        List<SubExp> shape = new ArrayList<>(dims);
        shape.addAll(x.shape());
        yield new BasicOp.Reshape(x.coerce(), lifted(h, n, env, x.array()), shape);
      }
      case BasicOp.Replicate x when x.shape().isEmpty() ->
          new BasicOp.Replicate(List.of(), lifted(h, n, env, x.value()));
      default -> null;
    };
  }

  private static Type type(HostBuilder h, LiftedEnv env, Name array) {
    LiftedName v = env.get(array);
    return v == null ? h.type(array) : v.type();
  }

  private static boolean isRegular(LiftedEnv env, Name array) {
    LiftedName v = env.get(array);
    return v == null || env.isRegular(v.type());
  }

  /** Tests whether kernels can read slices of the value at their uses. */
  private static boolean isInArray(@Nullable LiftedName v) {
    if (v == null) {
      return true;
    }
    return switch (v.rep()) {
      case ValueRep.Regular r -> true;
      case ValueRep.HostRow r -> true;
      case ValueRep.Part r -> true;
      case ValueRep.Row r -> isInArray(r.of());
      case ValueRep.Irregular r -> false;
      case ValueRep.Accumulator r -> false;
      case ValueRep.Certificate r -> false;
    };
  }

  private static boolean varies(LiftedEnv env, Slice slice) {
    return slice.dims().stream()
        .anyMatch(
            d ->
                switch (d) {
                  case Slice.Fix f -> env.varies(f.index());
                  case Slice.Range r ->
                      env.varies(r.start()) || env.varies(r.count()) || env.varies(r.stride());
                });
  }

  private static Name lifted(HostBuilder h, Nest n, LiftedEnv env, Name array) {
    return Regularisation.regular(h, n, env, SubExp.of(array), type(h, env, array));
  }

  private static SubExp lifted(HostBuilder h, Nest n, LiftedEnv env, SubExp array) {
    return SubExp.of(lifted(h, n, env, ((SubExp.Var) array).name()));
  }

  /** Returns the slice that selects everything of the outer dimensions, then the inner slice. */
  static Slice all(List<SubExp> dims, Slice inner) {
    List<Slice.Dim> all = new ArrayList<>();
    for (SubExp d : dims) {
      all.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
    }
    all.addAll(inner.dims());
    return new Slice(all);
  }

  private static List<Integer> all(int outer, List<Integer> perm) {
    List<Integer> all = new ArrayList<>();
    for (int d = 0; d < outer; d++) {
      all.add(d);
    }
    for (int d : perm) {
      all.add(outer + d);
    }
    return all;
  }

  /** Returns the values of all segments, each replicated within its segment. */
  private static Name replicated(HostBuilder h, Nest n, LiftedEnv env, BasicOp.Replicate x) {
    LiftedName v = x.value() instanceof SubExp.Var y ? env.get(y.name()) : null;
    Type t = v == null ? h.type(x.value()) : v.type();
    Name once = Regularisation.regular(h, n, env, x.value(), t);
    Name outside = h.replicate("rep", x.shape(), SubExp.of(once));
    int inner = x.shape().size();
    int outer = n.dims().size();
    List<Integer> perm = new ArrayList<>();
    for (int d = 0; d < outer; d++) {
      perm.add(inner + d);
    }
    for (int d = 0; d < inner; d++) {
      perm.add(d);
    }
    for (int d = 0; d < t.rank(); d++) {
      perm.add(outer + inner + d);
    }
    Type all = Type.array(Type.array(t, x.shape()), n.dims());
    return h.let("rep", all, new BasicOp.Rearrange(outside, perm));
  }

  // Results of sizes that vary among segments

  private ValueRep.Irregular irregular(HostBuilder h, Nest n, LiftedEnv env, Type t, BasicOp op) {
    switch (op) {
      case BasicOp.SubExpOp x -> {
        return Regularisation.irregular(h, n, env, ((SubExp.Var) x.value()).name());
      }
      case BasicOp.Reshape x -> {
        return Regularisation.irregular(h, n, env, x.array());
      }
      case BasicOp.Opaque x -> {
        ValueRep.Irregular r = Regularisation.irregular(h, n, env, ((SubExp.Var) x.value()).name());
        BasicOp opaque = new BasicOp.Opaque(x.tag(), SubExp.of(r.data()));
        Name data = h.let("opaque", h.type(r.data()), opaque);
        return new ValueRep.Irregular(r.sizes(), r.offsets(), data, r.dense());
      }
      case BasicOp.Replicate x when x.shape().isEmpty() -> {
        return copy(h, n, Regularisation.irregular(h, n, env, ((SubExp.Var) x.value()).name()));
      }
      case BasicOp.Manifest x -> {
        return copy(h, n, Regularisation.irregular(h, n, env, x.array()));
      }
      case BasicOp.Iota x
          when x.type() == PrimType.I64 && x.start().isInt(0) && x.stride().isInt(1) -> {
        Name sizes = Regularisation.sizes(h, n, env, t.dims());
        SegmentDescriptor places = h.places(sizes);
        return new ValueRep.Irregular(sizes, places.offsets(), places.ids(), true);
      }
      case BasicOp.Scratch x -> {
        Name sizes = Regularisation.sizes(h, n, env, t.dims());
        SegmentDescriptor all = Builtin.PREFIXSUM.call(h, sizes);
        Name data = h.blank("blank", Type.array(Type.prim(x.elem()), all.total()));
        return new ValueRep.Irregular(sizes, all.offsets(), data, true);
      }
      default -> {}
    }
    Name sizes = Regularisation.sizes(h, n, env, t.dims());
    return Regularisation.gather(
        h, n, env, sizes, (k, j) -> element(k, op, k.unflatten(j, k.operands(t.dims())), t));
  }

  private static ValueRep.Irregular copy(HostBuilder h, Nest n, ValueRep.Irregular r) {
    if (!r.dense()) {
      return Regularisation.dense(h, n, r);
    }
    Name data = h.replicate("copy", List.of(), SubExp.of(r.data()));
    return new ValueRep.Irregular(r.sizes(), r.offsets(), data, true);
  }

  // Elements

  /** Returns the element at an index of the operation's result in one segment. */
  private SubExp element(SegBodyBuilder k, BasicOp op, List<SubExp> index, Type t) {
    return switch (op) {
      case BasicOp.Index x -> k.locate(x.array()).element(k, selected(k, x.slice(), index));
      case BasicOp.FlatIndex x -> {
        SubExp at = k.operand(x.slice().offset());
        for (int d = 0; d < index.size(); d++) {
          SubExp stride = k.operand(x.slice().dims().get(d).stride());
          at = k.plus(at, k.times(index.get(d), stride));
        }
        yield k.locate(x.array()).element(k, List.of(at));
      }
      case BasicOp.Iota x -> iota(k, x, index.get(0));
      case BasicOp.Replicate x -> {
        List<SubExp> inner = index.subList(x.shape().size(), index.size());
        yield inner.isEmpty() || !(x.value() instanceof SubExp.Var v)
            ? k.operand(x.value())
            : k.locate(v.name()).element(k, inner);
      }
      case BasicOp.Concat x -> part(k, x, 0, index);
      case BasicOp.Reshape x -> {
        SubExp flat = k.rowMajor(index, k.operands(t.dims()));
        yield k.locate(x.array()).flatElement(k, flat);
      }
      case BasicOp.Rearrange x -> {
        List<SubExp> before = new ArrayList<>(index);
        for (int d = 0; d < index.size(); d++) {
          before.set(x.perm().get(d), index.get(d));
        }
        yield k.locate(x.array()).element(k, before);
      }
      case BasicOp.Manifest x -> k.locate(x.array()).element(k, index);
      case BasicOp.ArrayLit x -> literal(k, x, 0, index);
      default -> throw new IllegalStateException("operation without an array: " + op);
    };
  }

  /** Returns the index into the array for an index into its slice. */
  static List<SubExp> selected(SegBodyBuilder k, Slice slice, List<SubExp> index) {
    List<SubExp> all = new ArrayList<>();
    int at = 0;
    for (Slice.Dim d : slice.dims()) {
      all.add(
          switch (d) {
            case Slice.Fix f -> k.operand(f.index());
            case Slice.Range r ->
                k.plus(k.operand(r.start()), k.times(index.get(at++), k.operand(r.stride())));
          });
    }
    return all;
  }

  private static SubExp iota(SegBodyBuilder k, BasicOp.Iota x, SubExp i) {
    PrimType t = x.type();
    SubExp number = k.conv(PrimType.I64, t, i);
    SubExp stride = k.operand(x.stride());
    SubExp scaled =
        stride.isInt(1)
            ? number
            : k.letExp("i", Type.prim(t), k.binOp(BinOp.Kind.MUL, t, number, stride));
    SubExp start = k.operand(x.start());
    return start.isInt(0)
        ? scaled
        : k.letExp("i", Type.prim(t), k.binOp(BinOp.Kind.ADD, t, start, scaled));
  }

  private static SubExp part(SegBodyBuilder k, BasicOp.Concat x, int first, List<SubExp> index) {
    SegmentOperand here = k.locate(x.arrays().get(first));
    if (first == x.arrays().size() - 1) {
      return here.element(k, index);
    }
    SubExp i = index.get(x.dim());
    SubExp size = here.dims().get(x.dim());
    return k.either(
        k.compare(CmpOp.Kind.SLT, i, size),
        Type.prim(here.elem()),
        a -> here.element(a, index),
        a -> {
          List<SubExp> later = new ArrayList<>(index);
          later.set(x.dim(), a.minus(i, size));
          return part(a, x, first + 1, later);
        });
  }

  private static SubExp literal(
      SegBodyBuilder k, BasicOp.ArrayLit x, int first, List<SubExp> index) {
    List<SubExp> inner = index.subList(1, index.size());
    SubExp elem = x.elems().get(first);
    if (first == x.elems().size() - 1) {
      return value(k, elem, inner);
    }
    return k.either(
        k.compare(CmpOp.Kind.EQ, index.get(0), SubExp.i64(first)),
        Type.prim(x.row().elemPrim()),
        a -> value(a, elem, inner),
        a -> literal(a, x, first + 1, index));
  }

  private static SubExp value(SegBodyBuilder k, SubExp e, List<SubExp> index) {
    return index.isEmpty() || !(e instanceof SubExp.Var v)
        ? k.operand(e)
        : k.locate(v.name()).element(k, index);
  }
}
