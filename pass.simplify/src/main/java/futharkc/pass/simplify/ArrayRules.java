package futharkc.pass.simplify;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules on operations that allocate, read or update arrays. */
final class ArrayRules {
  private ArrayRules() {}

  static @Nullable List<Stm> simplify(Stm s, BasicOp op, Simplifier in) {
    return switch (op) {
      case BasicOp.Index x -> index(s, x, in);
      case BasicOp.Reshape x -> reshape(s, x, in);
      case BasicOp.Rearrange x -> rearrange(s, x, in);
      case BasicOp.Replicate x -> replicate(s, x, in);
      case BasicOp.Concat x -> LiteralRules.concat(s, x, in);
      case BasicOp.ArrayLit x -> LiteralRules.literal(s, x, in);
      case BasicOp.Update x -> update(s, x, in);
      case BasicOp.UpdateAcc x -> AccRules.update(s, x, in);
      default -> null;
    };
  }

  /**
   * Tests whether the array's memory annotation equals that of the slice, with the same size names.
   */
  private static boolean isThere(Stm s, Name whole, Slice slice, Simplifier in) {
    if (!(s.pat().get(0).type() instanceof Type.Array part) || part.mem() == null) {
      return true;
    }
    return in.type(whole) instanceof Type.Array a
        && a.mem() != null
        && part.mem().equals(new ArrayMem(a.mem().block(), a.mem().lmad().slice(slice)));
  }

  private static List<Stm> be(Stm s, BasicOp op) {
    return List.of(s.withExp(op));
  }

  private static List<Stm> end(Stm s, Builder b, BasicOp op) {
    b.add(s.withExp(op));
    return b.stms();
  }

  // Index of an operation's result

  private static @Nullable List<Stm> index(Stm given, BasicOp.Index x, Simplifier in) {
    Stm def = in.definition(x.array());
    Stm s = def == null ? given : Rules.under(def, given);
    Type t = in.type(x.array());
    if (isWhole(x.slice(), t.dims()) && (!in.hasMemory() || s.pat().get(0).type().equals(t))) {
      return be(s, new BasicOp.SubExpOp(SubExp.of(x.array())));
    }
    if (def != null && def.exp() instanceof SegExp.Seg k && k.op() instanceof SegOp.SegMap m) {
      return Recomputation.of(s, x, def, m, in);
    }
    if (def != null && def.exp() instanceof SegExp.ParOp p && p.op() instanceof SegOp.SegMap m) {
      return Recomputation.of(s, x, def, m, in);
    }
    if (def != null && def.exp() instanceof HostOp.GpuBody g) {
      return ofGpuBody(s, x, def, g);
    }
    if (def == null || def.pat().size() != 1) {
      return null;
    }
    return switch (def.exp()) {
      case Soac.Screma map -> MapRules.sliced(s, x, map, in);
      case BasicOp.Iota iota -> indexIota(s, x, iota, in);
      case BasicOp.Replicate rep -> indexReplicate(s, x, rep, in);
      case BasicOp.SubExpOp copy when copy.value() instanceof SubExp.Var v ->
          be(s, new BasicOp.Index(v.name(), x.slice()));
      case BasicOp.Reshape r when r.coerce() ->
          isThere(s, r.array(), x.slice(), in)
              ? be(s, new BasicOp.Index(r.array(), x.slice()))
              : null;
      case BasicOp.Reshape r when x.slice().isElement() && isKnown(in.definition(r.array())) ->
          indexReshaped(s, x, r, in);
      case BasicOp.Concat c
          when in.isUsedOnceHere(x.array()) && !in.hasMemory() && in.stay(c.arrays()) ->
          IndexRules.ofConcat(s, x, c, in);
      case BasicOp.Update u
          when !u.safe() && x.slice().isElement() && u.slice().equals(x.slice()) ->
          be(s, new BasicOp.SubExpOp(u.value()));
      case BasicOp.Rearrange r -> {
        List<Slice.Dim> dims = new ArrayList<>(x.slice().dims());
        for (int i = 0; i < r.perm().size(); i++) {
          dims.set(r.perm().get(i), x.slice().dims().get(i));
        }
        Slice inner = new Slice(dims);
        // A slice of several dimensions would need a rearrangement itself.
        yield inner.shape().size() <= 1 ? be(s, new BasicOp.Index(r.array(), inner)) : null;
      }
      case BasicOp.Index outer -> {
        Builder b = in.builder(s.aux());
        yield end(s, b, new BasicOp.Index(outer.array(), compose(outer.slice(), x.slice(), b)));
      }
      case BasicOp.ArrayLit lit -> {
        Integer i = constantIndex(x.slice().dims().get(0), lit.elems().size());
        if (i == null) {
          yield null;
        }
        SubExp elem = lit.elems().get(i);
        if (x.slice().dims().size() == 1) {
          yield be(s, new BasicOp.SubExpOp(elem));
        }
        yield indexCopied(s, elem, x.slice().dims().subList(1, x.slice().dims().size()), in);
      }
      case BasicOp.ArrayVal lit -> {
        Integer i =
            x.slice().dims().size() == 1
                ? constantIndex(x.slice().dims().get(0), lit.values().size())
                : null;
        yield i == null ? null : be(s, new BasicOp.SubExpOp(SubExp.of(lit.values().get(i))));
      }
      default -> null;
    };
  }

  /** Replaces an element by the scalar that a thread of the device has only stored there. */
  private static @Nullable List<Stm> ofGpuBody(Stm s, BasicOp.Index x, Stm def, HostOp.GpuBody g) {
    int k = def.names().indexOf(x.array());
    if (!(g.types().get(k) instanceof Type.Prim) || !x.slice().isElement()) {
      return null;
    }
    SubExp stored = g.body().results().get(k);
    if (stored instanceof SubExp.Var v) {
      for (Stm t : g.body().stms()) {
        if (t.names().contains(v.name())) {
          return null;
        }
      }
    }
    return be(s, new BasicOp.SubExpOp(stored));
  }

  /** Tests whether elements of an array can be computed from their index. */
  private static boolean isKnown(@Nullable Stm def) {
    return def != null
        && (def.exp() instanceof BasicOp.Iota
            || def.exp() instanceof BasicOp.Replicate r && !r.shape().isEmpty());
  }

  /** Replaces an element of a reshaped array by an element of the original array. */
  private static List<Stm> indexReshaped(Stm s, BasicOp.Index x, BasicOp.Reshape r, Simplifier in) {
    Builder b = in.builder(s.aux());
    SubExp flat = SubExp.i64(0);
    for (int i = 0; i < r.shape().size(); i++) {
      SubExp index = ((Slice.Fix) x.slice().dims().get(i)).index();
      SubExp before = times(flat, r.shape().get(i), b);
      flat = before.isInt(0) ? index : b.binOp("flat", BinOp.Kind.ADD, PrimType.I64, before, index);
    }
    List<SubExp> dims = in.type(r.array()).dims();
    List<SubExp> indices = new ArrayList<>();
    for (int i = dims.size() - 1; i > 0; i--) {
      indices.addFirst(b.binOp("index", BinOp.Kind.SREM, PrimType.I64, flat, dims.get(i)));
      flat = b.binOp("flat", BinOp.Kind.SQUOT, PrimType.I64, flat, dims.get(i));
    }
    indices.addFirst(flat);
    return end(s, b, new BasicOp.Index(r.array(), Slice.fix(indices, dims)));
  }

  private static @Nullable Integer constantIndex(Slice.Dim d, int size) {
    return d instanceof Slice.Fix f
            && f.index() instanceof SubExp.Const c
            && c.value().asLong() >= 0
            && c.value().asLong() < size
        ? Integer.valueOf((int) c.value().asLong())
        : null;
  }

  private static boolean isWhole(Slice slice, List<SubExp> shape) {
    for (int i = 0; i < shape.size(); i++) {
      if (!(slice.dims().get(i) instanceof Slice.Range r)
          || !r.start().isInt(0)
          || !r.stride().isInt(1)
          || !r.count().equals(shape.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable List<Stm> indexIota(
      Stm s, BasicOp.Index x, BasicOp.Iota iota, Simplifier in) {
    if (!(x.slice().dims().get(0) instanceof Slice.Fix f)) {
      return null;
    }
    Builder b = in.builder(s.aux());
    SubExp i = b.conv("i", ConvOp.Kind.SEXT, PrimType.I64, iota.type(), f.index());
    SubExp scaled =
        iota.stride().isInt(1)
            ? i
            : b.binOp("scaled", BinOp.Kind.MUL, iota.type(), i, iota.stride());
    return end(
        s, b, new BasicOp.BinOpExp(new BinOp(BinOp.Kind.ADD, iota.type()), scaled, iota.start()));
  }

  private static @Nullable List<Stm> indexReplicate(
      Stm s, BasicOp.Index x, BasicOp.Replicate rep, Simplifier in) {
    int n = rep.shape().size();
    if (n == 0) {
      return null;
    }
    List<Slice.Dim> dims = x.slice().dims();
    for (int i = 0; i < n; i++) {
      if (!(dims.get(i) instanceof Slice.Fix)) {
        return null;
      }
    }
    if (dims.size() == n) {
      // An array value must not alias an array that may be consumed; a scalar has no aliases.
      return in.type(rep.value()).rank() == 0 ? be(s, new BasicOp.SubExpOp(rep.value())) : null;
    }
    return indexCopied(s, rep.value(), dims.subList(n, dims.size()), in);
  }

  /**
   * Replaces a read from a copy by a read from the original: an element, or a copy of the slice. An
   * array must not alias the original, because the original and the copy may be consumed
   * separately. The rule does not apply if the read would follow a consumption of the original, or
   * the end of its memory block's use.
   */
  private static @Nullable List<Stm> indexCopied(
      Stm s, SubExp original, List<Slice.Dim> dims, Simplifier in) {
    Slice slice = new Slice(dims);
    if (in.hasMemory() || !in.stays(original)) {
      return indexOverwritten(s, ((SubExp.Var) original).name(), slice, in);
    }
    if (slice.isElement()) {
      return be(s, new BasicOp.Index(((SubExp.Var) original).name(), slice));
    }
    return isWhole(slice, in.type(original).dims())
        ? be(s, new BasicOp.Replicate(List.of(), original))
        : null;
  }

  /**
   * Replaces a read of an original array that may be overwritten before the read. The element
   * follows from the definition of the array, which must be an iota or a replicate.
   */
  private static @Nullable List<Stm> indexOverwritten(
      Stm s, Name array, Slice slice, Simplifier in) {
    Stm def = in.definition(array);
    if (def == null || !slice.isElement()) {
      return null;
    }
    BasicOp.Index x = new BasicOp.Index(array, slice);
    return switch (def.exp()) {
      case BasicOp.Iota i -> indexIota(Rules.under(def, s), x, i, in);
      case BasicOp.Replicate r -> indexReplicate(Rules.under(def, s), x, r, in);
      default -> null;
    };
  }

  /** Returns the slice that {@code then} selects of the elements that {@code first} selects. */
  private static Slice compose(Slice first, Slice then, Builder b) {
    List<Slice.Dim> dims = new ArrayList<>();
    int k = 0;
    for (Slice.Dim d : first.dims()) {
      switch (d) {
        case Slice.Fix f -> dims.add(f);
        case Slice.Range r ->
            dims.add(
                switch (then.dims().get(k++)) {
                  case Slice.Fix f -> new Slice.Fix(offset(r, f.index(), b));
                  case Slice.Range q ->
                      new Slice.Range(
                          offset(r, q.start(), b), q.count(), times(r.stride(), q.stride(), b));
                });
      }
    }
    return new Slice(dims);
  }

  private static SubExp offset(Slice.Range r, SubExp i, Builder b) {
    SubExp scaled = times(i, r.stride(), b);
    if (r.start().isInt(0)) {
      return scaled;
    }
    if (scaled.isInt(0)) {
      return r.start();
    }
    return b.binOp("index", BinOp.Kind.ADD, PrimType.I64, r.start(), scaled);
  }

  private static SubExp times(SubExp x, SubExp y, Builder b) {
    if (x.isInt(1)) {
      return y;
    }
    if (y.isInt(1)) {
      return x;
    }
    if (x.isInt(0)) {
      return x;
    }
    if (y.isInt(0)) {
      return y;
    }
    return b.binOp("stride", BinOp.Kind.MUL, PrimType.I64, x, y);
  }

  // Other views

  private static @Nullable List<Stm> reshape(Stm s, BasicOp.Reshape x, Simplifier in) {
    Type t = in.type(x.array());
    if (t.dims().equals(x.shape()) && t.equals(s.pat().get(0).type())) {
      return be(s, new BasicOp.SubExpOp(SubExp.of(x.array())));
    }
    Stm def = in.definition(x.array());
    if (in.hasMemory() || def == null) {
      return null;
    }
    Exp e = reshaped(x, def.exp(), in);
    return e == null ? null : List.of(Rules.under(def, s).withExp(e));
  }

  private static @Nullable Exp reshaped(BasicOp.Reshape x, Exp operand, Simplifier in) {
    List<SubExp> shape = x.shape();
    return switch (operand) {
      case BasicOp.Reshape r -> new BasicOp.Reshape(x.coerce() && r.coerce(), r.array(), shape);
      case BasicOp.Iota i when shape.size() == 1 && x.coerce() ->
          new BasicOp.Iota(shape.get(0), i.start(), i.stride(), i.type());
      case BasicOp.Replicate r when !r.shape().isEmpty() && in.stays(r.value()) -> {
        List<SubExp> value = in.type(r.value()).dims();
        int outer = shape.size() - value.size();
        boolean whole = outer > 0 && shape.subList(outer, shape.size()).equals(value);
        yield whole ? new BasicOp.Replicate(shape.subList(0, outer), r.value()) : null;
      }
      case BasicOp.Concat c
          when x.coerce() && in.isUsedOnceHere(x.array()) && in.stay(c.arrays()) -> {
        List<SubExp> named = new ArrayList<>(in.type(x.array()).dims());
        named.set(c.dim(), shape.get(c.dim()));
        yield named.equals(shape)
            ? new BasicOp.Concat(c.dim(), c.arrays(), shape.get(c.dim()))
            : null;
      }
      case BasicOp.Scratch r when in.isUsedOnceHere(x.array()) ->
          new BasicOp.Scratch(r.elem(), shape);
      default -> null;
    };
  }

  private static @Nullable List<Stm> rearrange(Stm s, BasicOp.Rearrange x, Simplifier in) {
    boolean identity = true;
    for (int i = 0; i < x.perm().size(); i++) {
      identity &= x.perm().get(i) == i;
    }
    if (identity) {
      return be(s, new BasicOp.SubExpOp(SubExp.of(x.array())));
    }
    if (in.hasMemory()) {
      return null;
    }
    return switch (in.expOf(x.array())) {
      case BasicOp.Rearrange r ->
          be(s, new BasicOp.Rearrange(r.array(), x.perm().stream().map(r.perm()::get).toList()));
      case BasicOp.Replicate r when in.type(r.value()).rank() == 0 ->
          be(s, new BasicOp.Replicate(x.perm().stream().map(r.shape()::get).toList(), r.value()));
      case null, default -> null;
    };
  }

  private static @Nullable List<Stm> replicate(Stm s, BasicOp.Replicate x, Simplifier in) {
    if (in.hasMemory()) {
      // A copy of an array that is already in the memory of the copy.
      boolean there =
          x.shape().isEmpty()
              && in.type(x.value()).equals(s.pat().get(0).type())
              && in.stays(x.value())
              && in.stay(s.names())
              && !in.isNextOfUnique(s.pat().get(0).name());
      return there ? be(s, new BasicOp.SubExpOp(x.value())) : null;
    }
    if (x.shape().isEmpty()) {
      if (in.type(x.value()).rank() == 0) {
        return be(s, new BasicOp.SubExpOp(x.value()));
      }
      Name source = ((SubExp.Var) x.value()).name();
      Name copy = s.pat().get(0).name();
      boolean needless =
          in.isUsedOnceHere(source) && isFresh(in.expOf(source))
              || in.isOnlyUseOfOwned(source)
              || in.isOnlySharedResult(copy, source)
              || in.areOnlyRead(copy, source)
                  && (isItsOnlyName(in.definition(source)) || in.stay(List.of(source)));
      if (!needless) {
        return null;
      }
      in.share(source, copy);
      return be(s, new BasicOp.SubExpOp(x.value()));
    }
    Stm def = x.value() instanceof SubExp.Var v ? in.definition(v.name()) : null;
    if (def != null
        && def.exp() instanceof BasicOp.Replicate r
        && !r.shape().isEmpty()
        && in.stays(r.value())) {
      List<SubExp> shape = new ArrayList<>(x.shape());
      shape.addAll(r.shape());
      return be(Rules.under(def, s), new BasicOp.Replicate(shape, r.value()));
    }
    return null;
  }

  /**
   * Tests whether an array with the given definition has no aliases; null is the definition of a
   * parameter.
   */
  private static boolean isItsOnlyName(@Nullable Stm def) {
    return def == null
        || isFresh(def.exp())
        || def.exp() instanceof BasicOp.Update
        || def.exp() instanceof BasicOp.FlatUpdate
        || def.exp() instanceof BasicOp.ArrayVal;
  }

  /** Tests whether the result of an expression is a newly allocated array. */
  private static boolean isFresh(@Nullable Exp e) {
    return switch (e) {
      case BasicOp.Iota x -> true;
      case BasicOp.Replicate x -> true;
      case BasicOp.Scratch x -> true;
      case BasicOp.Concat x -> true;
      case BasicOp.ArrayLit x -> true;
      case BasicOp.Manifest x -> true;
      case Soac.Screma x -> true;
      case SegExp x -> true;
      case null, default -> false;
    };
  }

  private static @Nullable List<Stm> update(Stm s, BasicOp.Update x, Simplifier in) {
    // An update of the whole array, or with the slice's own elements.
    if (!in.hasMemory()
        && isWhole(x.slice(), in.type(x.array()).dims())
        && x.value() instanceof SubExp.Var v
        && in.type(v.name()).equals(s.pat().get(0).type())) {
      return be(s, new BasicOp.Replicate(List.of(), x.value()));
    }
    if (in.hasMemory()) {
      return null;
    }
    List<Stm> sized = updateSized(s, x, in);
    return sized != null ? sized : updateOne(s, x, in);
  }

  /**
   * Uses the value's size for the slice of an update, if a check proves the sizes equal. The
   * value's size is known earlier, and may be invariant in a map. For several dimensions, sizes may
   * differ if one of them is zero.
   */
  private static @Nullable List<Stm> updateSized(Stm s, BasicOp.Update x, Simplifier in) {
    if (!(x.value() instanceof SubExp.Var v)) {
      return null;
    }
    Stm def = in.definition(v.name());
    if (def == null || !(def.exp() instanceof BasicOp.Reshape r) || !r.coerce()) {
      return null;
    }
    List<SubExp> sizes = in.type(r.array()).dims();
    if (sizes.size() != 1 || in.type(v.name()).rank() != 1) {
      return null;
    }
    List<Slice.Dim> dims = new ArrayList<>();
    for (Slice.Dim d : x.slice().dims()) {
      dims.add(
          d instanceof Slice.Range p ? new Slice.Range(p.start(), sizes.get(0), p.stride()) : d);
    }
    BasicOp.Update sized =
        new BasicOp.Update(x.safe(), x.array(), new Slice(dims), SubExp.of(r.array()));
    return List.of(Rules.under(def, s).withExp(sized));
  }

  /** Replaces an update with an array of one element by an update with the element. */
  private static @Nullable List<Stm> updateOne(Stm s, BasicOp.Update x, Simplifier in) {
    if (x.slice().shape().size() != 1 || !x.slice().shape().get(0).isInt(1)) {
      return null;
    }
    Stm def = x.value() instanceof SubExp.Var v ? in.definition(v.name()) : null;
    if (def == null) {
      return null;
    }
    SubExp element =
        switch (def.exp()) {
          case BasicOp.Replicate r when in.type(r.value()).rank() == 0 -> r.value();
          case BasicOp.ArrayLit l -> l.elems().get(0);
          case BasicOp.ArrayVal l -> SubExp.of(l.values().get(0));
          default -> null;
        };
    if (element == null) {
      return null;
    }
    List<Slice.Dim> dims = new ArrayList<>();
    for (Slice.Dim d : x.slice().dims()) {
      dims.add(d instanceof Slice.Range r ? new Slice.Fix(r.start()) : d);
    }
    return be(
        Rules.under(def, s), new BasicOp.Update(x.safe(), x.array(), new Slice(dims), element));
  }
}
