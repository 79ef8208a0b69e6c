package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates several versions of the same code. The number of segments chooses the version at run
 * time:
 *
 * <pre>{@code
 * if suff_outer_par <= segments then ..       one thread per segment, with sequential code
 * else if suff_intra_par <= available then .. one thread block per segment
 * else ..                                     everything parallel
 * }</pre>
 *
 * <p>The fully parallel version always exists. The others exist if they may be profitable and the
 * statement's attributes permit them.
 */
final class Versions {
  private final Flattener in;
  private final ScremaFlattening scremas;
  private final IntraBlock blocks;

  Versions(Flattener in, ScremaFlattening scremas) {
    this.in = in;
    this.scremas = scremas;
    this.blocks = new IntraBlock(in);
  }

  // Attributes

  private static boolean has(Aux aux, String word) {
    return aux.hasAttr("flattening(" + word + ")")
        || aux.hasAttr("incremental_flattening(" + word + ")");
  }

  private static boolean mayBeOuter(Aux aux) {
    return !has(aux, "no_outer") && !has(aux, "only_inner");
  }

  private static boolean mayBeIntra(Aux aux) {
    return !has(aux, "no_intra") && !has(aux, "only_inner");
  }

  private static boolean isOfFlattening(String attr) {
    return attr.startsWith("flattening(") || attr.startsWith("incremental_flattening(");
  }

  /**
   * Returns statements that inherit the flattening attributes of the enclosing statement, unless
   * they have some of their own.
   */
  static List<Stm> propagate(Aux from, List<Stm> stms) {
    List<String> attrs = from.attrs().stream().filter(Versions::isOfFlattening).toList();
    if (attrs.isEmpty()) {
      return stms;
    }
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      if (s.aux().attrs().stream().anyMatch(Versions::isOfFlattening)) {
        out.add(s);
        continue;
      }
      List<String> all = new ArrayList<>(s.aux().attrs());
      all.addAll(attrs);
      out.add(new Stm(s.pat(), new Aux(s.aux().certs(), all, s.aux().loc()), s.exp()));
    }
    return out;
  }

  // Maps

  /**
   * Tests whether a map may have versions: its results are regular, and no attribute forces one
   * version.
   */
  boolean isVersionable(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x) {
    return h.place == FlatteningLevel.HOST
        && !env.varies(x.width())
        && s.pat().stream().allMatch(p -> Flattener.isRegular(env, s, p.type()))
        && !in.parallelism.callsParallel(x.map().body())
        && !in.parallelism.callsParallel(x.post().body());
  }

  /** Emits the versions of a map. */
  void map(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x) {
    Lambda l = Scremas.mapThenPost(x);
    Nest inner = new Nest.Uniform(n, x.width());
    LiftedEnv within = scremas.inputs(h, n, env, inner, x.inputs(), l.params());
    Task task =
        new Task(
            inner,
            within,
            ScremaFlattening.stms(n, s, l),
            l.body().results(),
            l.results(),
            Parallelism.isWorthSequentialising(l.body()),
            in.parallelism.isWorthBlock(l.body()));
    List<Name> all = alternatives(h, task, s.aux());
    for (int i = 0; i < all.size(); i++) {
      PatElem p = s.pat().get(i);
      env.put(p.name(), whole(p.type(), all.get(i), n));
    }
  }

  /**
   * Code that each segment of a nest evaluates, with regular results.
   *
   * @param nest the nest
   * @param env the environment of the varying names
   * @param stms the statements
   * @param results the results of the statements
   * @param types the types of the results in one segment
   * @param worthOuter whether a version with sequential code is profitable
   * @param worthIntra whether a version with thread blocks is profitable
   */
  record Task(
      Nest nest,
      LiftedEnv env,
      List<Stm> stms,
      List<SubExp> results,
      List<Type> types,
      boolean worthOuter,
      boolean worthIntra) {}

  /** A version and the condition that chooses it. */
  private record Alternative(SubExp guard, Body body) {}

  /** Emits the versions and the choice among them, and returns the results of all segments. */
  List<Name> alternatives(HostBuilder h, Task t, Aux aux) {
    boolean onlyIntra = has(aux, "only_intra");
    boolean onlyOuter = aux.hasAttr("sequential_inner");
    IntraBlock.@Nullable Version intra =
        !onlyOuter && (onlyIntra || t.worthIntra() && mayBeIntra(aux)) ? blocks.of(h, t) : null;
    if (onlyOuter) {
      return inline(h, outer(h, t));
    }
    if (onlyIntra && intra != null && !intra.certain()) {
      intra = null;
    }
    if (onlyIntra && intra != null) {
      intra.prelude().forEach(h::add);
      return inline(h, intra.body());
    }
    Body full = full(h, t);
    List<Alternative> choices = new ArrayList<>();
    if (t.worthOuter() && mayBeOuter(aux) && !onlyIntra) {
      Body outer = outer(h, t);
      choices.add(new Alternative(enoughOutside(h, t.nest().dims()), outer));
    }
    if (intra != null) {
      intra.prelude().forEach(h::add);
      choices.add(new Alternative(enoughInside(h, intra), intra.body()));
    }
    List<Type> types = new ArrayList<>();
    for (Type r : t.types()) {
      types.add(Type.array(in.cx.spreadType(r), t.nest().dims()));
    }
    return choose(h, types, choices, full);
  }

  /** Returns the version with one thread per segment. */
  private Body outer(HostBuilder h, Task t) {
    HostBuilder o = h.inner();
    SegBodyBuilder k = o.kernel(t.nest(), t.env());
    k.run(t.stms());
    List<String> bases = t.types().stream().map(r -> "outer").toList();
    return o.body(FlatteningContext.operands(o.segMap(bases, k, k.results(t.results()))));
  }

  /** Returns the fully parallel version. */
  private Body full(HostBuilder h, Task t) {
    HostBuilder f = h.inner();
    LiftedEnv env = t.env().copy();
    in.body(f, t.nest(), env, t.stms(), t.results());
    List<Name> all = new ArrayList<>();
    for (int i = 0; i < t.results().size(); i++) {
      all.add(Regularisation.regular(f, t.nest(), env, t.results().get(i), t.types().get(i)));
    }
    return f.body(FlatteningContext.operands(all));
  }

  private SubExp enoughOutside(HostBuilder h, List<SubExp> dims) {
    HostOp op =
        new HostOp.CmpSizeLe(in.cx.threshold("suff_outer_par", null), h.product("par", dims));
    return h.letExp("suff_outer_par", Type.BOOL, op);
  }

  private SubExp enoughInside(HostBuilder h, IntraBlock.Version intra) {
    HostOp most = new HostOp.GetSizeMax(SizeClass.Plain.THREAD_BLOCK_SIZE);
    SubExp max = h.letExp("max_tblock_size", Type.I64, most);
    SubExp fits = h.cmp("fits", CmpOp.Kind.SLE, intra.blockSize(), max);
    HostOp op =
        new HostOp.CmpSizeLe(
            in.cx.threshold("suff_intra_par", (long) in.cx.functions.leastInBlock()),
            intra.available());
    SubExp enough = h.letExp("suff_intra_par", Type.BOOL, op);
    BinOp and = new BinOp(BinOp.Kind.LOG_AND, PrimType.BOOL);
    return h.letExp("intra_suff_and_fits", Type.BOOL, new BasicOp.BinOpExp(and, fits, enough));
  }

  private static List<Name> choose(
      HostBuilder h, List<Type> types, List<Alternative> choices, Body otherwise) {
    if (choices.isEmpty()) {
      return inline(h, otherwise);
    }
    Body rest = otherwise;
    for (Alternative a : choices.subList(1, choices.size()).reversed()) {
      HostBuilder between = h.inner();
      List<Name> chosen =
          between.let("version", types, Exp.Match.conditional(a.guard(), a.body(), rest));
      rest = between.body(FlatteningContext.operands(chosen));
    }
    Alternative first = choices.get(0);
    return h.let("version", types, Exp.Match.conditional(first.guard(), first.body(), rest));
  }

  /** Emits the only version without a choice. */
  private static List<Name> inline(HostBuilder h, Body b) {
    b.stms().forEach(h::adopt);
    List<Name> results = new ArrayList<>();
    for (SubExp r : b.results()) {
      results.add(((SubExp.Var) r).name());
    }
    return results;
  }

  private static LiftedName whole(Type t, Name all, Nest n) {
    ValueRep rep =
        t instanceof Type.Acc ? new ValueRep.Accumulator(all) : new ValueRep.Regular(all);
    return new LiftedName(t, rep, n);
  }

  // Reductions and scans

  /** Emits the versions of a reduction or scan of invariant width with regular results. */
  List<LiftedName> fold(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x) {
    List<Name> all = foldAlternatives(h, n, env, s, x);
    List<LiftedName> results = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      results.add(whole(s.pat().get(i).type(), all.get(i), n));
    }
    return results;
  }

  private List<Name> foldAlternatives(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Screma x) {
    boolean alone = h.place == FlatteningLevel.BLOCK && n instanceof Nest.Top;
    if (alone || s.aux().hasAttr("sequential_inner")) {
      return scremas.fold(h, n, env, x);
    }
    List<Stm> factored = scremas.factored(s, x);
    if (factored == null) {
      return scremas.fold(h, n, env, x);
    }
    boolean calls =
        in.parallelism.callsParallel(x.map().body())
            || in.parallelism.callsParallel(x.post().body());
    boolean versions = h.place == FlatteningLevel.HOST && mayBeOuter(s.aux()) && !calls;
    if (!versions) {
      return factored(h, n, env, s, factored);
    }
    HostBuilder o = h.inner();
    Body outer = o.body(FlatteningContext.operands(scremas.fold(o, n, env, x)));
    HostBuilder f = h.inner();
    Body full = f.body(FlatteningContext.operands(factored(f, n, env.copy(), s, factored)));
    List<SubExp> dims = new ArrayList<>(n.dims());
    dims.add(x.width());
    SubExp guard = enoughOutside(h, dims);
    List<Type> types = new ArrayList<>();
    for (PatElem p : s.pat()) {
      types.add(Type.array(in.cx.spreadType(p.type()), n.dims()));
    }
    return choose(h, types, List.of(new Alternative(guard, outer)), full);
  }

  /** Emits a separate map, and the reduction or scan of its result. */
  private List<Name> factored(HostBuilder h, Nest n, LiftedEnv env, Stm s, List<Stm> parts) {
    if (n instanceof Nest.Top) {
      // Both versions bind the results, so one of them needs fresh names.
      List<Stm> copies = new Renamer(in.cx.names).stms(parts);
      in.cx.learn(copies);
      in.top(h, copies);
      return renamed(s, parts, copies);
    }
    in.body(h, n, env, parts, FlatteningContext.operands(s.names()));
    List<Name> all = new ArrayList<>();
    for (PatElem p : s.pat()) {
      all.add(Regularisation.regular(h, n, env, SubExp.of(p.name()), p.type()));
    }
    return all;
  }

  /** Returns the names of a statement's results in copies of its parts. */
  private static List<Name> renamed(Stm s, List<Stm> parts, List<Stm> copies) {
    List<Name> names = new ArrayList<>();
    for (PatElem p : s.pat()) {
      for (int i = 0; i < parts.size(); i++) {
        int at = parts.get(i).names().indexOf(p.name());
        if (at >= 0) {
          names.add(copies.get(i).names().get(at));
        }
      }
    }
    return names;
  }
}
