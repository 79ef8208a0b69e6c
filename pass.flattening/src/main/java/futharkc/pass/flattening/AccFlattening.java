package futharkc.pass.flattening;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flattens accumulations inside maps. The accumulation moves out of the nest, and all segments
 * share one accumulator. If the arrays have the same sizes in all segments, an update gets the
 * indices of its segment as leading indices. Otherwise an update gets an offset into the flat array
 * of all segments.
 */
final class AccFlattening {
  private final Flattener in;

  AccFlattening(Flattener in) {
    this.in = in;
  }

  /**
   * Returns an input of an accumulation outside all maps. Its operator calls the sequential
   * versions of functions.
   */
  Exp.AccInput forThreads(Exp.AccInput given) {
    Exp.AccOp op = given.op();
    if (op == null) {
      return given;
    }
    Lambda l = new ThreadCalls(in.cx.functions).lambda(op.lambda());
    return new Exp.AccInput(given.space(), given.arrays(), new Exp.AccOp(l, op.neutral()));
  }

  /** An input of the accumulation of all segments, and the forms of its results. */
  private record Shared(Exp.AccInput input, LiftedAccumulator spread, List<ValueRep> results) {}

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.WithAcc given) {
    Exp.WithAcc w = (Exp.WithAcc) in.cx.renamed(given);
    int count = w.inputs().size();
    List<Shared> inputs = new ArrayList<>();
    for (Exp.AccInput x : w.inputs()) {
      boolean regular =
          x.arrays().stream().allMatch(a -> !env.varies(a) || env.isRegular(env.of(a).type()));
      inputs.add(regular ? uniform(h, n, env, x) : flat(h, n, env, s, x));
    }
    Lambda l = w.lambda();
    LiftedEnv within = env.copy();
    List<Param> params = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Param token = l.params().get(i);
      in.cx.spread(token.name(), inputs.get(i).spread());
      params.add(token);
    }
    for (int i = 0; i < count; i++) {
      Param acc = l.params().get(count + i);
      Param shared = new Param(acc.name(), in.cx.spreadType(acc.type()));
      params.add(shared);
      types.add(shared.type());
      in.cx.scope.add(shared.name(), shared.type());
      within.put(acc.name(), new LiftedName(acc.type(), new ValueRep.Accumulator(acc.name()), n));
    }
    HostBuilder body = h.inner();
    List<SubExp> values = l.body().results();
    in.body(body, n, within, l.body().stms(), values);
    List<SubExp> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ValueRep now = within.of(((SubExp.Var) values.get(i)).name()).rep();
      results.add(SubExp.of(((ValueRep.Accumulator) now).current()));
    }
    List<PatElem> others =
        s.pat().subList(s.pat().size() - (values.size() - count), s.pat().size());
    List<LiftedResult> made = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      made.add(made(h, body, n, env, within, s, others.get(i), values.get(count + i)));
    }
    made.forEach(m -> results.add(SubExp.of(m.all())));
    List<PatElem> pat = new ArrayList<>();
    List<LiftedName> variants = new ArrayList<>();
    for (Shared x : inputs) {
      for (int i = 0; i < x.input().arrays().size(); i++) {
        Name array = x.input().arrays().get(i);
        Name updated = in.cx.names.fresh(array);
        pat.add(new PatElem(updated, h.type(array)));
      }
    }
    for (LiftedResult m : made) {
      Type t = h.type(m.all());
      pat.add(new PatElem(in.cx.names.fresh(m.all()), t));
      types.add(t);
    }
    Lambda lambda = new Lambda(params, body.body(results), types);
    h.let(pat, new Exp.WithAcc(inputs.stream().map(Shared::input).toList(), lambda));
    int at = 0;
    for (Shared x : inputs) {
      for (ValueRep r : x.results()) {
        PatElem p = s.pat().get(at);
        variants.add(new LiftedName(p.type(), updated(h, n, r, pat.get(at).name(), p.type()), n));
        at++;
      }
    }
    int before = s.pat().size() - others.size();
    for (int i = 0; i < made.size(); i++) {
      PatElem p = others.get(i);
      variants.add(new LiftedName(p.type(), made.get(i).rep(pat.get(before + i).name()), n));
    }
    Flattener.put(env, s, variants);
  }

  /**
   * A result of the lambda, other than an accumulator, for all segments.
   *
   * @param all the array of all segments' values, bound in the body of the accumulation
   * @param parts the numbering of the segments' elements, known before the accumulation; null if
   *     all segments have the same sizes
   * @param sizes the element counts of the segments; null if all segments have the same sizes
   */
  private record LiftedResult(Name all, @Nullable SegmentDescriptor parts, @Nullable Name sizes) {
    ValueRep rep(Name outside) {
      return parts == null || sizes == null
          ? new ValueRep.Regular(outside)
          : new ValueRep.Irregular(sizes, parts.offsets(), outside, true);
    }
  }

  private static LiftedResult made(
      HostBuilder h,
      HostBuilder body,
      Nest n,
      LiftedEnv env,
      LiftedEnv within,
      Stm s,
      PatElem p,
      SubExp value) {
    if (Flattener.isRegular(env, s, p.type())) {
      return new LiftedResult(Regularisation.regular(body, n, within, value, p.type()), null, null);
    }
    // The sizes of the accumulation's results are known before the accumulation.
    Name sizes = Regularisation.sizes(h, n, env, p.type().dims());
    SegmentDescriptor parts = h.numbering(sizes);
    ValueRep.Irregular r =
        Regularisation.dense(
            body, n, Regularisation.irregular(body, n, within, ((SubExp.Var) value).name()));
    return new LiftedResult(body.reshaped(r.data(), List.of(parts.total())), parts, sizes);
  }

  /** Returns the array after all updates, in the form of the array before them. */
  private static ValueRep updated(HostBuilder h, Nest n, ValueRep before, Name now, Type t) {
    if (before instanceof ValueRep.Irregular r) {
      return new ValueRep.Irregular(r.sizes(), r.offsets(), h.flat(now), true);
    }
    List<SubExp> shape = new ArrayList<>(n.dims());
    shape.addAll(t.dims());
    return new ValueRep.Regular(h.reshaped(now, shape));
  }

  // Arrays of equal sizes in all segments

  private Shared uniform(HostBuilder h, Nest n, LiftedEnv env, Exp.AccInput x) {
    List<Name> arrays = new ArrayList<>();
    List<ValueRep> results = new ArrayList<>();
    List<Type> elems = new ArrayList<>();
    for (Name a : x.arrays()) {
      Type t = env.varies(a) ? env.of(a).type() : h.type(a);
      Name all = Regularisation.regular(h, n, env, SubExp.of(a), t);
      arrays.add(all);
      results.add(new ValueRep.Regular(all));
      elems.add(t.peel(x.space().size()));
    }
    List<SubExp> space = new ArrayList<>(n.dims());
    space.addAll(x.space());
    Exp.AccOp op = x.op();
    if (op != null) {
      List<Param> segment = new ArrayList<>();
      for (int d = 0; d < n.dims().size(); d++) {
        segment.add(index());
      }
      SegBodyBuilder k = h.atIndices(n, env, segment);
      List<Param> params = new ArrayList<>(segment);
      for (Param p : op.lambda().params()) {
        params.add(k.param(p));
      }
      k.run(op.lambda().body().stms());
      op =
          new Exp.AccOp(
              k.lambda(params, op.lambda().body().results()), neutral(h, n, env, op.neutral()));
    }
    LiftedAccumulator spread = new LiftedAccumulator(n, space, x.space(), elems, null, List.of());
    return new Shared(new Exp.AccInput(space, arrays, op), spread, results);
  }

  private Param index() {
    Param p = new Param(in.cx.names.fresh("i"), Type.I64);
    in.cx.scope.addParams(List.of(p));
    return p;
  }

  private List<SubExp> neutral(HostBuilder h, Nest n, LiftedEnv env, List<SubExp> given) {
    List<SubExp> known = new ArrayList<>();
    for (SubExp e : given) {
      known.add(in.neutral(h, n, env, e));
    }
    return known;
  }

  // Arrays of sizes that vary among segments

  private Shared flat(HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.AccInput x) {
    int rank = x.space().size();
    List<Type> elems = new ArrayList<>();
    for (Name a : x.arrays()) {
      Type t = env.varies(a) ? env.of(a).type() : h.type(a);
      elems.add(t.peel(rank));
    }
    Type row = elems.get(0);
    boolean split = !elems.stream().allMatch(env::isRegular);
    Exp.AccOp op = x.op();
    if (split) {
      op = elementwise(s, op, elems);
    }
    List<SubExp> counted = new ArrayList<>(x.space());
    if (split) {
      counted.addAll(row.dims());
    }
    SegmentDescriptor rows = h.numbering(Regularisation.sizes(h, n, env, counted));
    List<Name> arrays = new ArrayList<>();
    List<ValueRep> results = new ArrayList<>();
    for (int i = 0; i < x.arrays().size(); i++) {
      ValueRep.Irregular r =
          Regularisation.dense(h, n, Regularisation.irregular(h, n, env, x.arrays().get(i)));
      List<SubExp> shape = new ArrayList<>(List.of(rows.total()));
      if (!split) {
        shape.addAll(elems.get(i).dims());
      }
      arrays.add(h.reshaped(r.data(), shape));
      results.add(r);
    }
    List<SubExp> space = List.of(rows.total());
    if (op != null) {
      Nest.Flat elements = new Nest.Flat(n, rows.total(), rows.ids(), rows.offsets());
      Param number = index();
      SegBodyBuilder k = h.atIndices(elements, env, List.of(number));
      List<Param> params = new ArrayList<>(List.of(number));
      List<Param> before = op.lambda().params();
      List<SubExp> place = k.unflatten(k.position(elements), k.operands(counted));
      for (int d = 0; d < rank; d++) {
        k.let(before.get(d), place.get(d));
      }
      for (Param p : before.subList(rank, before.size())) {
        params.add(k.param(p));
      }
      k.run(op.lambda().body().stms());
      op =
          new Exp.AccOp(
              k.lambda(params, op.lambda().body().results()), neutral(h, n, env, op.neutral()));
    }
    List<Type> written = new ArrayList<>();
    for (Type t : elems) {
      written.add(split ? Type.prim(t.elemPrim()) : t);
    }
    LiftedAccumulator spread =
        new LiftedAccumulator(
            n, space, x.space(), written, rows.offsets(), split ? row.dims() : List.of());
    return new Shared(new Exp.AccInput(space, arrays, op), spread, results);
  }

  /** Returns the operator on scalar elements of an operator on arrays of varying sizes. */
  private Exp.@Nullable AccOp elementwise(Stm s, Exp.@Nullable AccOp op, List<Type> elems) {
    for (Type t : elems) {
      if (!t.dims().equals(elems.get(0).dims())) {
        throw unsuitable(s);
      }
    }
    if (op == null) {
      return null;
    }
    int values = 2 * elems.size();
    List<Param> all = op.lambda().params();
    List<Param> index = all.subList(0, all.size() - values);
    Lambda l =
        new Lambda(
            all.subList(index.size(), all.size()), op.lambda().body(), op.lambda().results());
    List<SubExp> neutral = op.neutral();
    while (l.results().stream().anyMatch(t -> t.rank() > 0)) {
      Scremas.Elementwise map = Scremas.elementwise(l);
      if (map == null) {
        throw unsuitable(s);
      }
      l = map.op();
    }
    List<SubExp> elements = new ArrayList<>();
    for (SubExp e : neutral) {
      if (!(in.cx.definition(e) instanceof BasicOp.Replicate r)
          || !(in.cx.scope.type(r.value()) instanceof Type.Prim)) {
        throw unsuitable(s);
      }
      elements.add(r.value());
    }
    List<Param> params = new ArrayList<>(index);
    params.addAll(l.params());
    Lambda elementwise = new Lambda(params, l.body(), l.results());
    in.cx.learn(elementwise);
    return new Exp.AccOp(elementwise, elements);
  }

  private static PassException unsuitable(Stm s) {
    return new PassException(
        s.aux().loc(),
        "An accumulator inside a map combines arrays whose size varies among the elements of the"
            + " map, and its operator is not elementwise. Write the operator as a map, or give all"
            + " arrays the same size.");
  }
}
