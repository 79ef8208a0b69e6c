package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Flattens branches inside maps. A branch whose condition is the same in all segments stays a
 * branch. Otherwise a partition sorts the segments by the branch that they take. Each branch
 * computes the results of its own segments, and is skipped if it has none. Then every segment reads
 * its results:
 *
 * <pre>{@code
 * map (\x -> if c(x) then f(x) else g(x)) xs
 *   =>  let (those, others) = partition xs by c
 *       let ys = map (\i -> f(xs[i])) those
 *       let zs = map (\i -> g(xs[i])) others
 *       in map (\x -> if c(x) then its element of ys else its element of zs) xs
 * }</pre>
 */
final class BranchFlattening {
  private final Flattener in;

  BranchFlattening(Flattener in) {
    this.in = in;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Match m) {
    List<Boolean> regular =
        s.pat().stream().map(p -> Flattener.isRegular(env, s, p.type())).toList();
    List<Type> types = s.pat().stream().map(PatElem::type).toList();
    if (!env.anyVaries(m.scrutinees())) {
      SegmentArrays carried = new SegmentArrays(n, types, regular);
      Flattener.put(env, s, together(h, n, env, s, m, carried));
    } else if (types.stream().anyMatch(t -> t instanceof Type.Acc)) {
      Flattener.put(env, s, inTurn(h, n, env, s, m, regular));
    } else {
      Flattener.put(env, s, apart(h, n, env, s, m, regular));
    }
  }

  // All segments take the same branch

  private List<LiftedName> together(
      HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Match m, SegmentArrays carried) {
    List<Exp.Case> cases = new ArrayList<>();
    // The branches and the code after them must use the same name for the number of segments.
    if (carried.regular().contains(false)) {
      h.count(n);
    }
    for (Exp.Case c : m.cases()) {
      cases.add(new Exp.Case(c.pattern(), branch(h, n, env, c.body(), carried)));
    }
    Body otherwise = branch(h, n, env, m.otherwise(), carried);
    List<Boolean> unique = s.pat().stream().map(p -> false).toList();
    SegmentArrays.CarriedParams results = carried.carriedParams(h, s.names(), unique);
    h.let(pattern(results), new Exp.Match(m.scrutinees(), cases, otherwise));
    return results.variants();
  }

  private Body branch(HostBuilder h, Nest n, LiftedEnv env, Body b, SegmentArrays carried) {
    HostBuilder inner = h.inner();
    LiftedEnv within = env.copy();
    in.body(inner, n, within, b.stms(), b.results());
    return inner.body(carried.operands(inner, within, b.results()));
  }

  private static List<PatElem> pattern(SegmentArrays.CarriedParams values) {
    List<PatElem> pat = new ArrayList<>();
    for (Param p : values.params()) {
      pat.add(new PatElem(p.name(), p.type()));
    }
    return pat;
  }

  // Segments take different branches

  /** The partition of the segments by the branch that they take. */
  private record Classes(Name classes, Builtin.Partition sorted, List<Nest.Flat> nests) {}

  /** Partitions the segments by branch. Class 0 is the default, followed by the cases in order. */
  private static Classes classes(HostBuilder h, Nest n, LiftedEnv env, Exp.Match m) {
    Name classes =
        Regularisation.perSegment(
            h,
            n,
            env,
            "classes",
            k -> k.match(k.operands(m.scrutinees()), m.cases(), Type.I64, SubExp::i64));
    SubExp number = SubExp.i64(m.cases().size() + 1);
    Builtin.Partition p = Builtin.partition(h, number, classes);
    List<Nest.Flat> nests = new ArrayList<>();
    for (int c = 0; c <= m.cases().size(); c++) {
      SubExp count = h.element("count", p.counts(), SubExp.i64(c));
      SubExp begin = h.element("begin", p.begins(), SubExp.i64(c));
      Slice slice = new Slice(List.of(new Slice.Range(begin, count, SubExp.i64(1))));
      Name members =
          h.let("members", Type.array(Type.I64, count), new BasicOp.Index(p.members(), slice));
      nests.add(new Nest.Flat(n, count, members, null));
    }
    return new Classes(classes, p, nests);
  }

  private static List<Body> bodies(Exp.Match m) {
    List<Body> all = new ArrayList<>(List.of(m.otherwise()));
    m.cases().forEach(c -> all.add(c.body()));
    return all;
  }

  private List<LiftedName> apart(
      HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Match m, List<Boolean> regular) {
    Classes c = classes(h, n, env, m);
    List<Type> types = s.pat().stream().map(PatElem::type).toList();
    List<SegmentArrays.CarriedParams> results = new ArrayList<>();
    List<Body> bodies = bodies(m);
    for (int b = 0; b < bodies.size(); b++) {
      Nest.Flat nest = c.nests().get(b);
      SegmentArrays carried = new SegmentArrays(nest, types, regular);
      Body body = bodies.get(b);
      SegmentArrays.CarriedParams carriedParams =
          carried.carriedParams(h, s.names(), s.pat().stream().map(p -> false).toList());
      // A branch without segments must not run: a loop in it might not terminate.
      SubExp some = h.cmp("some", CmpOp.Kind.SLT, SubExp.i64(0), nest.count());
      HostBuilder none = h.inner();
      Body nothing = none.body(carried.nothing(none));
      Body taken = branch(h, nest, env, body, carried);
      h.let(pattern(carriedParams), Exp.Match.conditional(some, taken, nothing));
      results.add(carriedParams);
    }
    List<LiftedName> merged = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      List<ValueRep> reps = new ArrayList<>();
      for (SegmentArrays.CarriedParams r : results) {
        reps.add(r.variants().get(i).rep());
      }
      Type t = types.get(i);
      ValueRep rep =
          regular.get(i)
              ? lookedUp(h, n, c, reps, areBlank(bodies, i), t)
              : parts(h, n, c, reps, t);
      merged.add(new LiftedName(t, rep, n));
    }
    return merged;
  }

  /**
   * Returns, for each body, whether its result is an array of unspecified contents, which no code
   * reads.
   */
  private static List<Boolean> areBlank(List<Body> bodies, int result) {
    List<Boolean> all = new ArrayList<>();
    for (Body b : bodies) {
      all.add(
          b.results().get(result) instanceof SubExp.Var v
              && b.stms().stream()
                  .anyMatch(
                      s -> s.exp() instanceof BasicOp.Scratch && s.names().contains(v.name())));
    }
    return all;
  }

  /** Returns, for each segment, its element of the results of the branch that it took. */
  private static ValueRep lookedUp(
      HostBuilder h, Nest n, Classes c, List<ValueRep> reps, List<Boolean> blank, Type t) {
    SegBodyBuilder k = h.kernel(n, new LiftedEnv(), t.dims().toArray(SubExp[]::new));
    SubExp v =
        ofBranch(
            k,
            n,
            c,
            Type.prim(t.elemPrim()),
            (a, b, place) -> {
              if (blank.get(b)) {
                return SubExp.of(PrimValue.zero(t.elemPrim()));
              }
              List<SubExp> index = new ArrayList<>(List.of(place));
              index.addAll(a.inside());
              Name from = ((ValueRep.Regular) reps.get(b)).array();
              return a.element(from, index.toArray(SubExp[]::new));
            });
    return new ValueRep.Regular(h.segMap("match", k, v));
  }

  private static ValueRep parts(HostBuilder h, Nest n, Classes c, List<ValueRep> reps, Type t) {
    Name sizes =
        Regularisation.perSegment(
            h,
            n,
            new LiftedEnv(),
            "sizes",
            k ->
                ofBranch(
                    k,
                    n,
                    c,
                    Type.I64,
                    (a, b, place) -> a.element(((ValueRep.Irregular) reps.get(b)).sizes(), place)));
    return Regularisation.gather(
        h,
        n,
        new LiftedEnv(),
        sizes,
        (k, j) ->
            ofBranch(
                k,
                n,
                c,
                Type.prim(t.elemPrim()),
                (a, b, place) -> {
                  ValueRep.Irregular r = (ValueRep.Irregular) reps.get(b);
                  return a.element(r.data(), a.plus(a.element(r.offsets(), place), j));
                }));
  }

  /** A reader of a branch's result. */
  private interface OfBranch {
    SubExp value(SegBodyBuilder k, int branch, SubExp place);
  }

  /**
   * Returns the segment's result: the element of the taken branch's results, at the segment's
   * position within its class.
   */
  private static SubExp ofBranch(SegBodyBuilder k, Nest n, Classes c, Type t, OfBranch value) {
    SubExp number = k.number(n);
    SubExp taken = k.element(c.classes(), number);
    SubExp all = k.element(c.sorted().places(), number);
    SubExp place = k.minus(all, k.element(c.sorted().begins(), taken));
    return ofBranch(k, 0, c.nests().size() - 1, taken, place, t, value);
  }

  private static SubExp ofBranch(
      SegBodyBuilder k, int branch, int last, SubExp taken, SubExp place, Type t, OfBranch value) {
    if (branch == last) {
      return value.value(k, branch, place);
    }
    return k.either(
        k.compare(CmpOp.Kind.EQ, taken, SubExp.i64(branch)),
        t,
        a -> value.value(a, branch, place),
        a -> ofBranch(a, branch + 1, last, taken, place, t, value));
  }

  // Branches that update accumulators run one after the other

  private List<LiftedName> inTurn(
      HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Match m, List<Boolean> regular) {
    Classes c = classes(h, n, env, m);
    List<Type> types = s.pat().stream().map(PatElem::type).toList();
    List<List<@Nullable ValueRep>> results = new ArrayList<>();
    List<Body> bodies = bodies(m);
    LiftedEnv before = env.copy();
    for (int b = 0; b < bodies.size(); b++) {
      Nest.Flat nest = c.nests().get(b);
      LiftedEnv within = before.copy();
      in.body(h, nest, within, bodies.get(b).stms(), bodies.get(b).results());
      List<@Nullable ValueRep> reps = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        SubExp r = bodies.get(b).results().get(i);
        if (types.get(i) instanceof Type.Acc acc) {
          ValueRep now = within.of(((SubExp.Var) r).name()).rep();
          reps.add(now);
          // The next branch continues with the accumulator that this branch returned.
          before.replaceAccumulator(acc.token(), now);
        } else {
          SegmentArrays one =
              new SegmentArrays(nest, List.of(types.get(i)), List.of(regular.get(i)));
          List<SubExp> values = one.operands(h, within, List.of(r));
          reps.add(rep(values));
        }
      }
      results.add(reps);
    }
    List<LiftedName> merged = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Type t = types.get(i);
      List<ValueRep> reps = new ArrayList<>();
      for (List<@Nullable ValueRep> r : results) {
        reps.add(Objects.requireNonNull(r.get(i)));
      }
      ValueRep rep =
          t instanceof Type.Acc
              ? reps.getLast()
              : regular.get(i)
                  ? lookedUp(h, n, c, reps, areBlank(bodies, i), t)
                  : parts(h, n, c, reps, t);
      merged.add(new LiftedName(t, rep, n));
    }
    return merged;
  }

  private static ValueRep rep(List<SubExp> values) {
    List<Name> names = new ArrayList<>();
    for (SubExp v : values) {
      names.add(v instanceof SubExp.Var x ? x.name() : new Name("", -1));
    }
    return names.size() == 1
        ? new ValueRep.Regular(names.get(0))
        : new ValueRep.Irregular(names.get(1), names.get(2), names.get(3), true);
  }
}
