package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Flattens loops inside maps. The loop moves out of the nest, and an iteration computes all
 * segments. A loop with a varying trip count or with a condition carries a list of its active
 * segments. A segment leaves the list after its last iteration:
 *
 * <pre>{@code
 * map (\x -> loop a = x while c(a) do f(a)) xs
 *   =>  loop (as = xs, active = those with c(as))
 *       while active is not empty do
 *         let bs = map (\i -> f(as[i])) active
 *         in (as with bs at active, those of active with c(bs))
 * }</pre>
 */
final class LoopFlattening {
  private final Flattener in;
  private final Versions versions;

  LoopFlattening(Flattener in, Versions versions) {
    this.in = in;
    this.versions = versions;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Loop given) {
    Exp.Loop l = (Exp.Loop) in.cx.renamed(given);
    switch (l.form()) {
      case Exp.Form.For f when !env.varies(f.bound()) ->
          Flattener.put(env, s, counting(h, n, env, s, l, f));
      case Exp.Form.For f -> {
        List<Stm> instead = asWhile(s, l, f);
        in.cx.learn(instead);
        in.body(h, n, env, instead, FlatteningContext.operands(s.names()));
      }
      case Exp.Form.While w -> Flattener.put(env, s, repeating(h, n, env, s, l, w));
    }
  }

  private static List<Type> types(Exp.Loop l) {
    return l.params().stream().map(p -> p.param().type()).toList();
  }

  private static List<Name> names(Exp.Loop l) {
    return l.params().stream().map(p -> p.param().name()).toList();
  }

  private static List<SubExp> inits(Exp.Loop l) {
    return l.params().stream().map(Exp.LoopParam::init).toList();
  }

  private static List<Boolean> unique(Exp.Loop l) {
    return l.params().stream().map(p -> p.param().unique()).toList();
  }

  /**
   * Returns the forms of the loop parameters: one array for a parameter whose sizes do not vary,
   * else the flat form.
   */
  private static SegmentArrays carried(Nest n, LiftedEnv env, Exp.Loop l) {
    LiftedEnv within = env.copy();
    for (Exp.LoopParam p : l.params()) {
      within.put(p.param().name(), UNKNOWN);
    }
    return new SegmentArrays(
        n, types(l), l.params().stream().map(p -> within.isRegular(p.param().type())).toList());
  }

  private static final LiftedName UNKNOWN =
      new LiftedName(Type.UNIT, new ValueRep.Accumulator(new Name("unknown", -1)), Nest.TOP);

  // Loops with a trip count that is the same in all segments

  private List<LiftedName> counting(
      HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Loop l, Exp.Form.For form) {
    SegmentArrays carried = carried(n, env, l);
    List<SubExp> inits = carried.operands(h, env, inits(l));
    SegmentArrays.CarriedParams params = carried.carriedParams(h, names(l), unique(l));
    LiftedEnv within = env.copy();
    for (int i = 0; i < l.params().size(); i++) {
      within.put(names(l).get(i), params.variants().get(i));
    }
    in.cx.scope.add(form.index(), Type.prim(form.type()));
    HostBuilder body = h.inner();
    List<Stm> stms = invariants(body, within, Versions.propagate(s.aux(), l.body().stms()));
    List<SubExp> next;
    if (h.place == FlatteningLevel.HOST && isSimple(within, l)) {
      Versions.Task task =
          new Versions.Task(
              n,
              within,
              stms,
              l.body().results(),
              types(l),
              Parallelism.isWorthSequentialising(l.body()),
              in.parallelism.isWorthBlock(l.body()));
      next = FlatteningContext.operands(versions.alternatives(body, task, s.aux()));
    } else {
      in.body(body, n, within, stms, l.body().results());
      next = carried.operands(body, within, l.body().results());
    }
    List<Exp.LoopParam> loopParams = new ArrayList<>();
    for (int i = 0; i < inits.size(); i++) {
      loopParams.add(new Exp.LoopParam(params.params().get(i), inits.get(i)));
    }
    return results(h, carried, s, l, new Exp.Loop(loopParams, form, body.body(next)));
  }

  /**
   * Evaluates statements that are the same in all segments once per iteration, such as sizes
   * computed from the loop index. Returns the other statements.
   */
  private static List<Stm> invariants(HostBuilder body, LiftedEnv within, List<Stm> stms) {
    Set<Name> varying = new HashSet<>();
    List<Stm> rest = new ArrayList<>();
    for (Stm s : stms) {
      Set<Name> used = FreeNames.of(s);
      boolean varies = within.anyVaries(used) || !Collections.disjoint(used, varying);
      if (!varies && isTotal(s)) {
        body.adopt(s);
      } else {
        rest.add(s);
        varying.addAll(s.names());
      }
    }
    return rest;
  }

  /** Tests whether a statement computes a scalar and cannot fail. */
  private static boolean isTotal(Stm s) {
    return s.aux().certs().isEmpty()
        && s.pat().size() == 1
        && s.pat().get(0).type() instanceof Type.Prim
        && switch (s.exp()) {
          case BasicOp.BinOpExp x -> !x.op().isPartial();
          case BasicOp.UnOpExp x -> true;
          case BasicOp.CmpOpExp x -> true;
          case BasicOp.ConvOpExp x -> true;
          default -> false;
        };
  }

  /** Binds the final values, whose sizes may be names that the statement binds. */
  private static List<LiftedName> results(
      HostBuilder h, SegmentArrays carried, Stm s, Exp.Loop l, Exp.Loop lifted) {
    SegmentArrays.CarriedParams last = carried.carriedParams(h, names(l), unique(l));
    List<PatElem> pat = new ArrayList<>();
    for (Param p : last.params()) {
      pat.add(new PatElem(p.name(), p.type()));
    }
    for (int i = pat.size(); i < lifted.params().size(); i++) {
      Param p = lifted.params().get(i).param();
      pat.add(new PatElem(h.cx.names.fresh(p.name()), p.type()));
    }
    h.let(renamedSizes(pat, lifted.params()), lifted);
    List<LiftedName> results = new ArrayList<>();
    for (int i = 0; i < s.pat().size(); i++) {
      LiftedName v = last.variants().get(i);
      results.add(new LiftedName(s.pat().get(i).type(), v.rep(), v.nest()));
    }
    return results;
  }

  /**
   * Returns the pattern with the loop parameters' sizes renamed to the pattern's own size names.
   */
  private static List<PatElem> renamedSizes(List<PatElem> pat, List<Exp.LoopParam> params) {
    Map<Name, SubExp> last = new HashMap<>();
    for (int i = 0; i < pat.size(); i++) {
      last.put(params.get(i).param().name(), SubExp.of(pat.get(i).name()));
    }
    return new Substitution(last).pat(pat);
  }

  /** Tests whether all arrays that the body uses are regular, so that the body may get versions. */
  private boolean isSimple(LiftedEnv env, Exp.Loop l) {
    for (Exp.LoopParam p : l.params()) {
      if (p.param().type() instanceof Type.Acc || !env.isRegular(p.param().type())) {
        return false;
      }
    }
    for (Name f : FreeNames.of(l.body())) {
      LiftedName v = env.get(f);
      if (v != null && !env.isRegular(v.type())) {
        return false;
      }
      if (v != null && v.rep() instanceof ValueRep.Irregular) {
        return false;
      }
    }
    return !in.parallelism.callsParallel(l.body());
  }

  // Loops whose trip count may vary among segments

  /** Returns the loop as a while loop that carries its index and condition. */
  private List<Stm> asWhile(Stm s, Exp.Loop l, Exp.Form.For f) {
    PrimType t = f.type();
    Builder b = new Builder(in.cx.names);
    b.with(Aux.at(s.aux().loc()));
    SubExp zero = SubExp.of(PrimValue.zero(t));
    SubExp begins = b.cmp("more", CmpOp.Kind.SLT, t, zero, f.bound());
    Param more = new Param(in.cx.names.fresh("more"), Type.BOOL);
    Param index = new Param(f.index(), Type.prim(t));
    List<Exp.LoopParam> params = new ArrayList<>();
    params.add(new Exp.LoopParam(more, begins));
    params.add(new Exp.LoopParam(index, zero));
    params.addAll(l.params());
    Builder body = new Builder(in.cx.names);
    body.addAll(l.body().stms());
    SubExp next =
        body.binOp(
            "next", BinOp.Kind.ADD, t, SubExp.of(index.name()), SubExp.of(PrimValue.ofInt(t, 1)));
    SubExp goesOn = body.cmp("more", CmpOp.Kind.SLT, t, next, f.bound());
    List<SubExp> results = new ArrayList<>(List.of(goesOn, next));
    results.addAll(l.body().results());
    List<PatElem> pat = new ArrayList<>();
    pat.add(new PatElem(in.cx.names.fresh("more"), Type.BOOL));
    pat.add(new PatElem(in.cx.names.fresh("last"), Type.prim(t)));
    pat.addAll(s.pat());
    Exp loop = new Exp.Loop(params, new Exp.Form.While(more.name()), body.body(results));
    List<Stm> out = new ArrayList<>(b.stms());
    out.add(new Stm(pat, s.aux(), loop));
    return out;
  }

  private List<LiftedName> repeating(
      HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Loop l, Exp.Form.While form) {
    int cond = names(l).indexOf(form.cond());
    SegmentArrays carried = carried(n, env, l);
    List<SubExp> inits = carried.operands(h, env, inits(l));
    SubExp count = h.count(n);
    // The active segments before the first iteration.
    Name conds = Regularisation.regular(h, n, env, inits(l).get(cond), Type.BOOL);
    Name everyone = h.iota("all", count, SubExp.i64(0), SubExp.i64(1));
    Name holds = h.reshaped(conds, List.of(count));
    List<Name> first = filtered(h, count, everyone, holds);
    Name active = in.cx.names.fresh("active");
    Name members = in.cx.names.fresh("members");
    Name some = in.cx.names.fresh("some");
    List<Param> more =
        List.of(
            new Param(active, Type.I64),
            new Param(members, Type.array(Type.I64, SubExp.of(active))),
            new Param(some, Type.BOOL));
    in.cx.scope.addParams(more);
    // Values in a single array are updated in place.
    List<Boolean> unique = new ArrayList<>(carried.regular());
    for (int i = 0; i < unique.size(); i++) {
      if (types(l).get(i) instanceof Type.Acc) {
        unique.set(i, false);
      }
    }
    SegmentArrays.CarriedParams params = carried.carriedParams(h, names(l), unique);
    LiftedEnv within = env.copy();
    for (int i = 0; i < l.params().size(); i++) {
      within.put(names(l).get(i), params.variants().get(i));
    }
    HostBuilder body = h.inner();
    Nest.Flat going = new Nest.Flat(n, SubExp.of(active), members, null);
    LiftedEnv each = within.copy();
    in.body(body, going, each, l.body().stms(), l.body().results());
    SegmentArrays inside = new SegmentArrays(going, types(l), carried.regular());
    List<SubExp> made = inside.operands(body, each, l.body().results());
    List<SubExp> next = new ArrayList<>();
    int at = 0;
    Name goOn = members;
    for (int i = 0; i < l.params().size(); i++) {
      Type t = types(l).get(i);
      LiftedName old = params.variants().get(i);
      switch (old.rep()) {
        case ValueRep.Regular r -> {
          Name now = ((SubExp.Var) made.get(at++)).name();
          if (i == cond) {
            goOn = now;
          }
          next.add(SubExp.of(written(body, n, going, r.array(), now, t)));
        }
        case ValueRep.Irregular r -> {
          ValueRep.Irregular now =
              new ValueRep.Irregular(
                  ((SubExp.Var) made.get(at + 1)).name(),
                  ((SubExp.Var) made.get(at + 2)).name(),
                  ((SubExp.Var) made.get(at + 3)).name(),
                  true);
          at += 4;
          next.addAll(merged(body, n, going, r, now));
        }
        default -> next.add(made.get(at++));
      }
    }
    List<Name> still = filtered(body, SubExp.of(active), members, goOn);
    next.addAll(FlatteningContext.operands(still));
    List<Exp.LoopParam> loopParams = new ArrayList<>();
    List<SubExp> begin = new ArrayList<>(inits);
    begin.addAll(FlatteningContext.operands(first));
    List<Param> all = new ArrayList<>(params.params());
    all.addAll(more);
    for (int i = 0; i < all.size(); i++) {
      loopParams.add(new Exp.LoopParam(all.get(i), begin.get(i)));
    }
    Exp.Loop lifted = new Exp.Loop(loopParams, new Exp.Form.While(some), body.body(next));
    return results(h, carried, s, l, lifted);
  }

  /**
   * Returns the members for which a condition holds: their count, the list of them, and whether the
   * list is non-empty.
   */
  private static List<Name> filtered(HostBuilder h, SubExp count, Name members, Name holds) {
    Nest all = new Nest.Uniform(new Nest.Top(h.place), count);
    SegBodyBuilder k = h.kernel(all, new LiftedEnv());
    SubExp c = k.element(holds, k.at(all).get(0));
    SubExp one = k.either(c, Type.I64, a -> SubExp.i64(1), a -> SubExp.i64(0));
    Name ones = h.segMap("ones", k, one);
    SegmentDescriptor numbers = Builtin.PREFIXSUM.call(h, ones);
    Name blank = h.blank("members", Type.array(Type.I64, numbers.total()));
    Name list =
        h.scatter(
            "members",
            blank,
            all,
            new LiftedEnv(),
            List.of(),
            x -> {
              SubExp i = x.at(all).get(0);
              SubExp is = x.element(holds, i);
              SubExp to =
                  x.either(is, Type.I64, a -> a.element(numbers.offsets(), i), a -> SubExp.i64(-1));
              return new HostBuilder.Written(List.of(to), x.element(members, i));
            });
    SubExp some = h.cmp("some", CmpOp.Kind.SLT, SubExp.i64(0), numbers.total());
    Name total = h.let("active", Type.I64, new BasicOp.SubExpOp(numbers.total()));
    Name coerced =
        h.let(
            "members",
            Type.array(Type.I64, SubExp.of(total)),
            new BasicOp.Reshape(true, list, List.of(SubExp.of(total))));
    return List.of(total, coerced, ((SubExp.Var) some).name());
  }

  /** Returns the values of all segments, after the active segments have written new ones. */
  private static Name written(HostBuilder h, Nest n, Nest.Flat going, Name old, Name now, Type t) {
    return h.scatter(
        "next",
        old,
        going,
        new LiftedEnv(),
        t.dims(),
        k -> {
          List<SubExp> from = new ArrayList<>(k.at(going));
          from.addAll(k.inside());
          List<SubExp> to = new ArrayList<>(k.at(n));
          to.addAll(k.inside());
          return new HostBuilder.Written(to, k.element(now, from.toArray(SubExp[]::new)));
        });
  }

  /** Returns the values of all segments in flat form, after the active segments have new ones. */
  private static List<SubExp> merged(
      HostBuilder h, Nest n, Nest.Flat going, ValueRep.Irregular old, ValueRep.Irregular now) {
    SubExp count = h.count(n);
    // For each segment, the position among the active segments, or -1.
    Name nowhere = h.replicate("places", List.of(count), SubExp.i64(-1));
    Name places =
        h.scatter(
            "places",
            nowhere,
            going,
            new LiftedEnv(),
            List.of(),
            k -> new HostBuilder.Written(List.of(k.number(n)), k.at(going).get(0)));
    Name sizes =
        Regularisation.perSegment(
            h,
            n,
            new LiftedEnv(),
            "sizes",
            k -> {
              SubExp place = k.element(places, k.number(n));
              return chosen(
                  k,
                  place,
                  Type.I64,
                  a -> a.element(now.sizes(), place),
                  a -> a.element(old.sizes(), a.number(n)));
            });
    ValueRep.Irregular all =
        Regularisation.gather(
            h,
            n,
            new LiftedEnv(),
            sizes,
            (k, j) -> {
              SubExp place = k.element(places, k.number(n));
              SubExp number = k.number(n);
              return chosen(
                  k,
                  place,
                  Type.prim(h.type(old.data()).elemPrim()),
                  a -> a.element(now.data(), a.plus(a.element(now.offsets(), place), j)),
                  a -> a.element(old.data(), a.plus(a.element(old.offsets(), number), j)));
            });
    return List.of(
        h.type(all.data()).outerSize(),
        SubExp.of(all.sizes()),
        SubExp.of(all.offsets()),
        SubExp.of(all.data()));
  }

  private static SubExp chosen(
      SegBodyBuilder k,
      SubExp place,
      Type t,
      Function<SegBodyBuilder, SubExp> went,
      Function<SegBodyBuilder, SubExp> stayed) {
    return k.either(k.compare(CmpOp.Kind.SLE, SubExp.i64(0), place), t, went, stayed);
  }
}
