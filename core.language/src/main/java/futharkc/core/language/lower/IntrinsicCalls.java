package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.language.Intrinsics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The lowering of applications of intrinsics. */
final class IntrinsicCalls {
  private final Elaborator el;
  private final Emit emit;
  private final Soacs soacs;

  IntrinsicCalls(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
    this.soacs = new Soacs(el);
  }

  /** Returns the number of parameters of an intrinsic that is not a scalar operation. */
  static int arity(String name) {
    return switch (name) {
      case "unzip",
          "unzip3",
          "unzip4",
          "unzip5",
          "flatten",
          "transpose",
          "copy",
          "manifest",
          "scratch" ->
          1;
      case "map", "flatmap", "zip", "concat", "replicate" -> 2;
      case "reduce",
          "reduce_comm",
          "scan",
          "scatter_1d",
          "scatter_2d",
          "scatter_3d",
          "scatter_stream",
          "acc_write",
          "zip3",
          "unflatten",
          "jvp2",
          "vjp2",
          "jmp2",
          "mjp2",
          "with_vjp" ->
          3;
      case "zip4" -> 4;
      case "hist_1d", "hist_2d", "hist_3d", "hist_stream", "zip5", "flat_update_2d" -> 5;
      case "flat_index_2d", "flat_update_3d" -> 6;
      case "flat_update_4d" -> 7;
      case "flat_index_3d" -> 8;
      case "flat_index_4d" -> 10;
      default -> throw new IllegalStateException("unknown intrinsic " + name);
    };
  }

  LoweredValue call(Callee.OfIntrinsic i, List<LoweredValue> args) {
    return switch (i.intrinsic()) {
      case Intrinsics.Scalar s ->
          LoweredValue.scalar(
              s.op().result(s.on()),
              el.scalars.apply(s.op(), s.on(), args.stream().map(LoweredValue::scalar).toList()));
      case Intrinsics.Conversion c ->
          LoweredValue.scalar(c.to(), el.scalars.convert(c.from(), c.to(), args.get(0).scalar()));
      case Intrinsics.Structured s -> structured(s.name(), i, args);
    };
  }

  /** Returns the type argument at a position. */
  private Supplier<Ty> typeArg(Callee.OfIntrinsic i, int k) {
    return () -> el.types.eval(i.typeArgs().get(k), i.use());
  }

  private static LoweredValue.Data data(LoweredValue v) {
    return (LoweredValue.Data) v;
  }

  private LoweredValue structured(String name, Callee.OfIntrinsic i, List<LoweredValue> a) {
    return switch (name) {
      case "map" -> soacs.map(a.get(0), data(a.get(1)), typeArg(i, 1));
      case "reduce" -> soacs.reduce(false, a.get(0), a.get(1), data(a.get(2)));
      case "reduce_comm" -> soacs.reduce(true, a.get(0), a.get(1), data(a.get(2)));
      case "scan" -> soacs.scan(a.get(0), a.get(1), data(a.get(2)));
      case "flatmap" -> soacs.flatMap(a.get(0), data(a.get(1)), typeArg(i, 1), typeArg(i, 2));
      case "hist_1d" -> soacs.hist(1, a.get(0), a.get(1), a.get(2), a.get(3), a.get(4));
      case "hist_2d" -> soacs.hist(2, a.get(0), a.get(1), a.get(2), a.get(3), a.get(4));
      case "hist_3d" -> soacs.hist(3, a.get(0), a.get(1), a.get(2), a.get(3), a.get(4));
      case "scatter_1d" -> soacs.scatter(1, a.get(0), a.get(1), a.get(2));
      case "scatter_2d" -> soacs.scatter(2, a.get(0), a.get(1), a.get(2));
      case "scatter_3d" -> soacs.scatter(3, a.get(0), a.get(1), a.get(2));
      case "scatter_stream" -> soacs.stream(a.get(0), null, null, a.get(1), a.get(2));
      case "hist_stream" -> soacs.stream(a.get(0), a.get(1), a.get(2), a.get(3), a.get(4));
      case "acc_write" -> soacs.write(data(a.get(0)), a.get(1), a.get(2));
      case "zip", "zip3", "zip4", "zip5" -> zip(a);
      case "unzip", "unzip3", "unzip4", "unzip5" -> unzip(data(a.get(0)));
      case "concat" -> concat(data(a.get(0)), data(a.get(1)));
      case "flatten" -> flatten(data(a.get(0)));
      case "unflatten" -> unflatten(a.get(0).scalar(), a.get(1).scalar(), data(a.get(2)));
      case "transpose" -> transpose(data(a.get(0)));
      case "replicate" -> replicate(a.get(0).scalar(), a.get(1));
      case "copy" -> copy(a.get(0), false);
      case "manifest" -> copy(a.get(0), true);
      case "scratch" -> el.blank(a.get(0), true);
      case "flat_index_2d", "flat_index_3d", "flat_index_4d" -> flatIndex(a);
      case "flat_update_2d", "flat_update_3d", "flat_update_4d" -> flatUpdate(a);
      case "jvp2" -> derivative(i, a, true, List.of());
      case "vjp2" -> derivative(i, a, false, List.of());
      case "jmp2" -> derivative(i, a, true, List.of(a.get(2).arrayType().size()));
      case "mjp2" -> derivative(i, a, false, List.of(a.get(2).arrayType().size()));
      case "with_vjp" -> customDerivative(i, a);
      default -> throw new IllegalStateException("unknown intrinsic " + name);
    };
  }

  // --- Shapes ---

  private LoweredValue zip(List<LoweredValue> arrays) {
    SubExp size = arrays.get(0).arrayType().size();
    List<Ty> elems = new ArrayList<>();
    List<SubExp> leaves = new ArrayList<>();
    for (LoweredValue v : arrays) {
      Ty elem = v.arrayType().elem();
      elems.add(elem);
      leaves.addAll(el.types.coerce(v, new Ty.Array(size, elem)).leaves());
    }
    return LoweredValue.array(size, Ty.tuple(elems), leaves);
  }

  private LoweredValue unzip(LoweredValue.Data array) {
    Ty.Array t = array.arrayType();
    TreeMap<String, LoweredValue> fields =
        new TreeMap<String, LoweredValue>(futharkc.core.language.typed.Type.FIELD_ORDER);
    int at = 0;
    for (var e : ((Ty.Record) t.elem()).fields().entrySet()) {
      int n = e.getValue().leafCount();
      fields.put(
          e.getKey(),
          LoweredValue.array(t.size(), e.getValue(), array.leaves().subList(at, at + n)));
      at += n;
    }
    return new LoweredValue.Rec(fields);
  }

  private LoweredValue concat(LoweredValue.Data xs, LoweredValue.Data ys) {
    Ty.Array t = xs.arrayType();
    SubExp size = emit.add(t.size(), ys.arrayType().size());
    LoweredValue other = el.types.coerce(ys, new Ty.Array(ys.arrayType().size(), t.elem()));
    Ty.Array type = new Ty.Array(size, t.elem());
    List<Type> types = type.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      leaves.add(
          emit.let(
              "concat",
              types.get(i),
              new BasicOp.Concat(
                  0,
                  List.of(Types.name(xs.leaves().get(i)), Types.name(other.leaves().get(i))),
                  size)));
    }
    return new LoweredValue.Data(type, leaves);
  }

  private LoweredValue reshape(LoweredValue.Data xs, Ty type, List<futharkc.core.ir.Name> certs) {
    List<Type> types = type.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      leaves.add(
          SubExp.of(
              emit.let(
                  "reshaped",
                  types.get(i),
                  new BasicOp.Reshape(false, Types.name(xs.leaves().get(i)), types.get(i).dims()),
                  certs)));
    }
    return new LoweredValue.Data(type, leaves);
  }

  private LoweredValue flatten(LoweredValue.Data xs) {
    Ty.Array outer = xs.arrayType();
    Ty.Array inner = (Ty.Array) outer.elem();
    return reshape(xs, new Ty.Array(emit.mul(outer.size(), inner.size()), inner.elem()), List.of());
  }

  private LoweredValue unflatten(SubExp n, SubExp m, LoweredValue.Data xs) {
    Ty.Array t = xs.arrayType();
    SubExp zero = SubExp.i64(0);
    SubExp ok =
        emit.and(emit.and(emit.le(zero, n), emit.le(zero, m)), emit.eq(emit.mul(n, m), t.size()));
    var certs =
        emit.check(
            ok,
            () -> {
              List<BasicOp.MsgPart> parts = new ArrayList<>();
              parts.add(Emit.text("Cannot unflatten array of shape "));
              Indexing.bracket(parts, t.size());
              parts.add(Emit.text(" to array of shape "));
              Indexing.bracket(parts, n);
              Indexing.bracket(parts, m);
              return parts;
            });
    emit.assumeNonNegative(n);
    emit.assumeNonNegative(m);
    return reshape(xs, Ty.array(List.of(n, m), t.elem()), certs);
  }

  private LoweredValue transpose(LoweredValue.Data xs) {
    Ty.Array outer = xs.arrayType();
    Ty.Array inner = (Ty.Array) outer.elem();
    Ty type = Ty.array(List.of(inner.size(), outer.size()), inner.elem());
    List<Type> types = type.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      List<Integer> perm = new ArrayList<>(List.of(1, 0));
      for (int k = 2; k < types.get(i).rank(); k++) {
        perm.add(k);
      }
      leaves.add(
          emit.let(
              "transposed",
              types.get(i),
              new BasicOp.Rearrange(Types.name(xs.leaves().get(i)), perm)));
    }
    return new LoweredValue.Data(type, leaves);
  }

  private LoweredValue replicate(SubExp n, LoweredValue x) {
    var certs =
        emit.check(
            emit.le(SubExp.i64(0), n),
            () -> List.of(Emit.text("Range 0..1..<"), Emit.value(n), Emit.text(" is invalid.")));
    emit.assumeNonNegative(n);
    Ty type = new Ty.Array(n, x.type());
    List<Type> types = type.leaves();
    List<SubExp> old = x.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      leaves.add(
          SubExp.of(
              emit.let("rep", types.get(i), new BasicOp.Replicate(List.of(n), old.get(i)), certs)));
    }
    return new LoweredValue.Data(type, leaves);
  }

  /** Copies every array of a value to fresh memory. */
  private LoweredValue copy(LoweredValue x, boolean manifest) {
    if (x.hasFunctions()) {
      return x;
    }
    Ty type = x.type();
    List<Type> types = type.leaves();
    List<SubExp> old = x.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Type t = types.get(i);
      SubExp leaf = old.get(i);
      if (t.rank() == 0) {
        leaves.add(leaf);
      } else if (manifest) {
        List<Integer> perm = IntStream.range(0, t.rank()).boxed().toList();
        leaves.add(emit.let("manifest", t, new BasicOp.Manifest(Types.name(leaf), perm)));
      } else {
        leaves.add(emit.let("copy", t, new BasicOp.Replicate(List.of(), leaf)));
      }
    }
    return LoweredValue.of(type, leaves);
  }

  // --- Flat slices ---

  /**
   * Checks that the elements of a flat slice lie in an array of a size. An empty slice always
   * passes.
   */
  private List<futharkc.core.ir.Name> inBounds(FlatSlice s, SubExp size) {
    SubExp zero = SubExp.i64(0);
    SubExp low = s.offset();
    SubExp high = s.offset();
    SubExp empty = SubExp.FALSE;
    SubExp sane = SubExp.TRUE;
    for (FlatSlice.Dim d : s.dims()) {
      SubExp reach = emit.mul(emit.sub(d.count(), SubExp.i64(1)), d.stride());
      low =
          emit.add(
              low, emit.binOp("low", futharkc.core.ir.BinOp.Kind.SMIN, PrimType.I64, zero, reach));
      high =
          emit.add(
              high,
              emit.binOp("high", futharkc.core.ir.BinOp.Kind.SMAX, PrimType.I64, zero, reach));
      empty = emit.or(empty, emit.eq(d.count(), zero));
      sane = emit.and(sane, emit.le(zero, d.count()));
    }
    SubExp inside = emit.and(emit.le(zero, low), emit.lt(high, size));
    return emit.check(
        emit.and(sane, emit.or(empty, inside)),
        () -> {
          List<BasicOp.MsgPart> parts = new ArrayList<>();
          parts.add(Emit.text("Flat slice from "));
          parts.add(Emit.value(s.offset()));
          for (FlatSlice.Dim d : s.dims()) {
            parts.add(Emit.text(", "));
            parts.add(Emit.value(d.count()));
            parts.add(Emit.text(" at stride "));
            parts.add(Emit.value(d.stride()));
          }
          parts.add(Emit.text(" is out of bounds for array of shape "));
          Indexing.bracket(parts, size);
          parts.add(Emit.text("."));
          return parts;
        });
  }

  private LoweredValue flatIndex(List<LoweredValue> a) {
    LoweredValue.Data array = data(a.get(0));
    List<FlatSlice.Dim> dims = new ArrayList<>();
    for (int i = 2; i < a.size(); i += 2) {
      dims.add(new FlatSlice.Dim(a.get(i).scalar(), a.get(i + 1).scalar()));
    }
    FlatSlice slice = new FlatSlice(a.get(1).scalar(), dims);
    Ty elem = array.arrayType().elem();
    requireScalars(elem);
    var certs = inBounds(slice, array.arrayType().size());
    Ty type = Ty.array(slice.shape(), elem);
    List<Type> types = type.leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      leaves.add(
          SubExp.of(
              emit.let(
                  "flat",
                  types.get(i),
                  new BasicOp.FlatIndex(Types.name(array.leaves().get(i)), slice),
                  certs)));
    }
    return new LoweredValue.Data(type, leaves);
  }

  private LoweredValue flatUpdate(List<LoweredValue> a) {
    LoweredValue.Data array = data(a.get(0));
    LoweredValue.Data values = data(a.get(a.size() - 1));
    List<FlatSlice.Dim> dims = new ArrayList<>();
    Ty rest = values.type();
    for (int i = 2; i < a.size() - 1; i++) {
      dims.add(new FlatSlice.Dim(((Ty.Array) rest).size(), a.get(i).scalar()));
      rest = ((Ty.Array) rest).elem();
    }
    FlatSlice slice = new FlatSlice(a.get(1).scalar(), dims);
    requireScalars(array.arrayType().elem());
    var certs = inBounds(slice, array.arrayType().size());
    List<Type> types = array.type().leaves();
    List<SubExp> leaves = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      leaves.add(
          SubExp.of(
              emit.let(
                  "updated",
                  types.get(i),
                  new BasicOp.FlatUpdate(
                      Types.name(array.leaves().get(i)), slice, Types.name(values.leaves().get(i))),
                  certs)));
    }
    return new LoweredValue.Data(array.type(), leaves);
  }

  private void requireScalars(Ty elem) {
    if (elem.leaves().stream().anyMatch(t -> t.rank() > 0)) {
      throw new LoweringException(
          emit.loc(), "Flat slices require a one-dimensional array. Flatten the array first.");
    }
  }

  // --- Derivatives ---

  private LoweredValue derivative(
      Callee.OfIntrinsic i, List<LoweredValue> a, boolean forward, List<SubExp> vector) {
    LoweredValue x = a.get(1);
    Ty from = x.type();
    Soacs.Made f =
        soacs.lambda(
            List.of(from),
            args -> el.calls.apply(a.get(0), List.of(args.get(0))),
            typeArg(i, 1),
            "x");
    Ty to = f.result();
    Ty seedOf = forward ? from : to;
    List<SubExp> seed = el.types.coerce(a.get(2), Ty.array(vector, seedOf)).leaves();
    Ty derived = Ty.array(vector, forward ? to : from);
    List<Type> types = new ArrayList<>(to.leaves());
    types.addAll(derived.leaves());
    Soac e =
        forward
            ? new Soac.Jvp(vector, x.leaves(), seed, f.lambda())
            : new Soac.Vjp(vector, x.leaves(), seed, f.lambda());
    List<SubExp> out = emit.letAll("d", types, e, List.of());
    int n = to.leafCount();
    List<SubExp> values = out.subList(0, n);
    List<SubExp> derivatives = new ArrayList<>(out.subList(n, out.size()));
    keepTags(derivatives, forward ? to : from, forward ? values : x.leaves(), vector);
    return LoweredValue.tuple(
        List.of(LoweredValue.of(to, values), LoweredValue.of(derived, derivatives)));
  }

  /** Sets the tags in derivatives of sums. The derivative has the same constructor as the value. */
  private void keepTags(
      List<SubExp> derivatives, Ty type, List<SubExp> values, List<SubExp> vector) {
    List<Boolean> tags = new ArrayList<>();
    tags(type, tags);
    List<Type> types = type.leaves();
    for (int k = 0; k < tags.size(); k++) {
      if (!tags.get(k)) {
        continue;
      }
      SubExp tag = values.get(k);
      if (!vector.isEmpty()) {
        Type t = Type.array(types.get(k), vector);
        BasicOp all = new BasicOp.Replicate(vector, tag);
        tag = SubExp.of(emit.let("tags", t, all, List.of()));
      }
      derivatives.set(k, tag);
    }
  }

  /** Adds for each leaf of a type whether it is the tag of a sum. */
  private static void tags(Ty type, List<Boolean> into) {
    switch (type) {
      case Ty.Array a -> tags(a.elem(), into);
      case Ty.Record r -> r.fields().values().forEach(f -> tags(f, into));
      case Ty.Sum s -> {
        into.add(true);
        into.addAll(Collections.nCopies(s.leafCount() - 1, false));
      }
      case Ty.Prim p -> into.add(false);
      case Ty.Acc a -> into.add(false);
      case Ty.Fun f -> {}
    }
  }

  private LoweredValue customDerivative(Callee.OfIntrinsic i, List<LoweredValue> a) {
    LoweredValue x = a.get(2);
    Ty from = x.type();
    Soacs.Made f =
        soacs.lambda(
            List.of(from),
            args -> el.calls.apply(a.get(0), List.of(args.get(0))),
            () -> Ty.tuple(List.of(typeArg(i, 2).get(), typeArg(i, 1).get())),
            "x");
    Ty to = f.result();
    Lambda adjoint =
        soacs
            .lambda(
                List.of(from, to, to),
                args ->
                    el.types.coerce(
                        el.calls.apply(
                            a.get(1),
                            List.of(
                                LoweredValue.tuple(
                                    List.of(args.get(1).field("0"), args.get(2).field("1"))))),
                        from),
                () -> from,
                "x")
            .lambda();
    List<SubExp> out =
        emit.letAll(
            "res", to.leaves(), new Soac.WithVjp(x.leaves(), f.lambda(), adjoint), List.of());
    return LoweredValue.of(to, out).field("1");
  }
}
