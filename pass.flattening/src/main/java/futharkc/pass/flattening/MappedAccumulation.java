package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts accumulations to histograms. The conversion applies if the accumulation is a single map
 * whose body makes at most one update for each element. Histograms are faster: a few bins get
 * copies in shared memory, and operators may be arbitrary.
 *
 * <pre>{@code
 * with_acc acc([k], {a}, op)
 *   do \t acc -> screma(n, {acc, xs}) map \c x -> if p then update_acc(c, [i], {v}) else c
 *   =>  hist(n, {xs}, {([k], {a}, op)}) \x -> if p then {i, v} else {-1, ne}
 * }</pre>
 */
final class MappedAccumulation {
  private final NameSource names;
  private final Exp.WithAcc w;
  private final List<Param> accs;

  private MappedAccumulation(NameSource names, Exp.WithAcc w) {
    this.names = names;
    this.w = w;
    int n = w.inputs().size();
    this.accs = w.lambda().params().subList(n, 2 * n);
  }

  /** Returns statements with an equivalent histogram; null if the accumulation has another form. */
  static @Nullable List<Stm> of(NameSource names, Stm s, Exp.WithAcc w) {
    return new MappedAccumulation(names, w).stms(s);
  }

  private @Nullable List<Stm> stms(Stm s) {
    List<Stm> all = w.lambda().body().stms();
    if (all.isEmpty() || !(all.getLast().exp() instanceof Soac.Screma x) || !x.isMap()) {
      return null;
    }
    List<SubExp> made = FlatteningContext.operands(all.getLast().names());
    if (!made.equals(w.lambda().body().results()) || made.size() != accs.size()) {
      return null;
    }
    Set<Name> ours = new HashSet<>();
    for (Param p : w.lambda().params()) {
      ours.add(p.name());
    }
    List<Stm> before = all.subList(0, all.size() - 1);
    for (Stm t : before) {
      if (FreeNames.of(t).stream().anyMatch(ours::contains)) {
        return null;
      }
    }
    Lambda map = Scremas.mapThenPost(x);
    List<Param> params = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    List<@Nullable Name> inside = new ArrayList<>();
    for (Param _ : accs) {
      inside.add(null);
    }
    for (int i = 0; i < x.inputs().size(); i++) {
      int k = accs.stream().map(Param::name).toList().indexOf(x.inputs().get(i));
      if (k < 0) {
        inputs.add(x.inputs().get(i));
        params.add(map.params().get(i));
      } else {
        inside.set(k, map.params().get(i).name());
      }
    }
    Builder b = new Builder(names);
    b.addAll(map.body().stms());
    List<SubExp> indices = new ArrayList<>();
    List<SubExp> values = new ArrayList<>();
    List<Soac.HistOp> ops = new ArrayList<>();
    Body body = map.body();
    for (int k = 0; k < accs.size(); k++) {
      Exp.AccInput in = w.inputs().get(k);
      Name acc = inside.get(k);
      Soac.HistOp op = operator(in);
      Update u = acc == null || op == null ? null : update(body, acc, body.results().get(k), in);
      if (u == null || op == null) {
        return null;
      }
      body = u.rest;
      indices.addAll(u.results.subList(0, in.space().size()));
      values.addAll(u.results.subList(in.space().size(), u.results.size()));
      ops.add(op);
    }
    List<Type> types = new ArrayList<>();
    for (SubExp _ : indices) {
      types.add(Type.I64);
    }
    for (Exp.AccInput in : w.inputs()) {
      if (in.op() != null) {
        types.addAll(in.op().lambda().results());
      }
    }
    List<SubExp> results = new ArrayList<>(indices);
    results.addAll(values);
    Lambda bucket = new Lambda(params, new Body(body.stms(), results), types);
    if (FreeNames.of(bucket).stream().anyMatch(ours::contains)) {
      return null;
    }
    List<Stm> out = new ArrayList<>(before);
    Soac.Hist hist = new Soac.Hist(x.width(), inputs, ops, bucket);
    out.add(new Stm(s.pat(), s.aux().and(all.getLast().aux()), hist));
    return out;
  }

  /** Returns the operator without its index parameters; null if the operator uses an index. */
  private static Soac.@Nullable HistOp operator(Exp.AccInput in) {
    Exp.AccOp op = in.op();
    if (op == null) {
      return null;
    }
    Lambda l = op.lambda();
    int rank = in.space().size();
    Lambda onValues =
        new Lambda(l.params().subList(rank, l.params().size()), l.body(), l.results());
    Set<Name> used = FreeNames.of(onValues);
    if (l.params().subList(0, rank).stream().anyMatch(p -> used.contains(p.name()))) {
      return null;
    }
    return new Soac.HistOp(in.space(), SubExp.i64(1), in.arrays(), op.neutral(), onValues);
  }

  /**
   * The single update of a body.
   *
   * @param rest the body without the update, which computes the results
   * @param results the indices and the values of the update
   */
  private record Update(Body rest, List<SubExp> results) {}

  private @Nullable Update update(Body b, Name acc, SubExp result, Exp.AccInput in) {
    if (result.equals(SubExp.of(acc))) {
      List<SubExp> none = new ArrayList<>();
      for (SubExp _ : in.space()) {
        none.add(SubExp.i64(-1));
      }
      if (in.op() != null) {
        none.addAll(in.op().neutral());
      }
      return uses(b.stms(), acc) == 0 ? new Update(b, none) : null;
    }
    int at = -1;
    for (int i = 0; i < b.stms().size(); i++) {
      List<Name> bound = b.stms().get(i).names();
      if (bound.size() == 1 && SubExp.of(bound.get(0)).equals(result)) {
        at = i;
      }
    }
    if (at < 0 || uses(b.stms(), acc) != 1) {
      return null;
    }
    Stm s = b.stms().get(at);
    Builder out = new Builder(names).with(s.aux());
    out.addAll(b.stms().subList(0, at));
    List<SubExp> results = new ArrayList<>();
    switch (s.exp()) {
      case BasicOp.UpdateAcc u when u.acc().equals(acc) -> {
        for (SubExp i : u.index()) {
          // The checks of the update now guard its index.
          results.add(
              s.aux().certs().isEmpty()
                  ? i
                  : out.letExp("index", Type.I64, new BasicOp.SubExpOp(i)));
        }
        results.addAll(u.values());
      }
      case Exp.Match m -> {
        List<Exp.Case> cases = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          Body branch = branch(c.body(), acc, in);
          if (branch == null) {
            return null;
          }
          cases.add(new Exp.Case(c.pattern(), branch));
        }
        Body otherwise = branch(m.otherwise(), acc, in);
        if (otherwise == null || in.op() == null) {
          return null;
        }
        List<PatElem> pat = new ArrayList<>();
        for (SubExp _ : in.space()) {
          pat.add(new PatElem(names.fresh("index"), Type.I64));
        }
        for (Type t : in.op().lambda().results()) {
          pat.add(new PatElem(names.fresh("value"), t));
        }
        out.let(pat, new Exp.Match(m.scrutinees(), cases, otherwise));
        for (PatElem p : pat) {
          results.add(SubExp.of(p.name()));
        }
      }
      default -> {
        return null;
      }
    }
    out.addAll(b.stms().subList(at + 1, b.stms().size()));
    return new Update(new Body(out.stms(), b.results()), results);
  }

  private @Nullable Body branch(Body b, Name acc, Exp.AccInput in) {
    Update u = update(b, acc, b.results().get(0), in);
    return u == null ? null : new Body(u.rest.stms(), u.results);
  }

  private static int uses(List<Stm> stms, Name acc) {
    return (int) stms.stream().filter(s -> FreeNames.of(s).contains(acc)).count();
  }
}
