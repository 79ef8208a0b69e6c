package futharkc.pass.flattening;

import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Flattens maps to arrays of varying sizes that are concatenated. The concatenation is the flat
 * form of these arrays.
 */
final class FlatMapFlattening {
  private final Flattener in;
  private final ScremaFlattening scremas;

  FlatMapFlattening(Flattener in, ScremaFlattening scremas) {
    this.in = in;
    this.scremas = scremas;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Soac.FlatMap x) {
    Nest inner = scremas.inner(h, n, env, x.width(), x.inputs());
    LiftedEnv within = scremas.inputs(h, n, env, inner, x.inputs(), x.lambda().params());
    List<SubExp> values = x.lambda().body().results();
    in.body(h, inner, within, ScremaFlattening.stms(n, s, x.lambda()), values);
    Name perElement = Regularisation.regular(h, inner, within, values.get(0), Type.I64);
    Name sizes = h.reshaped(perElement, List.of(h.count(inner)));
    SegmentDescriptor begins = Builtin.PREFIXSUM.call(h, sizes);
    List<Name> data = new ArrayList<>();
    for (SubExp v : values.subList(1, values.size())) {
      Name part = ((SubExp.Var) v).name();
      data.add(
          Regularisation.dense(h, inner, Regularisation.irregular(h, inner, within, part)).data());
    }
    Flattener.put(
        env,
        s,
        n instanceof Nest.Top && n.dims().isEmpty()
            ? alone(h, n, s, begins, data)
            : nested(h, n, env, s, x.width(), inner, sizes, begins, data));
  }

  /** Returns the results of a flat map outside all maps. */
  private static List<LiftedName> alone(
      HostBuilder h, Nest n, Stm s, SegmentDescriptor begins, List<Name> data) {
    List<Name> all = new ArrayList<>();
    all.add(((SubExp.Var) begins.total()).name());
    all.add(begins.offsets());
    for (int i = 0; i < data.size(); i++) {
      List<SubExp> shape = new ArrayList<>(List.of(begins.total()));
      shape.addAll(s.pat().get(2 + i).type().row().dims());
      all.add(h.reshaped(data.get(i), shape));
    }
    List<LiftedName> variants = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      variants.add(new LiftedName(s.pat().get(i).type(), new ValueRep.Regular(all.get(i)), n));
    }
    return variants;
  }

  private List<LiftedName> nested(
      HostBuilder h,
      Nest n,
      LiftedEnv env,
      Stm s,
      SubExp width,
      Nest inner,
      Name sizes,
      SegmentDescriptor begins,
      List<Name> data) {
    // The offset of the segment's first element, and the number of the segment's elements.
    SegBodyBuilder k = h.kernel(n, env);
    SubExp w = k.operand(width);
    SubExp some = k.compare(CmpOp.Kind.SLT, SubExp.i64(0), w);
    SubExp begin =
        k.either(
            some,
            Type.I64,
            a -> a.element(begins.offsets(), first(a, n, inner, w)),
            a -> SubExp.i64(0));
    SubExp total =
        k.either(
            some,
            Type.I64,
            a -> {
              SubExp last = a.minus(a.plus(first(a, n, inner, w), w), SubExp.i64(1));
              SubExp end = a.plus(a.element(begins.offsets(), last), a.element(sizes, last));
              return a.minus(end, begin);
            },
            a -> SubExp.i64(0));
    List<Name> both = h.segMap(List.of("begins", "totals"), k, List.of(begin, total));
    SubExp count = h.count(n);
    Name starts = h.reshaped(both.get(0), List.of(count));
    List<LiftedName> variants = new ArrayList<>();
    variants.add(new LiftedName(Type.I64, new ValueRep.Regular(both.get(1)), n));
    LiftedEnv within = env.copy();
    SegBodyBuilder placing = h.kernel(inner, within);
    SubExp offset =
        placing.minus(
            placing.element(begins.offsets(), placing.number(inner)),
            placing.element(starts, placing.number(n)));
    Name offsets = h.segMap("offsets", placing, offset);
    Name offsetOf = in.cx.names.fresh("offset");
    in.cx.scope.add(offsetOf, Type.I64);
    within.put(offsetOf, new LiftedName(Type.I64, new ValueRep.Regular(offsets), inner));
    variants.add(scremas.collected(h, n, env, inner, within, width, SubExp.of(offsetOf), Type.I64));
    env.put(s.pat().get(0).name(), variants.get(0));
    for (int i = 0; i < data.size(); i++) {
      PatElem p = s.pat().get(2 + i);
      List<SubExp> row = p.type().row().dims();
      Name scalars = Regularisation.sizes(h, n, env, p.type().dims());
      Name at =
          row.isEmpty()
              ? starts
              : Regularisation.perSegment(
                  h,
                  n,
                  env,
                  "offsets",
                  a -> a.times(a.element(starts, a.number(n)), a.product(a.operands(row))));
      variants.add(
          new LiftedName(p.type(), new ValueRep.Irregular(scalars, at, data.get(i), true), n));
    }
    return variants;
  }

  private static SubExp first(SegBodyBuilder k, Nest n, Nest inner, SubExp width) {
    return inner instanceof Nest.Flat f
        ? k.element(Objects.requireNonNull(f.offsets()), k.number(n))
        : k.times(k.number(n), width);
  }
}
