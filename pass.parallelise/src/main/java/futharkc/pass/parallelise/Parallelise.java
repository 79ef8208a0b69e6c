package futharkc.pass.parallelise;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.BoundNames;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.sequential.FirstOrder;
import futharkc.core.ir.sequential.SequentialCalls;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.soac.VectorOperator;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parallelises the statements of one function. */
final class Parallelise {
  /**
   * The maximum number of statements of a map that is emitted twice, with and without inner
   * regions, to limit compile time.
   */
  static final Option STATEMENTS =
      Option.integer(
          "statements",
          3000,
          "maximum number of statements of a map that is emitted twice, with and without"
              + " inner regions, to limit compile time");

  /** The maximum nesting of maps that are emitted twice. */
  static final Option LEVELS =
      Option.integer(
          "levels",
          6,
          "maximum nesting of maps that are emitted twice; each level repeats the statements"
              + " inside");

  /** The minimum constant size of an inner operation that becomes a region. */
  static final Option ELEMENTS =
      Option.integer(
          "elements", 64, "minimum constant size of an inner operation that becomes a region");

  /** The number of partial results of a reduction whose operator works on arrays. */
  static final Option PARTS =
      Option.integer(
              "parts",
              64,
              "number of partial results of a reduction whose operator works on arrays; the"
                  + " program allocates them before it knows the thread count")
          .within(1, 1 << 16);

  /** The options of the pass. */
  static final List<Option> OPTIONS = List.of(STATEMENTS, LEVELS, ELEMENTS, PARTS);

  private final NameSource names;
  private final Scope scope;
  private final SequentialCalls calls;
  private final PassContext context;
  private final FirstOrder loopsAround;

  /** The number of operations around the current code that have a version with inner regions. */
  private int level;

  Parallelise(NameSource names, Scope scope, SequentialCalls calls, PassContext context) {
    this.names = names;
    this.scope = scope;
    this.calls = calls;
    this.context = context;
    this.loopsAround = new FirstOrder(names, scope, this::stms);
  }

  List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      scope.add(s);
      if (s.exp() instanceof Soac soac) {
        out.addAll(soac(s, soac));
      } else {
        out.add(s.withExp(loopsAround.descend(s.exp())));
      }
    }
    return out;
  }

  private List<Stm> soac(Stm stm, Soac soac) {
    if (stm.aux().hasAttr("sequential")) {
      return calls.sequential(names, scope, List.of(stm));
    }
    if (stm.aux().hasAttr("sequential_outer")) {
      return loopsAround.soac(stm, soac);
    }
    return switch (soac) {
      case Soac.Screma s -> screma(stm, s);
      case Soac.Hist h -> hist(stm, h);
      case Soac.FlatMap f -> stms(FlatMaps.toScatter(stm, f, names, scope));
      case Soac.Stream s -> loopsAround.soac(stm, s);
      case Soac.Jvp j -> loopsAround.soac(stm, j);
      case Soac.Vjp v -> loopsAround.soac(stm, v);
      case Soac.WithVjp w -> loopsAround.soac(stm, w);
    };
  }

  // Maps, reductions, scans

  private List<Stm> screma(Stm stm, Soac.Screma s) {
    if (!s.scans().isEmpty() && !s.reduces().isEmpty()) {
      return stms(Scremas.reduceThenScan(stm, s, names));
    }
    if (!s.scans().isEmpty() && Scremas.scansArrays(s)) {
      boolean alone =
          s.scans().size() == 1
              && s.map().body().stms().isEmpty()
              && s.map().results().size() == s.scanResults()
              && Scremas.elementwise(s.scans().get(0).op()) == null;
      return alone ? loopsAround.soac(stm, s) : stms(Scremas.scanThenPost(stm, s, names));
    }
    // A parallel scan traverses its elements twice: the first traversal computes the sum of each
    // chunk.
    boolean mapFirst = Scremas.mapUpdates(s) || Scremas.isCostly(s.map());
    if (!s.scans().isEmpty() && mapFirst) {
      return stms(Scremas.mapFirst(stm, s, names));
    }
    for (Soac.Reduce red : s.reduces()) {
      if (operator(red.commutative(), red.op(), red.neutral(), new Builder(names)) == null) {
        return chunkedReduce(stm, s);
      }
    }
    Nest nest = new Nest();
    Soac.Screma inner = nest.enter(stm, s);
    Builder before = new Builder(names);
    before.with(Aux.at(stm.aux().loc()));
    SegOp op = nest.segOp(inner, before);
    Body nested =
        nest.dims.size() == 1 || hasParallelism(inner.map().body()) ? nested(stm, s) : null;
    before.with(stm.aux().plusCerts(nest.checked)).let(stm.pat(), new SegExp.ParOp(op, nested));
    return before.stms();
  }

  /** A nest of maps that becomes one index space. */
  private final class Nest {
    final List<SegSpace.Dim> dims = new ArrayList<>();
    final List<Stm> stms = new ArrayList<>();
    private final Set<Name> variant = new HashSet<>();

    /** The certificates outside the nest that guard its body. */
    final List<Name> checked = new ArrayList<>();

    /**
     * Adds dimensions for nested maps. Returns the innermost operation, for which all indices but
     * its own are bound.
     */
    Soac.Screma enter(Stm stm, Soac.Screma s) {
      List<Name> certs = List.of();
      Aux aux = stm.aux();
      while (true) {
        dimension(s, certs);
        if (!s.isMap() || aux.hasAttr("sequential_inner")) {
          return s;
        }
        Body map = Scremas.mapThenPost(s).body();
        Stm last = innermost(map);
        if (last == null) {
          return s;
        }
        for (Stm around : map.stms().subList(0, map.stms().size() - 1)) {
          bind(around);
        }
        s = (Soac.Screma) last.exp();
        certs = last.aux().certs();
        for (Name c : certs) {
          if (!variant.contains(c)) {
            checked.add(c);
          }
        }
        aux = last.aux();
      }
    }

    private void dimension(Soac.Screma s, List<Name> certs) {
      Name i = names.fresh("i");
      scope.add(i, Type.I64);
      variant.add(i);
      dims.add(new SegSpace.Dim(i, s.width()));
      Set<Name> consumed = Consumption.of(s.map());
      for (int k = 0; k < s.inputs().size(); k++) {
        Param p = s.map().params().get(k);
        Type in = scope.type(s.inputs().get(k));
        Exp e =
            in instanceof Type.Acc
                ? new BasicOp.SubExpOp(SubExp.of(s.inputs().get(k)))
                : new BasicOp.Index(s.inputs().get(k), Slice.fix(List.of(SubExp.of(i)), in.dims()));
        Aux aux = Aux.NONE.plusCerts(certs);
        if (p.type() instanceof Type.Array && consumed.contains(p.name())) {
          // A row of a shared array must not be consumed, but a copy of the row may be.
          Name row = names.fresh(p.name());
          bind(new Stm(List.of(new PatElem(row, p.type())), aux, e));
          e = new BasicOp.Replicate(List.of(), SubExp.of(row));
        }
        bind(new Stm(List.of(new PatElem(p.name(), p.type())), aux, e));
      }
    }

    private void bind(Stm s) {
      stms.add(s);
      scope.add(s);
      variant.addAll(s.names());
    }

    /**
     * Returns the last statement of a map's body if it can become the inner dimension. It must
     * compute all results of the map, its width must be invariant, and it must have no checks that
     * an empty nest would not execute. Otherwise the result is null.
     */
    private @Nullable Stm innermost(Body map) {
      List<Stm> body = map.stms();
      if (body.isEmpty()) {
        return null;
      }
      Stm last = body.get(body.size() - 1);
      if (!(last.exp() instanceof Soac.Screma inner)) {
        return null;
      }
      if (last.aux().hasAttr("sequential") || last.aux().hasAttr("sequential_outer")) {
        return null;
      }
      if (!inner.scans().isEmpty() && (!inner.reduces().isEmpty() || Scremas.scansArrays(inner))) {
        return null;
      }
      Set<Name> bound = new HashSet<>(variant);
      for (Stm a : body.subList(0, body.size() - 1)) {
        if (!Scremas.isCheap(a)) {
          return null;
        }
        bound.addAll(a.names());
      }
      if (inner.width() instanceof SubExp.Var w && bound.contains(w.name())) {
        return null;
      }
      if (!Collections.disjoint(last.aux().certs(), bound)) {
        return null;
      }
      List<SubExp> results = map.results();
      if (results.size() != last.pat().size()) {
        return null;
      }
      for (int k = 0; k < results.size(); k++) {
        if (!(results.get(k) instanceof SubExp.Var v)
            || !v.name().equals(last.pat().get(k).name())) {
          return null;
        }
      }
      // Operators, and the function after a scan, are evaluated outside the scope of the nest's
      // names.
      for (Soac.Reduce r : inner.reduces()) {
        if (!scalarNeutral(r.neutral(), bound) || mentions(r.op(), bound)) {
          return null;
        }
      }
      for (Soac.Scan r : inner.scans()) {
        if (!scalarNeutral(r.neutral(), bound) || mentions(r.op(), bound)) {
          return null;
        }
      }
      if (!inner.scans().isEmpty() && mentions(inner.post(), bound)) {
        return null;
      }
      return last;
    }

    private boolean mentions(Lambda l, Set<Name> bound) {
      return !Collections.disjoint(FreeNames.of(l), bound);
    }

    private boolean scalarNeutral(List<SubExp> neutral, Set<Name> bound) {
      for (SubExp e : neutral) {
        if (e instanceof SubExp.Var v && (bound.contains(v.name()) || scope.type(e).rank() > 0)) {
          return false;
        }
      }
      return true;
    }

    /** Returns the operation over the whole nest. */
    SegOp segOp(Soac.Screma inner, Builder before) {
      SegSpace space = new SegSpace(names.fresh("flat"), dims);
      scope.add(space.flat(), Type.I64);
      SegLevel level = new SegLevel.Cores();
      List<Stm> body = new ArrayList<>(stms);
      if (inner.scans().isEmpty()) {
        Lambda map = Scremas.mapThenPost(inner);
        body.addAll(calls.sequential(names, scope, map.body().stms()));
        SegBody sb = new SegBody(body, returns(map.body().results()));
        if (inner.isMap()) {
          return new SegOp.SegMap(level, space, map.results(), sb);
        }
        List<SegOp.SegBinOp> ops = new ArrayList<>();
        for (Soac.Reduce r : inner.reduces()) {
          ops.add(sequentialOp(operator(r.commutative(), r.op(), r.neutral(), before)));
        }
        return new SegOp.SegRed(level, space, ops, map.results(), sb);
      }
      body.addAll(calls.sequential(names, scope, inner.map().body().stms()));
      SegBody sb = new SegBody(body, returns(inner.map().body().results()));
      List<SegOp.SegBinOp> ops = new ArrayList<>();
      for (Soac.Scan r : inner.scans()) {
        ops.add(sequentialOp(operator(false, r.op(), r.neutral(), before)));
      }
      return new SegOp.SegScan(
          level, space, ops, inner.map().results(), sb, sequential(inner.post()));
    }
  }

  private static List<SegResult> returns(List<SubExp> values) {
    List<SegResult> rs = new ArrayList<>();
    for (SubExp v : values) {
      rs.add(new SegResult.Returns(v));
    }
    return rs;
  }

  private Lambda sequential(Lambda l) {
    scope.addParams(l.params());
    return new Lambda(
        l.params(),
        new Body(calls.sequential(names, scope, l.body().stms()), l.body().results()),
        l.results());
  }

  private SegOp.SegBinOp sequentialOp(SegOp.@Nullable SegBinOp op) {
    if (op == null) {
      throw new IllegalStateException("the operator works on arrays");
    }
    return new SegOp.SegBinOp(op.commutative(), sequential(op.op()), op.neutral(), op.shape());
  }

  /**
   * Returns an operator on scalars, possibly elementwise on arrays; null for another operator on
   * arrays. An elementwise operator has equal neutral elements at all positions, so one element of
   * the given array suffices.
   */
  private SegOp.@Nullable SegBinOp operator(
      boolean commutative, Lambda op, List<SubExp> neutral, Builder before) {
    VectorOperator v = VectorOperator.of(op, neutral, before, scope);
    return v.isScalar() ? new SegOp.SegBinOp(commutative, v.op(), v.neutral(), v.shape()) : null;
  }

  // The version with parallelism inside

  /**
   * Returns the operation as a sequential loop with parallel operations inside; null if none is
   * profitable.
   */
  private @Nullable Body nested(Stm stm, Soac.Screma s) {
    if (level == context.number(LEVELS) || stm.aux().hasAttr("sequential_inner")) {
      return null;
    }
    if (!hasParallelism(s.map().body())) {
      return null;
    }
    if (BoundNames.of(s.map().body()).size() > context.number(STATEMENTS)) {
      return null;
    }
    Soac.Screma copy = (Soac.Screma) new Renamer(names).exp(s);
    List<PatElem> pat = new ArrayList<>();
    for (PatElem p : stm.pat()) {
      pat.add(new PatElem(names.fresh(p.name()), p.type()));
    }
    Stm inside = new Stm(pat, Aux.at(stm.aux().loc()), copy);
    scope.add(inside);
    List<Stm> result = new ArrayList<>();
    level++;
    if (copy.isMap()) {
      result.addAll(loopsAround.soac(inside, copy));
    } else {
      List<Stm> parts = Scremas.mapFirst(inside, copy, names);
      Stm map = parts.get(0);
      scope.add(map);
      result.addAll(loopsAround.soac(map, (Soac) map.exp()));
      result.addAll(stms(parts.subList(1, parts.size())));
    }
    level--;
    return new Body(result, pat.stream().map(p -> SubExp.of(p.name())).toList());
  }

  /** Tests whether a body contains a parallel operation whose width is not a small constant. */
  private boolean hasParallelism(Body body) {
    boolean[] found = {false};
    new Mapper() {
      @Override
      public Stm stm(Stm s) {
        return found[0] || s.aux().hasAttr("sequential") ? s : super.stm(s);
      }

      @Override
      public Exp exp(Exp e) {
        if (e instanceof Soac soac
            && !(soac.width() instanceof SubExp.Const c
                && c.value().asLong() < context.number(ELEMENTS))) {
          found[0] = true;
        }
        return found[0] ? e : super.exp(e);
      }
    }.body(body);
    return found[0];
  }

  // Reductions with an operator on arrays

  /**
   * Returns a reduction as a map over a fixed number of chunks, which a sequential loop reduces,
   * followed by a loop over the chunks' results.
   */
  private List<Stm> chunkedReduce(Stm stm, Soac.Screma s) {
    if (!s.post().results().isEmpty()) {
      return stms(Scremas.outputsFirst(stm, s, names));
    }
    Builder b = new Builder(names);
    b.with(stm.aux());
    SubExp most = SubExp.i64(context.number(PARTS));
    SubExp chunks = b.binOp("chunks", BinOp.Kind.SMIN, PrimType.I64, s.width(), most);
    SubExp divisor = b.binOp("divisor", BinOp.Kind.SMAX, PrimType.I64, chunks, SubExp.i64(1));
    SubExp size = b.binOp("size", BinOp.Kind.SDIV_UP, PrimType.I64, s.width(), divisor);
    Name iota =
        b.let(
            "chunk_ids",
            Type.array(Type.I64, chunks),
            new BasicOp.Iota(chunks, SubExp.i64(0), SubExp.i64(1), PrimType.I64));
    Param id = new Param(names.fresh("chunk"), Type.I64);
    Builder body = new Builder(names);
    SubExp lo = body.binOp("lo", BinOp.Kind.MUL, PrimType.I64, SubExp.of(id.name()), size);
    SubExp start = body.binOp("start", BinOp.Kind.SMIN, PrimType.I64, lo, s.width());
    SubExp rest = body.binOp("rest", BinOp.Kind.SUB, PrimType.I64, s.width(), start);
    SubExp n = body.binOp("n", BinOp.Kind.SMIN, PrimType.I64, rest, size);
    List<Name> parts = new ArrayList<>();
    for (Name in : s.inputs()) {
      Type t = scope.type(in);
      List<Slice.Dim> dims = new ArrayList<>();
      dims.add(new Slice.Range(start, n, SubExp.i64(1)));
      for (SubExp d : t.row().dims()) {
        dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
      }
      parts.add(body.let("part", Type.array(t.row(), n), new BasicOp.Index(in, new Slice(dims))));
    }
    Soac.Screma reduceChunk =
        (Soac.Screma)
            new Renamer(names)
                .exp(new Soac.Screma(n, parts, s.map(), s.scans(), s.reduces(), s.post()));
    List<PatElem> partial = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (Soac.Reduce r : s.reduces()) {
      types.addAll(r.op().results());
    }
    for (Type t : types) {
      partial.add(new PatElem(names.fresh("partial"), t));
    }
    body.add(
        new Stm(partial, new Aux(List.of(), List.of("sequential"), stm.aux().loc()), reduceChunk));
    Lambda perChunk =
        new Lambda(
            List.of(id), body.body(partial.stream().map(p -> SubExp.of(p.name())).toList()), types);
    List<PatElem> partials = new ArrayList<>();
    for (Type t : types) {
      partials.add(new PatElem(names.fresh("partials"), Type.array(t, chunks)));
    }
    b.let(
        partials,
        new Soac.Screma(
            chunks, List.of(iota), perChunk, List.of(), List.of(), Scremas.identity(types, names)));
    List<Soac.Reduce> again = new ArrayList<>();
    for (Soac.Reduce r : s.reduces()) {
      again.add(new Soac.Reduce(r.commutative(), new Renamer(names).lambda(r.op()), r.neutral()));
    }
    b.add(
        new Stm(
            stm.pat(),
            new Aux(stm.aux().certs(), List.of("sequential"), stm.aux().loc()),
            new Soac.Screma(
                chunks,
                partials.stream().map(PatElem::name).toList(),
                Scremas.identity(types, names),
                List.of(),
                again,
                Scremas.identity(List.of(), names))));
    return stms(b.stms());
  }

  // Histograms

  private List<Stm> hist(Stm stm, Soac.Hist h) {
    Builder before = new Builder(names);
    before.with(Aux.at(stm.aux().loc()));
    List<SegOp.SegHistOp> ops = new ArrayList<>();
    for (Soac.HistOp o : h.ops()) {
      SegOp.SegBinOp op = operator(true, o.op(), o.neutral(), before);
      if (op == null || h.inputs().stream().anyMatch(in -> scope.type(in) instanceof Type.Acc)) {
        return loopsAround.soac(stm, h);
      }
      ops.add(
          new SegOp.SegHistOp(
              o.shape(), o.raceFactor(), o.dests(), op.neutral(), op.shape(), sequential(op.op())));
    }
    Name i = names.fresh("i");
    scope.add(i, Type.I64);
    SegSpace space = new SegSpace(names.fresh("flat"), List.of(new SegSpace.Dim(i, h.width())));
    scope.add(space.flat(), Type.I64);
    List<Stm> body = new ArrayList<>();
    for (int k = 0; k < h.inputs().size(); k++) {
      Param p = h.bucket().params().get(k);
      Name in = h.inputs().get(k);
      Stm s =
          Stm.of(
              p.name(),
              p.type(),
              new BasicOp.Index(in, Slice.fix(List.of(SubExp.of(i)), scope.type(in).dims())));
      scope.add(s);
      body.add(s);
    }
    body.addAll(calls.sequential(names, scope, h.bucket().body().stms()));
    SegBody sb = new SegBody(body, returns(h.bucket().body().results()));
    before
        .with(stm.aux())
        .let(
            stm.pat(),
            new SegExp.ParOp(
                new SegOp.SegHist(new SegLevel.Cores(), space, ops, h.bucket().results(), sb),
                null));
    return before.stms();
  }
}
