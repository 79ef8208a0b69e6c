package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.soac.VectorOperator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Flattens histograms. If sizes and operators do not vary, the histogram gets one more dimension.
 * Other histograms become updates of accumulators.
 */
final class HistFlattening {
  private final Flattener in;
  private final ScremaFlattening scremas;

  HistFlattening(Flattener in, ScremaFlattening scremas) {
    this.in = in;
    this.scremas = scremas;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Hist x) {
    if (!in.preparation.isOnScalars(x)) {
      List<Stm> sorted = in.sorted(h, s, x);
      if (sorted != null) {
        instead(h, n, env, s, sorted);
      } else if (Flattener.isRegular(env, s)) {
        in.scalars(h, n, env, List.of(s), new HashSet<>(s.names()));
      } else {
        instead(h, n, env, s, in.preparation.asLoop(s, x));
      }
    } else if (x.inputs().stream().anyMatch(a -> in.cx.scope.type(a) instanceof Type.Acc)) {
      instead(h, n, env, s, in.preparation.asLoop(s, x));
    } else if (isUniform(env, s, x)) {
      Flattener.put(env, s, uniform(h, n, env, s, x));
    } else {
      instead(h, n, env, s, List.of(accumulating(s, x)));
    }
  }

  private void instead(HostBuilder h, Nest n, LiftedEnv env, Stm s, List<Stm> stms) {
    if (n instanceof Nest.Top) {
      throw new IllegalStateException("histogram outside all maps varies: " + s.names());
    }
    in.cx.learn(stms);
    in.body(h, n, env, stms, FlatteningContext.operands(s.names()));
  }

  private static boolean isUniform(LiftedEnv env, Stm s, Soac.Hist x) {
    if (env.varies(x.width())) {
      return false;
    }
    if (!Flattener.isRegular(env, s)) {
      return false;
    }
    for (Soac.HistOp o : x.ops()) {
      if (env.anyVaries(o.shape()) || env.varies(o.raceFactor())) {
        return false;
      }
      for (Name f : FreeNames.of(o.op())) {
        LiftedName v = env.get(f);
        if (v != null && !(v.rep() instanceof ValueRep.Certificate)) {
          return false;
        }
      }
    }
    return true;
  }

  private List<LiftedName> uniform(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.Hist x) {
    Nest inner = new Nest.Uniform(n, x.width());
    LiftedEnv within = scremas.inputs(h, n, env, inner, x.inputs(), x.bucket().params());
    SegBodyBuilder k = h.kernel(inner, within);
    List<SegOp.SegHistOp> ops = new ArrayList<>();
    int at = 0;
    for (Soac.HistOp o : x.ops()) {
      List<Name> dests = new ArrayList<>();
      for (Name d : o.dests()) {
        dests.add(Regularisation.regular(h, n, env, SubExp.of(d), s.pat().get(at++).type()));
      }
      List<SubExp> neutral = new ArrayList<>();
      for (SubExp e : o.neutral()) {
        neutral.add(scremas.neutral(h, n, env, e));
      }
      Builder before = new Builder(in.cx.names);
      SubExp needed = scremas.needed(h, n, neutral);
      VectorOperator v = VectorOperator.of(o.op(), neutral, needed, before, in.cx.scope);
      before.stms().forEach(h::adopt);
      ops.add(
          new SegOp.SegHistOp(
              o.shape(), o.raceFactor(), dests, v.neutral(), v.shape(), k.operator(v.op())));
    }
    k.run(x.bucket().body().stms());
    List<SubExp> results = k.results(x.bucket().body().results());
    List<Type> types = results.stream().map(h::type).toList();
    List<PatElem> pat = new ArrayList<>();
    for (SegOp.SegHistOp o : ops) {
      for (Name d : o.dests()) {
        pat.add(new PatElem(in.cx.names.fresh("hist"), h.type(d)));
      }
    }
    h.operation(
        k,
        pat,
        new SegOp.SegHist(
            h.level(SegVirt.NO_VIRT),
            k.space(),
            ops,
            types,
            k.body(HostBuilder.returned(results))));
    List<LiftedName> variants = new ArrayList<>();
    for (int i = 0; i < pat.size(); i++) {
      ValueRep rep = new ValueRep.Regular(pat.get(i).name());
      variants.add(new LiftedName(s.pat().get(i).type(), rep, n));
    }
    return variants;
  }

  /** Returns an accumulation that computes the histogram. */
  private Stm accumulating(Stm s, Soac.Hist x) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<Param> tokens = new ArrayList<>();
    List<Param> accs = new ArrayList<>();
    List<Param> inner = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (Soac.HistOp o : x.ops()) {
      List<Param> params = new ArrayList<>();
      for (int d = 0; d < o.shape().size(); d++) {
        params.add(new Param(in.cx.names.fresh("i"), Type.I64));
      }
      params.addAll(o.op().params());
      Lambda op = new Lambda(params, o.op().body(), o.op().results());
      inputs.add(new Exp.AccInput(o.shape(), o.dests(), new Exp.AccOp(op, o.neutral())));
      Param token = new Param(in.cx.names.fresh("token"), Type.UNIT);
      Type t = new Type.Acc(token.name(), o.shape(), o.op().results());
      tokens.add(token);
      accs.add(new Param(in.cx.names.fresh("acc"), t));
      inner.add(new Param(in.cx.names.fresh("acc"), t));
      types.add(t);
    }
    Builder update = new Builder(in.cx.names);
    update.addAll(x.bucket().body().stms());
    List<SubExp> results = x.bucket().body().results();
    List<SubExp> updated = new ArrayList<>();
    int index = 0;
    int value = x.ops().stream().mapToInt(o -> o.shape().size()).sum();
    for (int o = 0; o < x.ops().size(); o++) {
      int dims = x.ops().get(o).shape().size();
      int values = x.ops().get(o).dests().size();
      BasicOp op =
          new BasicOp.UpdateAcc(
              inner.get(o).name(),
              results.subList(index, index + dims),
              results.subList(value, value + values));
      updated.add(update.letExp("acc", types.get(o), op));
      index += dims;
      value += values;
    }
    List<Param> params = new ArrayList<>(x.bucket().params());
    params.addAll(inner);
    List<Name> all = new ArrayList<>(x.inputs());
    for (Param p : accs) {
      all.add(p.name());
    }
    Lambda map = new Lambda(params, update.body(updated), types);
    Builder body = new Builder(in.cx.names);
    List<PatElem> filled = new ArrayList<>();
    for (Type t : types) {
      filled.add(new PatElem(in.cx.names.fresh("acc"), t));
    }
    body.let(
        filled,
        new Soac.Screma(
            x.width(), all, map, List.of(), List.of(), Scremas.identity(types, in.cx.names)));
    List<Param> both = new ArrayList<>(tokens);
    both.addAll(accs);
    Lambda lambda =
        new Lambda(both, body.body(filled.stream().map(p -> SubExp.of(p.name())).toList()), types);
    return s.withExp(new Exp.WithAcc(inputs, lambda));
  }
}
