package futharkc.core.language.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lowering of second-order array combinators and accumulators. */
final class Soacs {
  private final Elaborator el;
  private final Emit emit;

  Soacs(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
  }

  /** A lambda for an array operation and the source type of its result. */
  record Made(Lambda lambda, Ty result) {}

  /**
   * Returns a lambda whose result type does not depend on its parameters.
   *
   * @param declared a supplier of the result type in terms of outer names; called if the value's
   *     own type depends on the parameters
   */
  Made lambda(
      List<Ty> params,
      Function<List<LoweredValue>, LoweredValue> body,
      Supplier<Ty> declared,
      String base) {
    int mark = emit.mark();
    List<Param> irParams = new ArrayList<>();
    List<LoweredValue> args = new ArrayList<>();
    for (Ty t : params) {
      args.add(param(t, base, irParams));
    }
    Emit.Block block = emit.nested();
    LoweredValue v =
        emit.in(
            block,
            () -> {
              emit.clearAttrs();
              return body.apply(args);
            });
    if (v.hasFunctions()) {
      throw new IllegalStateException("function as element at " + emit.loc());
    }
    Ty type = invariant(v.type(), mark, declared);
    List<SubExp> results = emit.in(block, () -> el.types.coerce(v, type).leaves());
    return new Made(new Lambda(irParams, new Body(block.stms(), results), type.leaves()), type);
  }

  private LoweredValue param(Ty t, String base, List<Param> out) {
    List<SubExp> leaves = new ArrayList<>();
    for (Type leaf : t.leaves()) {
      var n = emit.fresh(base);
      out.add(new Param(n, leaf));
      leaves.add(SubExp.of(n));
    }
    return LoweredValue.of(t, leaves);
  }

  private Ty invariant(Ty t, int mark, Supplier<Ty> declared) {
    boolean[] all = {true};
    t.zipSizes(t, (a, b) -> all[0] &= Emit.isOlder(a, mark));
    if (all[0]) {
      return t;
    }
    Ty outside = declared.get();
    List<SubExp> sizes = new ArrayList<>();
    t.zipSizes(outside, (a, b) -> sizes.add(Emit.isOlder(a, mark) ? a : b));
    if (sizes.contains(Ty.UNKNOWN)) {
      throw new IllegalStateException("size of a function's result varies at " + emit.loc());
    }
    var next = sizes.iterator();
    return t.mapSizes(s -> next.next());
  }

  /** Returns a lambda that returns its arguments. */
  Lambda identity(List<Type> types) {
    return Scremas.identity(types, emit.names);
  }

  /** Returns the empty lambda after a reduction. */
  static Lambda noPost() {
    return new Lambda(List.of(), new Body(List.of(), List.of()), List.of());
  }

  static List<futharkc.core.ir.Name> names(List<SubExp> arrays) {
    return arrays.stream().map(Types::name).toList();
  }

  private LoweredValue call(LoweredValue fun, LoweredValue... args) {
    return el.calls.apply(fun, List.of(args));
  }

  // --- Map, reduce, scan ---

  LoweredValue map(LoweredValue fun, LoweredValue.Data array, Supplier<Ty> declared) {
    Ty.Array t = array.arrayType();
    Made f = lambda(List.of(t.elem()), args -> call(fun, args.get(0)), declared, "x");
    return mapWith(f, t.size(), names(array.leaves()));
  }

  private LoweredValue mapWith(Made f, SubExp width, List<futharkc.core.ir.Name> inputs) {
    Ty type = new Ty.Array(width, f.result());
    if (type.leafCount() == 0) {
      return new LoweredValue.Data(type, List.of());
    }
    Soac map =
        new Soac.Screma(
            width, inputs, f.lambda(), List.of(), List.of(), identity(f.lambda().results()));
    return new LoweredValue.Data(type, emit.letAll("map", type.leaves(), map, List.of()));
  }

  private Lambda operator(LoweredValue op, Ty elem) {
    return lambda(
            List.of(elem, elem),
            args -> el.types.coerce(call(op, args.get(0), args.get(1)), elem),
            () -> elem,
            "x")
        .lambda();
  }

  LoweredValue reduce(
      boolean commutative, LoweredValue op, LoweredValue ne, LoweredValue.Data array) {
    Ty.Array t = array.arrayType();
    Ty elem = t.elem();
    if (elem.leafCount() == 0) {
      return ne;
    }
    Soac.Reduce reduce =
        new Soac.Reduce(commutative, operator(op, elem), el.types.coerce(ne, elem).leaves());
    Soac e =
        new Soac.Screma(
            t.size(),
            names(array.leaves()),
            identity(elem.leaves()),
            List.of(),
            List.of(reduce),
            noPost());
    return LoweredValue.of(elem, emit.letAll("red", elem.leaves(), e, List.of()));
  }

  LoweredValue scan(LoweredValue op, LoweredValue ne, LoweredValue.Data array) {
    Ty.Array t = array.arrayType();
    Ty elem = t.elem();
    if (elem.leafCount() == 0) {
      return array;
    }
    Soac.Scan scan = new Soac.Scan(operator(op, elem), el.types.coerce(ne, elem).leaves());
    Soac e =
        new Soac.Screma(
            t.size(),
            names(array.leaves()),
            identity(elem.leaves()),
            List.of(scan),
            List.of(),
            identity(elem.leaves()));
    return new LoweredValue.Data(t, emit.letAll("scan", t.leaves(), e, List.of()));
  }

  // --- Histograms, scatters ---

  /** The outer sizes and the element type of an array. */
  private record Space(List<SubExp> shape, Ty elem) {
    static Space of(Ty array, int rank) {
      List<SubExp> shape = new ArrayList<>();
      Ty t = array;
      for (int i = 0; i < rank; i++) {
        shape.add(((Ty.Array) t).size());
        t = ((Ty.Array) t).elem();
      }
      return new Space(shape, t);
    }
  }

  /** Converts an array to a given outer size. */
  private LoweredValue.Data sized(LoweredValue v, SubExp size) {
    Ty.Array t = v.arrayType();
    return (LoweredValue.Data) el.types.coerce(v, new Ty.Array(size, t.elem()));
  }

  LoweredValue hist(
      int rank,
      LoweredValue dest,
      LoweredValue op,
      LoweredValue ne,
      LoweredValue is,
      LoweredValue as) {
    Space space = Space.of(((LoweredValue.Data) dest).type(), rank);
    Ty elem = space.elem;
    if (elem.leafCount() == 0) {
      return dest;
    }
    SubExp width = is.arrayType().size();
    LoweredValue.Data values =
        (LoweredValue.Data) el.types.coerce(sized(as, width), new Ty.Array(width, elem));
    List<futharkc.core.ir.Name> inputs = new ArrayList<>(names(is.leaves()));
    inputs.addAll(names(values.leaves()));
    List<Type> rows = new ArrayList<>(is.arrayType().elem().leaves());
    rows.addAll(elem.leaves());
    Soac.HistOp h =
        new Soac.HistOp(
            space.shape,
            SubExp.i64(1),
            names(dest.leaves()),
            el.types.coerce(ne, elem).leaves(),
            operator(op, elem));
    Ty type = ((LoweredValue.Data) dest).type();
    return new LoweredValue.Data(
        type,
        emit.letAll(
            "hist",
            type.leaves(),
            new Soac.Hist(width, inputs, List.of(h), identity(rows)),
            List.of()));
  }

  LoweredValue scatter(int rank, LoweredValue dest, LoweredValue is, LoweredValue vs) {
    Space space = Space.of(((LoweredValue.Data) dest).type(), rank);
    if (space.elem.leafCount() == 0) {
      return dest;
    }
    SubExp width = is.arrayType().size();
    LoweredValue.Data values =
        (LoweredValue.Data) el.types.coerce(sized(vs, width), new Ty.Array(width, space.elem));
    List<Type> rows = space.elem.leaves();
    return withAcc(
        (LoweredValue.Data) dest,
        space,
        null,
        acc -> {
          List<futharkc.core.ir.Name> inputs = new ArrayList<>();
          inputs.add(Types.name(acc.leaves().get(0)));
          inputs.addAll(names(is.leaves()));
          inputs.addAll(names(values.leaves()));
          Type accType = ((Ty.Acc) acc.type()).type();
          var a = emit.fresh("acc");
          List<Param> params = new ArrayList<>();
          params.add(new Param(a, accType));
          List<SubExp> index = new ArrayList<>();
          for (int i = 0; i < rank; i++) {
            var n = emit.fresh("i");
            params.add(new Param(n, Type.I64));
            index.add(SubExp.of(n));
          }
          List<SubExp> row = new ArrayList<>();
          for (Type t : rows) {
            var n = emit.fresh("v");
            params.add(new Param(n, t));
            row.add(SubExp.of(n));
          }
          Body body =
              emit.lambdaBody(
                  () -> List.of(emit.let("acc", accType, new BasicOp.UpdateAcc(a, index, row))));
          return updateAll(width, inputs, new Lambda(params, body, List.of(accType)), acc.type());
        });
  }

  private LoweredValue.Data updateAll(
      SubExp width, List<futharkc.core.ir.Name> inputs, Lambda f, Ty acc) {
    List<Type> types = acc.leaves();
    Soac map = new Soac.Screma(width, inputs, f, List.of(), List.of(), identity(types));
    return new LoweredValue.Data(acc, emit.letAll("acc", types, map, List.of()));
  }

  private LoweredValue withAcc(
      LoweredValue.Data dest,
      Space space,
      Exp.@Nullable AccOp op,
      Function<LoweredValue.Data, LoweredValue.Data> body) {
    var token = emit.fresh("token");
    var name = emit.fresh("acc");
    Type.Acc type = new Type.Acc(token, space.shape, space.elem.leaves());
    LoweredValue.Data acc =
        new LoweredValue.Data(new Ty.Acc(type, space.elem), List.of(SubExp.of(name)));
    Body b = emit.lambdaBody(() -> body.apply(acc).leaves());
    Lambda lambda =
        new Lambda(List.of(new Param(token, Type.UNIT), new Param(name, type)), b, List.of(type));
    Exp e =
        new Exp.WithAcc(List.of(new Exp.AccInput(space.shape, names(dest.leaves()), op)), lambda);
    return new LoweredValue.Data(
        dest.type(), emit.letAll("written", dest.type().leaves(), e, List.of()));
  }

  /**
   * Creates an accumulator on the destination and calls the function with the accumulator and each
   * element.
   */
  LoweredValue stream(
      LoweredValue dest,
      @Nullable LoweredValue op,
      @Nullable LoweredValue ne,
      LoweredValue fun,
      LoweredValue elements) {
    Space space = Space.of(((LoweredValue.Data) dest).type(), 1);
    if (space.elem.leafCount() == 0) {
      return dest;
    }
    Exp.AccOp accOp = null;
    if (op != null && ne != null) {
      Lambda combine = operator(op, space.elem);
      List<Param> params = new ArrayList<>();
      params.add(new Param(emit.fresh("i"), Type.I64));
      params.addAll(combine.params());
      accOp =
          new Exp.AccOp(
              new Lambda(params, combine.body(), combine.results()),
              el.types.coerce(ne, space.elem).leaves());
    }
    Ty.Array t = elements.arrayType();
    return withAcc(
        (LoweredValue.Data) dest,
        space,
        accOp,
        acc -> {
          Made f =
              lambda(
                  List.of(acc.type(), t.elem()),
                  args -> call(fun, args.get(0), args.get(1)),
                  acc::type,
                  "x");
          List<futharkc.core.ir.Name> inputs = new ArrayList<>(names(acc.leaves()));
          inputs.addAll(names(elements.leaves()));
          return updateAll(t.size(), inputs, f.lambda(), acc.type());
        });
  }

  LoweredValue write(LoweredValue.Data acc, LoweredValue i, LoweredValue v) {
    Ty.Acc t = (Ty.Acc) acc.type();
    SubExp written =
        emit.let(
            "acc",
            t.type(),
            new BasicOp.UpdateAcc(
                Types.name(acc.leaves().get(0)),
                List.of(i.scalar()),
                el.types.coerce(v, t.elem()).leaves()));
    return new LoweredValue.Data(t, List.of(written));
  }

  // --- Flat map ---

  /**
   * Lowers {@code flatmap}. It returns the concatenation of the function's first results, the
   * segments' sizes, flags and offsets, and the array of the function's second results.
   */
  LoweredValue flatMap(
      LoweredValue fun,
      LoweredValue.Data array,
      Supplier<Ty> declaredElem,
      Supplier<Ty> declaredRest) {
    Ty.Array t = array.arrayType();
    SubExp width = t.size();
    int mark = emit.mark();
    List<Param> params = new ArrayList<>();
    LoweredValue arg = param(t.elem(), "x", params);
    Emit.Block block = emit.nested();
    LoweredValue.Data part =
        (LoweredValue.Data)
            emit.in(
                block,
                () -> {
                  emit.clearAttrs();
                  return call(fun, arg).field("0");
                });
    Ty elem = invariant(part.arrayType().elem(), mark, declaredElem);
    SubExp size = part.arrayType().size();
    List<SubExp> results = new ArrayList<>();
    results.add(size);
    results.addAll(emit.in(block, () -> el.types.coerce(part, new Ty.Array(size, elem)).leaves()));
    List<Type> resultTypes = new ArrayList<>();
    resultTypes.add(Type.I64);
    Lambda lambda = flatMapLambda(params, block, results, size, elem, resultTypes);

    var total = emit.fresh("total");
    var offsets = emit.fresh("offsets");
    emit.assumeNonNegative(SubExp.of(total));
    Ty.Array dataType = new Ty.Array(SubExp.of(total), elem);
    List<PatElem> pat = new ArrayList<>();
    pat.add(new PatElem(total, Type.I64));
    pat.add(new PatElem(offsets, Type.array(Type.I64, width)));
    List<SubExp> data = new ArrayList<>();
    for (Type leaf : dataType.leaves()) {
      var n = emit.fresh("flat");
      pat.add(new PatElem(n, leaf));
      data.add(SubExp.of(n));
    }
    emit.add(pat, new Soac.FlatMap(width, names(array.leaves()), lambda), List.of());

    LoweredValue rest =
        map(new LoweredValue.Closure(new Callee.FieldOf(fun, "1"), List.of()), array, declaredRest);
    LoweredValue.Data sizes = segmentSizes(width, SubExp.of(offsets), SubExp.of(total));
    return LoweredValue.tuple(
        List.of(
            sizes,
            flags(width, SubExp.of(offsets), sizes, SubExp.of(total)),
            LoweredValue.array(width, Ty.Prim.I64, List.of(SubExp.of(offsets))),
            new LoweredValue.Data(dataType, data),
            rest));
  }

  private Lambda flatMapLambda(
      List<Param> params,
      Emit.Block block,
      List<SubExp> results,
      SubExp size,
      Ty elem,
      List<Type> resultTypes) {
    resultTypes.addAll(new Ty.Array(size, elem).leaves());
    return new Lambda(params, new Body(block.stms(), results), resultTypes);
  }

  /** Returns the sizes of segments: the differences of consecutive offsets. */
  private LoweredValue.Data segmentSizes(SubExp width, SubExp offsets, SubExp total) {
    LoweredValue.Data indexes = iota(width);
    return (LoweredValue.Data)
        mapWith(
            lambda(
                List.of(Ty.Prim.I64),
                args -> {
                  SubExp i = args.get(0).scalar();
                  SubExp next = emit.add(i, SubExp.i64(1));
                  SubExp last = emit.cmp(CmpOp.Kind.EQ, PrimType.I64, next, width);
                  SubExp start = element(offsets, i);
                  Body other = emit.body(() -> List.of(element(offsets, next)));
                  SubExp end =
                      emit.let(
                          "end",
                          Type.I64,
                          Exp.Match.conditional(last, new Body(List.of(), List.of(total)), other));
                  return LoweredValue.i64(emit.sub(end, start));
                },
                () -> Ty.Prim.I64,
                "i"),
            width,
            names(indexes.leaves()));
  }

  private SubExp element(SubExp array, SubExp i) {
    return emit.let(
        "elem",
        Type.I64,
        new BasicOp.Index(Types.name(array), new Slice(List.of(new Slice.Fix(i)))));
  }

  private LoweredValue.Data iota(SubExp n) {
    SubExp e =
        emit.let(
            "iota",
            Type.array(Type.I64, n),
            new BasicOp.Iota(n, SubExp.i64(0), SubExp.i64(1), PrimType.I64));
    return (LoweredValue.Data) LoweredValue.array(n, Ty.Prim.I64, List.of(e));
  }

  /** Returns flags that are true at the first element of each nonempty segment. */
  private LoweredValue flags(SubExp width, SubExp offsets, LoweredValue.Data sizes, SubExp total) {
    LoweredValue dest =
        LoweredValue.array(
            total,
            Ty.Prim.BOOL,
            List.of(
                emit.let(
                    "flags",
                    Type.array(Type.BOOL, total),
                    new BasicOp.Replicate(List.of(total), SubExp.FALSE))));
    // An empty segment has the offset of its successor and must not write a flag, so it gets the
    // index -1, which is out of bounds.
    List<futharkc.core.ir.Name> inputs = new ArrayList<>(names(sizes.leaves()));
    inputs.add(Types.name(offsets));
    LoweredValue where =
        mapWith(
            lambda(
                List.of(Ty.Prim.I64, Ty.Prim.I64),
                args -> {
                  SubExp empty = emit.eq(args.get(0).scalar(), SubExp.i64(0));
                  return LoweredValue.i64(
                      emit.let(
                          "i",
                          Type.I64,
                          Exp.Match.conditional(
                              empty,
                              new Body(List.of(), List.of(SubExp.i64(-1))),
                              new Body(List.of(), List.of(args.get(1).scalar())))));
                },
                () -> Ty.Prim.I64,
                "x"),
            width,
            inputs);
    LoweredValue trues =
        LoweredValue.array(
            width,
            Ty.Prim.BOOL,
            List.of(
                emit.let(
                    "trues",
                    Type.array(Type.BOOL, width),
                    new BasicOp.Replicate(List.of(width), SubExp.TRUE))));
    return scatter(1, dest, where, trues);
  }
}
