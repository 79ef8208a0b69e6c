package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Effects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Flattens code, one body at a time. Outside all maps, statements stay and second-order operations
 * become operations of threads. Inside a nest, each statement becomes an operation that computes
 * the statement's results in all segments.
 */
final class Flattener {
  final FlatteningContext cx;
  final Parallelism parallelism;
  final Preparation preparation;
  final Distribution.Mode mode;
  private final ScremaFlattening scremas;
  private final ArrayFlattening arrays;
  private final UpdateFlattening updates;
  private final LoopFlattening loops;
  private final BranchFlattening branches;
  private final AccFlattening accumulations;
  private final HistFlattening histograms;
  private final FlatMapFlattening flatMaps;
  private final CallFlattening calls;

  Flattener(FlatteningContext cx) {
    this(cx, Distribution.Mode.FLATTEN);
  }

  private Flattener(FlatteningContext cx, Distribution.Mode mode) {
    this.cx = cx;
    this.mode = mode;
    this.parallelism = new Parallelism(cx.functions);
    this.preparation = new Preparation(cx);
    this.scremas = new ScremaFlattening(this);
    this.arrays = new ArrayFlattening(this);
    this.updates = new UpdateFlattening(this);
    this.loops = new LoopFlattening(this, scremas.versions());
    this.branches = new BranchFlattening(this);
    this.accumulations = new AccFlattening(this);
    this.histograms = new HistFlattening(this, scremas);
    this.flatMaps = new FlatMapFlattening(this, scremas);
    this.calls = new CallFlattening(this);
  }

  /** Returns a flattener with another distribution mode. */
  Flattener with(Distribution.Mode other) {
    return other == mode ? this : new Flattener(cx, other);
  }

  /** Returns a flattener with the mode that the statement's attributes request. */
  private Flattener asFor(Stm s) {
    return s.aux().hasAttr("flattening(sequentialise_nonuniform)")
        ? with(Distribution.Mode.SEQUENTIALISE_ALL)
        : this;
  }

  // Outside all maps

  /** Flattens statements of host code, or of a thread block, and keeps the names that they bind. */
  void top(HostBuilder h, List<Stm> stms) {
    for (Stm s : preparation.stms(stms, h.place == FlatteningLevel.HOST)) {
      topStm(h, s);
    }
  }

  Body topBody(HostBuilder h, Body b) {
    HostBuilder inner = h.inner();
    top(inner, b.stms());
    return inner.body(b.results());
  }

  private void topStm(HostBuilder h, Stm s) {
    cx.scope.add(s);
    if (Parallelism.isSequential(s)) {
      preparation.sequential(List.of(s)).forEach(h::adopt);
      return;
    }
    switch (s.exp()) {
      case Soac x when !preparation.isOnScalars(x) -> top(h, cx.learn(onArrays(h, s, x)));
      case Soac x -> topSoac(h, s);
      case Exp.Loop l -> {
        if (l.form() instanceof Exp.Form.For f) {
          cx.scope.add(f.index(), Type.prim(f.type()));
        }
        h.adopt(s.withExp(new Exp.Loop(l.params(), l.form(), topBody(h, l.body()))));
      }
      case Exp.Match m -> {
        List<Exp.Case> cases = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          cases.add(new Exp.Case(c.pattern(), topBody(h, c.body())));
        }
        h.adopt(s.withExp(new Exp.Match(m.scrutinees(), cases, topBody(h, m.otherwise()))));
      }
      case Exp.WithAcc w -> {
        List<Exp.AccInput> inputs = new ArrayList<>();
        for (Exp.AccInput in : w.inputs()) {
          inputs.add(accumulations.forThreads(in));
        }
        Lambda l = w.lambda();
        Lambda lambda = new Lambda(l.params(), topBody(h, l.body()), l.results());
        h.adopt(s.withExp(new Exp.WithAcc(inputs, lambda)));
      }
      default -> h.adopt(s);
    }
  }

  /**
   * Returns the replacement of an operation whose operators work on arrays, but not elementwise.
   */
  private List<Stm> onArrays(HostBuilder h, Stm s, Soac x) {
    if (h.place != FlatteningLevel.HOST) {
      return preparation.asLoop(s, x);
    }
    List<Stm> instead =
        switch (x) {
          case Soac.Screma c -> new ChunkedFold(cx, parallelism).of(s, c);
          case Soac.Hist c -> sorted(h, s, c);
          default -> null;
        };
    return instead != null ? instead : preparation.asLoop(s, x);
  }

  /**
   * Returns the replacement of a reduction or scan with parallel operators, or with operators
   * beyond the limits of a thread; null if it has no such operator.
   */
  @Nullable List<Stm> inRounds(HostBuilder h, Stm s, Soac.Screma x) {
    ChunkedFold fold = new ChunkedFold(cx, parallelism);
    return h.place == FlatteningLevel.HOST && fold.inRounds(CombinedOperators.of(x))
        ? fold.of(s, x)
        : null;
  }

  /**
   * Returns the replacement of a histogram whose operators work on arrays, but not elementwise;
   * null if sorting does not apply.
   */
  @Nullable List<Stm> sorted(HostBuilder h, Stm s, Soac.Hist x) {
    boolean asked =
        mode == Distribution.Mode.FLATTEN
            || !x.ops().stream().allMatch(o -> cx.functions.limits().allow(o.op()));
    return h.place == FlatteningLevel.HOST && asked && isOfArrays(x)
        ? SortedHistogram.of(cx, s, x)
        : null;
  }

  /** Tests whether a histogram has no accumulator among its inputs. */
  private boolean isOfArrays(Soac.Hist x) {
    return x.inputs().stream().noneMatch(a -> cx.scope.type(a) instanceof Type.Acc);
  }

  /** Flattens a second-order operation outside all maps, like code of a nest with one segment. */
  private void topSoac(HostBuilder h, Stm s) {
    LiftedEnv env = new LiftedEnv();
    Flattener f = asFor(s);
    h.under(
        s.aux(),
        s.aux().certs(),
        () -> {
          f.parallel(h, new Nest.Top(h.place), env, s);
          return null;
        });
    for (PatElem p : s.pat()) {
      Name value =
          switch (env.of(p.name()).rep()) {
            case ValueRep.Regular r -> r.array();
            case ValueRep.Accumulator a -> a.current();
            default -> throw new IllegalStateException("name without a host value: " + p.name());
          };
      bind(h, p, value);
    }
  }

  /** Binds a value to the name of a pattern element. */
  static void bind(HostBuilder h, PatElem p, Name value) {
    Exp e =
        h.type(value).equals(p.type())
            ? new BasicOp.SubExpOp(SubExp.of(value))
            : new BasicOp.Reshape(true, value, p.type().dims());
    h.adopt(new Stm(List.of(p), Aux.NONE, e));
  }

  // Inside nests

  /**
   * Computes the statements of a body in all segments of a nest.
   *
   * @param env the environment, to which this method adds the bound names that later code uses
   * @param results the results of the body
   */
  void body(HostBuilder h, Nest n, LiftedEnv env, List<Stm> stms, List<SubExp> results) {
    List<Stm> prepared = preparation.stms(stms, false);
    cx.learn(prepared);
    List<Distribution.Part> parts = Distribution.of(parallelism, mode, env, prepared, results);
    Set<Name> needed = new HashSet<>();
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v) {
        needed.add(v.name());
      }
    }
    List<Set<Name>> neededAfter = new ArrayList<>();
    for (Distribution.Part part : parts.reversed()) {
      neededAfter.addFirst(Set.copyOf(needed));
      for (Stm s : part.stms()) {
        for (Name used : FreeNames.of(s)) {
          needed.add(used);
          Type t = cx.scope.lookup(used);
          if (t != null) {
            needed.addAll(FreeNames.of(t));
          }
        }
      }
    }
    for (int i = 0; i < parts.size(); i++) {
      Distribution.Part part = parts.get(i);
      if (part.isParallel()) {
        Stm s = part.stms().get(0);
        Flattener f = asFor(s);
        h.under(
            s.aux(),
            certificates(env, s),
            () -> {
              f.parallel(h, n, env, s);
              return null;
            });
      } else {
        scalars(h, n, env, part.stms(), neededAfter.get(i));
      }
    }
  }

  /** Returns the host certificates that a statement of a nest needs. */
  private static List<Name> certificates(LiftedEnv env, Stm s) {
    List<Name> certs = new ArrayList<>();
    for (Name c : s.aux().certs()) {
      LiftedName v = env.get(c);
      certs.add(v == null ? c : ((ValueRep.Certificate) v.rep()).all());
    }
    return certs;
  }

  /** Emits an operation in which one thread per segment executes the statements. */
  void scalars(HostBuilder h, Nest n, LiftedEnv env, List<Stm> stms, Set<Name> needed) {
    List<PatElem> outs = new ArrayList<>();
    boolean traces = false;
    for (Stm s : stms) {
      for (PatElem p : s.pat()) {
        if (needed.contains(p.name())) {
          outs.add(p);
        }
      }
      traces |= Effects.of(s.exp()).traces();
    }
    if (outs.isEmpty() && !traces) {
      return;
    }
    SegBodyBuilder k = h.kernel(n, env);
    k.run(stms);
    List<SubExp> results = k.results(outs.stream().map(p -> SubExp.of(p.name())).toList());
    List<String> bases = outs.stream().map(p -> p.name().base()).toList();
    List<Name> all = h.segMap(bases, k, results);
    for (int i = 0; i < outs.size(); i++) {
      env.put(outs.get(i).name(), made(outs.get(i), all.get(i), n));
    }
  }

  private static LiftedName made(PatElem p, Name all, Nest n) {
    ValueRep rep =
        p.type() instanceof Type.Acc
            ? new ValueRep.Accumulator(all)
            : p.type().isPrim(PrimType.UNIT)
                ? new ValueRep.Certificate(all)
                : new ValueRep.Regular(all);
    return new LiftedName(p.type(), rep, n);
  }

  /** Flattens a parallel statement. */
  void parallel(HostBuilder h, Nest n, LiftedEnv env, Stm s) {
    switch (s.exp()) {
      case BasicOp.Update x -> updates.update(h, n, env, s, x);
      case BasicOp.FlatUpdate x -> updates.flatUpdate(h, n, env, s, x);
      case BasicOp x -> arrays.flatten(h, n, env, s, x);
      case Soac.Screma x -> scremas.flatten(h, n, env, s, x);
      case Soac.Hist x -> histograms.flatten(h, n, env, s, x);
      case Soac.FlatMap x -> flatMaps.flatten(h, n, env, s, x);
      case Exp.Loop x -> loops.flatten(h, n, env, s, x);
      case Exp.Match x -> branches.flatten(h, n, env, s, x);
      case Exp.WithAcc x -> accumulations.flatten(h, n, env, s, x);
      case Exp.Apply x -> calls.flatten(h, n, env, s, x);
      default -> scalars(h, n, env, List.of(s), new HashSet<>(s.names()));
    }
  }

  /** Returns a neutral element as a value of the host. */
  SubExp neutral(HostBuilder h, Nest n, LiftedEnv env, SubExp e) {
    return scremas.neutral(h, n, env, e);
  }

  /**
   * Tests whether the host knows the sizes of a type: no size varies, and the statement binds none
   * of them.
   */
  static boolean isRegular(LiftedEnv env, Stm s, Type t) {
    if (!env.isRegular(t)) {
      return false;
    }
    for (SubExp d : t.dims()) {
      if (d instanceof SubExp.Var v && s.names().contains(v.name())) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether all results of a statement have the same sizes in every segment. */
  static boolean isRegular(LiftedEnv env, Stm s) {
    return s.pat().stream().allMatch(p -> isRegular(env, s, p.type()));
  }

  /** Binds the results of a statement. */
  static void put(LiftedEnv env, Stm s, List<LiftedName> results) {
    for (int i = 0; i < results.size(); i++) {
      env.put(s.pat().get(i).name(), results.get(i));
    }
  }
}
