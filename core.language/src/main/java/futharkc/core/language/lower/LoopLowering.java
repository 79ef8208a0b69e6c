package futharkc.core.language.lower;

import futharkc.core.ir.Exp.Form;
import futharkc.core.ir.Exp.Loop;
import futharkc.core.ir.Exp.LoopParam;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.SubExp;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The lowering of loops. */
final class LoopLowering {
  /** A marker for a loop-invariant size. */
  private static final SubExp AS_BEFORE = SubExp.of(new futharkc.core.ir.Name("before", -2));

  private final Elaborator el;
  private final Emit emit;

  LoopLowering(Elaborator el) {
    this.el = el;
    this.emit = el.emit;
  }

  LoweredValue loop(Exp.Loop l, Frame f) {
    LoweredValue init = el.eval(l.init(), f);
    emit.at(l.loc());
    return switch (l.form()) {
      case Exp.Form.For x -> {
        SubExp bound = el.eval(x.bound(), f).scalar();
        emit.at(l.loc());
        // Loop indices of the representation are signed, so an unsigned index becomes an i64.
        boolean unsigned = x.prim().isUnsigned();
        PrimType type = unsigned ? PrimType.I64 : Ty.ir(x.prim());
        if (unsigned) {
          bound = el.scalars.toI64(x.prim(), bound);
        }
        var index = emit.fresh(x.index().base());
        yield loop(
            l,
            f,
            init,
            new Form.For(index, type, bound),
            () -> {
              SubExp i = SubExp.of(index);
              if (type == PrimType.I64) {
                emit.assumeNonNegative(i);
              }
              if (unsigned) {
                i = el.scalars.convert(futharkc.core.language.syntax.PrimType.I64, x.prim(), i);
              }
              f.put(x.index(), LoweredValue.scalar(x.prim(), i));
            });
      }
      case Exp.Form.ForIn x -> {
        LoweredValue array = el.eval(x.array(), f);
        emit.at(l.loc());
        var index = emit.fresh("i");
        yield loop(
            l,
            f,
            init,
            new Form.For(index, PrimType.I64, array.arrayType().size()),
            () -> {
              emit.assumeNonNegative(SubExp.of(index));
              LoweredValue row =
                  el.indexing.select(
                      (LoweredValue.Data) array,
                      List.of(new Slice.Fix(SubExp.of(index))),
                      array.arrayType().elem(),
                      List.of());
              el.patterns.bind(x.pat(), row, f);
            });
      }
      case Exp.Form.While x -> {
        var cond = emit.fresh("cond");
        yield loop(l, f, init, new Form.While(cond), () -> {});
      }
    };
  }

  private LoweredValue loop(Exp.Loop l, Frame f, LoweredValue init, Form form, Runnable bindIndex) {
    boolean constant = form instanceof Form.For x && x.bound() instanceof SubExp.Const;
    if (!constant && emit.attrs().contains("unroll")) {
      emit.warn("W0902", "#[unroll] has no effect: the trip count of the loop is not a constant.");
    }
    if (init.hasFunctions()) {
      throw new IllegalStateException("function as loop parameter at " + l.loc());
    }
    Ty initType = init.type();
    // Loop-variant sizes are parameters of the loop.
    Map<Name, SubExp> varying = new LinkedHashMap<>();
    List<futharkc.core.ir.Name> sizeNames = new ArrayList<>();
    Ty marked =
        el.types.eval(
            l.pat().type(),
            f,
            (s, g) ->
                switch (s) {
                  case Type.Size.Any a -> Ty.UNKNOWN;
                  case Type.Size.Const c -> AS_BEFORE;
                  // A size inside an abstract type can depend on loop-variant sizes.
                  case Type.Size.Of e -> g == f ? AS_BEFORE : Ty.UNKNOWN;
                  case Type.Size.Var v -> {
                    if (el.types.isHidden(v.name())) {
                      yield Ty.UNKNOWN;
                    }
                    if (l.loopSizes().contains(v.name())) {
                      yield varying.computeIfAbsent(v.name(), n -> size(n.base(), sizeNames));
                    }
                    // A size parameter of an abstract type denotes its argument.
                    LoweredValue known = g == f ? null : g.get(v.name());
                    if (known == null || !varying.containsValue(known.scalar())) {
                      yield AS_BEFORE;
                    }
                    yield known.scalar();
                  }
                });
    List<SubExp> known = new ArrayList<>();
    marked.zipSizes(
        initType,
        (a, b) -> {
          if (a.equals(Ty.UNKNOWN)) {
            known.add(size("size", sizeNames));
          } else {
            known.add(a.equals(AS_BEFORE) ? b : a);
          }
        });
    var next = known.iterator();
    Ty type = withAccumulators(marked, initType).mapSizes(s -> next.next());
    List<SubExp> inits = new ArrayList<>();
    inits.addAll(el.functions.atType(init, type, sizeNames, inits).leaves());

    // The body determines whether a parameter is unique: a parameter that the body only replaces
    // need not be.
    List<Param> params = new ArrayList<>();
    for (var n : sizeNames) {
      params.add(new Param(n, futharkc.core.ir.Type.I64));
    }
    List<SubExp> leaves = new ArrayList<>();
    List<futharkc.core.ir.Type> leafTypes = type.leaves();
    for (int i = 0; i < leafTypes.size(); i++) {
      var n = emit.fresh("loop");
      futharkc.core.ir.Type t = leafTypes.get(i);
      params.add(new Param(n, t));
      leaves.add(SubExp.of(n));
    }
    LoweredValue param = LoweredValue.of(type, leaves);
    if (form instanceof Form.While w && l.form() instanceof Exp.Form.While source) {
      bind(l, f, init);
      inits.add(el.eval(source.cond(), f).scalar());
      params.add(new Param(w.cond(), futharkc.core.ir.Type.BOOL));
    }
    futharkc.core.ir.Body body =
        emit.lambdaBody(
            () -> {
              bind(l, f, param);
              bindIndex.run();
              LoweredValue v = el.eval(l.body(), f);
              List<SubExp> results = new ArrayList<>();
              LoweredValue after = el.functions.atType(v, type, sizeNames, results);
              results.addAll(after.leaves());
              if (l.form() instanceof Exp.Form.While source) {
                bind(l, f, after);
                results.add(el.eval(source.cond(), f).scalar());
              }
              return results;
            });
    List<Boolean> isUnique = Aliasing.unique(params, body, el.functions::uniqueResults);
    List<LoopParam> loopParams = new ArrayList<>();
    List<Boolean> trueDeps = new ArrayList<>();
    mark(l.pat(), type, l.trueDeps(), trueDeps);
    for (int i = 0; i < params.size(); i++) {
      Param p = params.get(i);
      int leaf = i - sizeNames.size();
      boolean trueDep = leaf >= 0 && leaf < trueDeps.size() && trueDeps.get(leaf);
      loopParams.add(
          new LoopParam(
              new Param(p.name(), p.type(), isUnique.get(i)),
              inits.get(i),
              trueDep ? List.of("true_dep") : List.of()));
    }
    return finish(l, f, type, sizeNames, loopParams, new Loop(loopParams, form, body));
  }

  private SubExp size(String base, List<futharkc.core.ir.Name> sizeNames) {
    var size = emit.fresh(base);
    sizeNames.add(size);
    emit.assumeNonNegative(SubExp.of(size));
    return SubExp.of(size);
  }

  /** Adds for each leaf of a pattern whether it belongs to one of some names. */
  private static void mark(Pat p, Ty type, Set<Name> names, List<Boolean> into) {
    if (p instanceof Pat.Record r && type instanceof Ty.Record t) {
      t.fields().forEach((k, x) -> mark(Objects.requireNonNull(r.fields().get(k)), x, names, into));
      return;
    }
    boolean named = p instanceof Pat.Var v && names.contains(v.name());
    into.addAll(Collections.nCopies(type.leafCount(), named));
  }

  private LoweredValue finish(
      Exp.Loop l,
      Frame f,
      Ty type,
      List<futharkc.core.ir.Name> sizeNames,
      List<LoopParam> params,
      Loop loop) {
    List<PatElem> pat = new ArrayList<>();
    Map<SubExp, SubExp> known = new HashMap<>();
    for (var n : sizeNames) {
      var size = emit.fresh(n.base());
      emit.assumeNonNegative(SubExp.of(size));
      known.put(SubExp.of(n), SubExp.of(size));
      pat.add(new PatElem(size, futharkc.core.ir.Type.I64));
    }
    Ty resultType = type.mapSizes(s -> known.getOrDefault(s, s));
    List<SubExp> results = new ArrayList<>();
    for (var t : resultType.leaves()) {
      var n = emit.fresh("res");
      pat.add(new PatElem(n, t));
      results.add(SubExp.of(n));
    }
    if (pat.size() < params.size()) {
      pat.add(new PatElem(emit.fresh("cond"), futharkc.core.ir.Type.BOOL));
    }
    emit.add(pat, loop, List.of());
    LoweredValue v = LoweredValue.of(resultType, results);
    el.bindResult(l.type(), l.sizes(), v, f);
    return v;
  }

  /** Binds the loop's pattern and its variant sizes to a value. */
  private void bind(Exp.Loop l, Frame f, LoweredValue v) {
    el.bindResult(l.pat().type(), l.loopSizes(), v, f);
    el.patterns.bind(l.pat(), v, f);
  }

  /** Replaces accumulator types by those of a value, because only values carry their full types. */
  private static Ty withAccumulators(Ty t, Ty actual) {
    return switch (t) {
      case Ty.Acc a -> actual;
      case Ty.Record r -> {
        var fields =
            new java.util.TreeMap<String, Ty>(futharkc.core.language.typed.Type.FIELD_ORDER);
        r.fields()
            .forEach((k, x) -> fields.put(k, withAccumulators(x, ((Ty.Record) actual).field(k))));
        yield new Ty.Record(fields);
      }
      case Ty.Prim p -> p;
      case Ty.Array a -> a;
      case Ty.Sum s -> s;
      case Ty.Fun x -> x;
    };
  }
}
