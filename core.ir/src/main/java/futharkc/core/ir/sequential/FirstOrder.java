package futharkc.core.ir.sequential;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Translation of SOACs to loops over their inputs, including nested SOACs. A {@code Screma} becomes
 * one loop that carries the accumulators of its reductions and scans, and the arrays of its other
 * results, updated in place at each index.
 *
 * <p>Before: {@code let ys = screma(n, {xs}, \x -> x + 1)}. After:
 *
 * <pre>
 * let out = scratch(i32, n)
 * let ys = loop (a = out) for i &lt; n do
 *   let x = xs[i]
 *   let y = x + 1
 *   let b = a with [i] = y
 *   in b
 * </pre>
 */
public final class FirstOrder {
  /** The transformation of bodies inside an operation, chosen by the caller. */
  public interface Inner {
    /** Returns equivalent statements. The scope contains all names bound around them. */
    List<Stm> stms(List<Stm> stms);
  }

  private final NameSource names;
  private final Scope scope;
  private final Inner inner;
  private final boolean joinsMaps;

  /**
   * @param scope the types of free names; names bound inside are added
   * @param inner the transformation of the statements of lambdas
   */
  public FirstOrder(NameSource names, Scope scope, Inner inner) {
    this(names, scope, inner, false);
  }

  private FirstOrder(NameSource names, Scope scope, Inner inner, boolean joinsMaps) {
    this.names = names;
    this.scope = scope;
    this.inner = inner;
    this.joinsMaps = joinsMaps;
  }

  /** Returns a transformation that leaves no SOAC in the code. */
  public static FirstOrder toLoops(NameSource names, Scope scope) {
    return new LoopsInside(names, scope, false).firstOrder;
  }

  /**
   * Returns a transformation that leaves no SOAC in the code and fuses adjacent maps inside scans
   * and reductions; see {@link AdjacentMaps}.
   */
  public static FirstOrder toFewLoops(NameSource names, Scope scope) {
    return new LoopsInside(names, scope, true).firstOrder;
  }

  /** A transformation of all nested SOACs to loops. */
  private static final class LoopsInside implements Inner {
    final FirstOrder firstOrder;

    LoopsInside(NameSource names, Scope scope, boolean joinsMaps) {
      firstOrder = new FirstOrder(names, scope, this, joinsMaps);
    }

    @Override
    public List<Stm> stms(List<Stm> stms) {
      return firstOrder.stms(stms);
    }
  }

  /** Replaces all SOACs by loops, at any depth. */
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      scope.add(s);
      if (s.exp() instanceof Soac soac) {
        out.addAll(soac(s, soac));
      } else {
        out.add(s.withExp(descend(s.exp())));
      }
    }
    return out;
  }

  public Body body(Body b) {
    return new Body(inner.stms(b.stms()), b.results());
  }

  /** Transforms the bodies of an expression other than a SOAC. */
  public Exp descend(Exp e) {
    return switch (e) {
      case Exp.Match m ->
          new Exp.Match(
              m.scrutinees(),
              m.cases().stream().map(c -> new Exp.Case(c.pattern(), body(c.body()))).toList(),
              body(m.otherwise()));
      case Exp.Loop l -> {
        for (Exp.LoopParam p : l.params()) {
          scope.add(p.param().name(), p.param().type());
        }
        if (l.form() instanceof Exp.Form.For f) {
          scope.add(f.index(), Type.prim(f.type()));
        }
        yield new Exp.Loop(l.params(), l.form(), body(l.body()));
      }
      case Exp.WithAcc w -> {
        scope.addParams(w.lambda().params());
        List<Exp.AccInput> inputs = new ArrayList<>();
        for (Exp.AccInput in : w.inputs()) {
          Exp.AccOp op = in.op();
          inputs.add(
              op == null
                  ? in
                  : new Exp.AccInput(
                      in.space(), in.arrays(), new Exp.AccOp(operator(op.lambda()), op.neutral())));
        }
        yield new Exp.WithAcc(
            inputs, new Lambda(w.lambda().params(), body(w.lambda().body()), w.lambda().results()));
      }
      case BasicOp _, Exp.Apply _, Soac _, SegExp _, HostOp _, MemOp _ -> e;
    };
  }

  /** Transforms an operator completely to loops, as required for atomic updates. */
  private Lambda operator(Lambda l) {
    scope.addParams(l.params());
    List<Stm> stms = toLoops(names, scope).stms(l.body().stms());
    return new Lambda(l.params(), new Body(stms, l.body().results()), l.results());
  }

  /** Returns statements that are equivalent to a SOAC and bind its pattern. */
  public List<Stm> soac(Stm stm, Soac soac) {
    return switch (soac) {
      case Soac.Screma s -> screma(stm, s);
      case Soac.Hist h -> hist(stm, h);
      case Soac.Stream s -> stream(stm, s);
      case Soac.FlatMap f -> flatMap(stm, f);
      case Soac.Jvp j -> throw notDifferentiated(stm);
      case Soac.Vjp v -> throw notDifferentiated(stm);
      case Soac.WithVjp w -> {
        Builder b = new Builder(names);
        bindParams(b, w.lambda().params(), w.args());
        b.addAll(inner.stms(w.lambda().body().stms()));
        bindResults(b, stm, w.lambda().body().results());
        yield b.stms();
      }
    };
  }

  private static PassException notDifferentiated(Stm stm) {
    return new PassException(
        stm.aux().loc(),
        "a derivative (jvp or vjp) is left after optimisation; this target needs a pass that"
            + " differentiates");
  }

  private List<Stm> screma(Stm stm, Soac.Screma s) {
    Builder b = new Builder(names);
    int nred = s.reduceResults();
    int nscan = s.scanResults();
    List<Exp.LoopParam> params = new ArrayList<>();
    List<SubExp> redAccs = new ArrayList<>();
    List<SubExp> scanAccs = new ArrayList<>();
    for (Soac.Reduce r : s.reduces()) {
      for (int i = 0; i < r.neutral().size(); i++) {
        redAccs.add(param(params, "acc", r.op().results().get(i), false, r.neutral().get(i)));
      }
    }
    for (Soac.Scan r : s.scans()) {
      for (int i = 0; i < r.neutral().size(); i++) {
        scanAccs.add(param(params, "acc", r.op().results().get(i), false, r.neutral().get(i)));
      }
    }
    Map<Name, SubExp> accs = accParams(params, s.inputs());
    List<SubExp> outs = new ArrayList<>();
    for (Type t : s.post().results()) {
      if (t instanceof Type.Acc acc) {
        outs.add(accNamed(params, acc.token()));
      } else {
        outs.add(scratchParam(b, params, t, s.width()));
      }
    }
    Name i = names.fresh("i");
    scope.add(i, Type.I64);
    Builder body = new Builder(names);
    Set<Name> consumed = Consumption.of(s.map());
    for (int k = 0; k < s.inputs().size(); k++) {
      Param p = s.map().params().get(k);
      SubExp acc = accs.get(s.inputs().get(k));
      if (acc != null) {
        bind(body, p, new BasicOp.SubExpOp(acc));
      } else {
        bindRow(body, p, row(s.inputs().get(k), SubExp.of(i)), consumed);
      }
    }
    boolean joins = joinsMaps && nred + nscan > 0;
    Inner each = joins ? stms -> stms : inner;
    Builder inside = joins ? new Builder(names) : body;
    inside.addAll(each.stms(s.map().body().stms()));
    List<SubExp> mapped = s.map().body().results();
    List<SubExp> next = new ArrayList<>();
    List<SubExp> redNext = new ArrayList<>();
    int at = nscan;
    int accAt = 0;
    for (Soac.Reduce r : s.reduces()) {
      int n = r.neutral().size();
      List<SubExp> args = new ArrayList<>(redAccs.subList(accAt, accAt + n));
      args.addAll(mapped.subList(at, at + n));
      redNext.addAll(apply(inside, r.op(), args, each));
      at += n;
      accAt += n;
    }
    List<SubExp> scanNext = new ArrayList<>();
    at = 0;
    for (Soac.Scan r : s.scans()) {
      int n = r.neutral().size();
      List<SubExp> args = new ArrayList<>(scanAccs.subList(at, at + n));
      args.addAll(mapped.subList(at, at + n));
      scanNext.addAll(apply(inside, r.op(), args, each));
      at += n;
    }
    List<SubExp> postArgs = new ArrayList<>(scanNext);
    postArgs.addAll(mapped.subList(nscan + nred, mapped.size()));
    bindParams(inside, s.post().params(), postArgs);
    inside.addAll(each.stms(s.post().body().stms()));
    List<SubExp> posts = s.post().body().results();
    if (joins) {
      List<SubExp> used = new ArrayList<>(redNext);
      used.addAll(scanNext);
      used.addAll(posts);
      AdjacentMaps.Fused fused = AdjacentMaps.fuse(inside.stms(), used);
      body.addAll(inner.stms(fused.stms()));
      redNext = fused.now().subExps(redNext);
      scanNext = fused.now().subExps(scanNext);
      posts = fused.now().subExps(posts);
    }
    Map<Name, SubExp> accNext = new LinkedHashMap<>();
    List<SubExp> outNext = new ArrayList<>();
    for (int k = 0; k < posts.size(); k++) {
      Type t = s.post().results().get(k);
      if (t instanceof Type.Acc acc) {
        accNext.put(acc.token(), posts.get(k));
      } else {
        Name out = ((SubExp.Var) outs.get(k)).name();
        outNext.add(update(body, out, SubExp.of(i), posts.get(k)));
      }
    }
    next.addAll(redNext);
    next.addAll(scanNext);
    for (Name input : s.inputs()) {
      if (scope.type(input) instanceof Type.Acc acc) {
        next.add(accNext.getOrDefault(acc.token(), accs.get(input)));
      }
    }
    next.addAll(outNext);
    List<PatElem> pat = loopPattern(params);
    b.with(aux(stm))
        .let(
            pat,
            new Exp.Loop(params, new Exp.Form.For(i, PrimType.I64, s.width()), body.body(next)));
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < nred; k++) {
      results.add(SubExp.of(pat.get(k).name()));
    }
    int firstAcc = nred + nscan;
    int out = firstAcc + accs.size();
    for (Type t : s.post().results()) {
      if (t instanceof Type.Acc acc) {
        int k = firstAcc;
        while (!(params.get(k).param().type() instanceof Type.Acc a
            && a.token().equals(acc.token()))) {
          k++;
        }
        results.add(SubExp.of(pat.get(k).name()));
      } else {
        results.add(SubExp.of(pat.get(out++).name()));
      }
    }
    return renameLoopResults(b, stm, results, nred);
  }

  /** Uses the statement's pattern as the loop's pattern if possible, and otherwise adds copies. */
  private List<Stm> renameLoopResults(Builder b, Stm stm, List<SubExp> results, int reductions) {
    List<Stm> stms = new ArrayList<>(b.stms());
    Stm loop = stms.remove(stms.size() - 1);
    List<Stm> copies = new ArrayList<>();
    Map<Name, PatElem> wanted = new LinkedHashMap<>();
    boolean distinct = true;
    for (int k = 0; k < results.size(); k++) {
      PatElem p = stm.pat().get(k);
      if (k < reductions && p.type().rank() > 0) {
        // The result of a reduction is fresh, but the operator may return an operand that is part
        // of an input.
        Exp copy = new BasicOp.Replicate(List.of(), results.get(k));
        copies.add(new Stm(List.of(p), Aux.at(stm.aux().loc()), copy));
      } else {
        distinct &= wanted.put(((SubExp.Var) results.get(k)).name(), p) == null;
      }
    }
    if (distinct) {
      List<PatElem> pat = new ArrayList<>();
      for (PatElem p : loop.pat()) {
        PatElem w = wanted.get(p.name());
        pat.add(w == null ? p : w);
      }
      stms.add(new Stm(pat, loop.aux(), loop.exp()));
      stms.addAll(copies);
      return stms;
    }
    stms.add(loop);
    stms.addAll(copies);
    for (int k = 0; k < results.size(); k++) {
      if (k < reductions && stm.pat().get(k).type().rank() > 0) {
        continue;
      }
      stms.add(
          new Stm(
              List.of(stm.pat().get(k)),
              Aux.at(stm.aux().loc()),
              new BasicOp.SubExpOp(results.get(k))));
    }
    return stms;
  }

  private List<Stm> hist(Stm stm, Soac.Hist h) {
    Builder b = new Builder(names);
    List<Exp.LoopParam> params = new ArrayList<>();
    Map<Name, SubExp> accs = accParams(params, h.inputs());
    int firstDest = params.size();
    for (Soac.HistOp op : h.ops()) {
      for (Name d : op.dests()) {
        param(params, "dest", scope.type(d), true, SubExp.of(d));
      }
    }
    Name i = names.fresh("i");
    scope.add(i, Type.I64);
    Builder body = new Builder(names);
    for (int k = 0; k < h.inputs().size(); k++) {
      SubExp acc = accs.get(h.inputs().get(k));
      bind(
          body,
          h.bucket().params().get(k),
          acc != null ? new BasicOp.SubExpOp(acc) : row(h.inputs().get(k), SubExp.of(i)));
    }
    body.addAll(inner.stms(h.bucket().body().stms()));
    List<SubExp> results = h.bucket().body().results();
    int index = 0;
    int value = h.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int dest = firstDest;
    List<SubExp> next = new ArrayList<>();
    for (Soac.HistOp op : h.ops()) {
      List<SubExp> at = results.subList(index, index + op.shape().size());
      int n = op.dests().size();
      List<Name> dests = new ArrayList<>();
      for (int k = 0; k < n; k++) {
        dests.add(params.get(dest + k).param().name());
      }
      next.addAll(histUpdate(body, op, dests, at, results.subList(value, value + n)));
      index += op.shape().size();
      value += n;
      dest += n;
    }
    b.with(aux(stm))
        .let(
            stm.pat(),
            new Exp.Loop(params, new Exp.Form.For(i, PrimType.I64, h.width()), body.body(next)));
    return b.stms();
  }

  private List<SubExp> histUpdate(
      Builder body, Soac.HistOp op, List<Name> dests, List<SubExp> at, List<SubExp> values) {
    SubExp inRange = SubExp.TRUE;
    for (int d = 0; d < at.size(); d++) {
      SubExp below = body.cmp("below", CmpOp.Kind.ULT, PrimType.I64, at.get(d), op.shape().get(d));
      inRange =
          d == 0 ? below : body.binOp("inside", BinOp.Kind.LOG_AND, PrimType.BOOL, inRange, below);
    }
    Builder then = new Builder(names);
    List<SubExp> args = new ArrayList<>();
    for (Name d : dests) {
      Type t = scope.type(d);
      Type elem = t.peel(at.size());
      Name old = then.let("old", elem, new BasicOp.Index(d, Slice.fix(at, t.dims())));
      if (elem.rank() > 0) {
        // The operand must not alias the element that is about to be overwritten.
        Name copy = then.let("old", elem, new BasicOp.Replicate(List.of(), SubExp.of(old)));
        scope.add(copy, elem);
        old = copy;
      }
      scope.add(old, elem);
      args.add(SubExp.of(old));
    }
    args.addAll(values);
    List<SubExp> combined = apply(then, op.op(), args);
    List<SubExp> updated = new ArrayList<>();
    for (int k = 0; k < dests.size(); k++) {
      Type t = scope.type(dests.get(k));
      updated.add(
          then.letExp(
              "dest",
              t,
              new BasicOp.Update(false, dests.get(k), Slice.fix(at, t.dims()), combined.get(k))));
    }
    List<PatElem> pat = new ArrayList<>();
    for (Name d : dests) {
      pat.add(fresh("dest", scope.type(d)));
    }
    body.let(
        pat,
        Exp.Match.conditional(
            inRange,
            then.body(updated),
            new Body(List.of(), dests.stream().map(SubExp::of).toList())));
    return pat.stream().map(p -> SubExp.of(p.name())).toList();
  }

  /** Translates a stream to a loop over chunks of one element. */
  private List<Stm> stream(Stm stm, Soac.Stream s) {
    Builder b = new Builder(names);
    List<Exp.LoopParam> params = new ArrayList<>();
    int naccs = s.accs().size();
    var ofOne = new Substitution(Map.of(s.lambda().params().get(0).name(), SubExp.i64(1)));
    Lambda lambda = ofOne.lambda(s.lambda());
    List<Param> ps = lambda.params();
    Set<Name> consumed = Consumption.of(lambda);
    for (int k = 0; k < naccs; k++) {
      Param p = ps.get(1 + k);
      param(params, p.name().base(), p.type(), p.unique(), s.accs().get(k));
    }
    List<SubExp> outs = new ArrayList<>();
    for (PatElem p : stm.pat().subList(naccs, stm.pat().size())) {
      outs.add(scratchParam(b, params, p.type().row(), s.width()));
    }
    Name i = names.fresh("i");
    scope.add(i, Type.I64);
    Builder body = new Builder(names);
    for (int k = 0; k < naccs; k++) {
      bind(body, ps.get(1 + k), new BasicOp.SubExpOp(SubExp.of(params.get(k).param().name())));
    }
    for (int k = 0; k < s.inputs().size(); k++) {
      Name in = s.inputs().get(k);
      bindRow(
          body,
          ps.get(1 + naccs + k),
          new BasicOp.Index(in, rowsFrom(SubExp.of(i), scope.type(in).dims())),
          consumed);
    }
    body.addAll(inner.stms(lambda.body().stms()));
    List<SubExp> results = lambda.body().results();
    List<SubExp> next = new ArrayList<>(results.subList(0, naccs));
    for (int k = 0; k < outs.size(); k++) {
      Name out = ((SubExp.Var) outs.get(k)).name();
      Type t = scope.type(out);
      next.add(
          body.letExp(
              "out",
              t,
              new BasicOp.Update(
                  false, out, rowsFrom(SubExp.of(i), t.dims()), results.get(naccs + k))));
    }
    b.with(aux(stm))
        .let(
            stm.pat(),
            new Exp.Loop(params, new Exp.Form.For(i, PrimType.I64, s.width()), body.body(next)));
    return b.stms();
  }

  /** Returns the slice of row {@code i}, an array with one row. */
  private static Slice rowsFrom(SubExp i, List<SubExp> shape) {
    List<Slice.Dim> dims = new ArrayList<>();
    dims.add(new Slice.Range(i, SubExp.i64(1), SubExp.i64(1)));
    for (SubExp d : shape.subList(1, shape.size())) {
      dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
    }
    return new Slice(dims);
  }

  /**
   * Translates a flat map to two loops. The first computes the sizes, from which the offsets
   * follow; the second computes the segments. Dead code elimination removes the segments from the
   * first loop.
   */
  private List<Stm> flatMap(Stm stm, Soac.FlatMap f) {
    Builder b = new Builder(names);
    b.with(aux(stm));
    List<Exp.LoopParam> sizing = new ArrayList<>();
    SubExp total = param(sizing, "total", Type.I64, false, SubExp.i64(0));
    SubExp offsets = scratchParam(b, sizing, Type.I64, f.width());
    Name i = names.fresh("i");
    scope.add(i, Type.I64);
    Builder body = new Builder(names);
    Lambda copy = new Renamer(names).lambda(f.lambda());
    for (int k = 0; k < f.inputs().size(); k++) {
      bind(body, copy.params().get(k), row(f.inputs().get(k), SubExp.of(i)));
    }
    body.addAll(inner.stms(copy.body().stms()));
    SubExp size = copy.body().results().get(0);
    List<SubExp> next = new ArrayList<>();
    next.add(body.binOp("total", BinOp.Kind.ADD, PrimType.I64, total, size));
    next.add(update(body, ((SubExp.Var) offsets).name(), SubExp.of(i), total));
    PatElem totalPat = stm.pat().get(0);
    PatElem offsetsPat = stm.pat().get(1);
    b.let(
        List.of(totalPat, offsetsPat),
        new Exp.Loop(sizing, new Exp.Form.For(i, PrimType.I64, f.width()), body.body(next)));

    List<Exp.LoopParam> filling = new ArrayList<>();
    List<PatElem> parts = stm.pat().subList(2, stm.pat().size());
    for (PatElem p : parts) {
      scratchParam(b, filling, p.type().row(), SubExp.of(totalPat.name()));
    }
    Name j = names.fresh("i");
    scope.add(j, Type.I64);
    Builder fill = new Builder(names);
    for (int k = 0; k < f.inputs().size(); k++) {
      bind(fill, f.lambda().params().get(k), row(f.inputs().get(k), SubExp.of(j)));
    }
    fill.addAll(inner.stms(f.lambda().body().stms()));
    List<SubExp> results = f.lambda().body().results();
    SubExp offset =
        fill.letExp(
            "offset",
            Type.I64,
            new BasicOp.Index(offsetsPat.name(), new Slice(List.of(new Slice.Fix(SubExp.of(j))))));
    List<SubExp> filled = new ArrayList<>();
    for (int k = 0; k < parts.size(); k++) {
      Param out = filling.get(k).param();
      List<Slice.Dim> dims = new ArrayList<>();
      dims.add(new Slice.Range(offset, results.get(0), SubExp.i64(1)));
      for (SubExp d : out.type().row().dims()) {
        dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
      }
      filled.add(
          fill.letExp(
              "out",
              out.type(),
              new BasicOp.Update(false, out.name(), new Slice(dims), results.get(k + 1))));
    }
    b.let(
        parts,
        new Exp.Loop(filling, new Exp.Form.For(j, PrimType.I64, f.width()), fill.body(filled)));
    return b.stms();
  }

  // Helper methods

  private Aux aux(Stm stm) {
    return stm.aux();
  }

  private PatElem fresh(String base, Type t) {
    Name n = names.fresh(base);
    scope.add(n, t);
    return new PatElem(n, t);
  }

  private List<PatElem> loopPattern(List<Exp.LoopParam> params) {
    List<PatElem> pat = new ArrayList<>();
    for (Exp.LoopParam p : params) {
      pat.add(fresh(p.param().name().base(), p.param().type()));
    }
    return pat;
  }

  /** Adds a loop parameter and returns its use as an operand. */
  private SubExp param(
      List<Exp.LoopParam> params, String base, Type t, boolean unique, SubExp init) {
    Name n = names.fresh(base);
    scope.add(n, t);
    params.add(new Exp.LoopParam(new Param(n, t, unique), init));
    return SubExp.of(n);
  }

  /** Adds a loop parameter for an array of results, initially without contents. */
  private SubExp scratchParam(Builder b, List<Exp.LoopParam> params, Type row, SubExp width) {
    Type t = Type.array(row, width);
    Name blank = b.let("blank", t, new BasicOp.Scratch(t.elemPrim(), t.dims()));
    scope.add(blank, t);
    return param(params, "out", t, true, SubExp.of(blank));
  }

  /** Adds loop parameters for the inputs that are accumulators. */
  private Map<Name, SubExp> accParams(List<Exp.LoopParam> params, List<Name> inputs) {
    Map<Name, SubExp> accs = new LinkedHashMap<>();
    for (Name in : inputs) {
      if (scope.type(in) instanceof Type.Acc acc) {
        accs.put(in, param(params, in.base(), acc, false, SubExp.of(in)));
      }
    }
    return accs;
  }

  private static SubExp accNamed(List<Exp.LoopParam> params, Name token) {
    for (Exp.LoopParam p : params) {
      if (p.param().type() instanceof Type.Acc a && a.token().equals(token)) {
        return SubExp.of(p.param().name());
      }
    }
    throw new IllegalStateException("accumulator of " + token + " is not among the inputs");
  }

  private BasicOp row(Name array, SubExp i) {
    return new BasicOp.Index(array, Slice.fix(List.of(i), scope.type(array).dims()));
  }

  private SubExp update(Builder b, Name array, SubExp i, SubExp value) {
    Type t = scope.type(array);
    Name n =
        b.let("out", t, new BasicOp.Update(false, array, Slice.fix(List.of(i), t.dims()), value));
    scope.add(n, t);
    return SubExp.of(n);
  }

  private void bind(Builder b, Param p, BasicOp value) {
    scope.add(p.name(), p.type());
    b.add(Stm.of(p.name(), p.type(), value));
  }

  /**
   * Binds a parameter to a row of an array that all iterations share. A consumed parameter is bound
   * to a copy of the row.
   */
  private void bindRow(Builder b, Param p, BasicOp row, Set<Name> consumed) {
    if (p.type() instanceof Type.Array && consumed.contains(p.name())) {
      Name shared = names.fresh(p.name());
      scope.add(shared, p.type());
      b.add(Stm.of(shared, p.type(), row));
      bind(b, p, new BasicOp.Replicate(List.of(), SubExp.of(shared)));
    } else {
      bind(b, p, row);
    }
  }

  private void bindParams(Builder b, List<Param> params, List<SubExp> args) {
    for (int k = 0; k < params.size(); k++) {
      bind(b, params.get(k), new BasicOp.SubExpOp(args.get(k)));
    }
  }

  private static void bindResults(Builder b, Stm stm, List<SubExp> results) {
    for (int k = 0; k < results.size(); k++) {
      b.add(new Stm(List.of(stm.pat().get(k)), stm.aux(), new BasicOp.SubExpOp(results.get(k))));
    }
  }

  /** Inlines a lambda and returns its results as operands. */
  private List<SubExp> apply(Builder b, Lambda l, List<SubExp> args) {
    return apply(b, l, args, inner);
  }

  private List<SubExp> apply(Builder b, Lambda l, List<SubExp> args, Inner each) {
    Lambda copy = new Renamer(names).lambda(l);
    bindParams(b, copy.params(), args);
    b.addAll(each.stms(copy.body().stms()));
    return copy.body().results();
  }
}
