package futharkc.pass.flattening;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Builder;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.soac.Scremas;
import futharkc.core.ir.soac.VectorOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts accumulations of arrays with elementwise operators to accumulations of scalars. Threads
 * then need no memory for the operator's result, and the fastest method for scalars applies. An
 * update with an array becomes a map of updates with its elements:
 *
 * <pre>{@code
 * let acc' = update_acc(acc, [i], {xs})
 *   =>  let acc' = screma(m, {xs, iota m, acc}) map \{x, j, acc} -> update_acc(acc, [i, j], {x})
 * }</pre>
 *
 * <p>One application removes one dimension of the arrays.
 */
final class ElementAccumulation extends Mapper {
  /** The width of an accumulator's arrays, and the accumulator's new type. */
  private record Split(SubExp width, Type.Acc now) {}

  private final FlatteningContext cx;
  private final Map<Name, Split> splits = new HashMap<>();

  private ElementAccumulation(FlatteningContext cx) {
    this.cx = cx;
  }

  /**
   * Returns the accumulation with scalar elements wherever possible; null if no input allows it.
   */
  static @Nullable List<Stm> of(FlatteningContext cx, Stm s, Exp.WithAcc w) {
    ElementAccumulation e = new ElementAccumulation(cx);
    Builder before = new Builder(cx.names).with(Aux.at(s.aux().loc()));
    List<Exp.AccInput> inputs = new ArrayList<>();
    for (int i = 0; i < w.inputs().size(); i++) {
      inputs.add(e.input(w.inputs().get(i), w.lambda(), i, before));
    }
    if (e.splits.isEmpty()) {
      return null;
    }
    List<Stm> out = new ArrayList<>(before.stms());
    out.add(s.withExp(new Exp.WithAcc(inputs, e.lambda(w.lambda()))));
    return out;
  }

  private Exp.AccInput input(Exp.AccInput in, Lambda body, int number, Builder before) {
    Exp.AccOp op = in.op();
    if (op == null || op.lambda().results().stream().noneMatch(t -> t.rank() > 0)) {
      return in;
    }
    int rank = in.space().size();
    List<Param> params = op.lambda().params();
    Lambda onValues =
        new Lambda(params.subList(rank, params.size()), op.lambda().body(), op.lambda().results());
    Scremas.Elementwise map = Scremas.elementwise(onValues);
    if (map == null || !haveWidth(in.arrays(), rank, map.width())) {
      return in;
    }
    Name token = body.params().get(number).name();
    if (OrderedAccumulation.callsWith(body, List.of(token))) {
      return in;
    }
    List<Type> elems = map.op().results();
    List<SubExp> space = new ArrayList<>(in.space());
    space.add(map.width());
    splits.put(token, new Split(map.width(), new Type.Acc(token, space, elems)));
    List<SubExp> neutral = new ArrayList<>();
    for (SubExp e : op.neutral()) {
      neutral.add(VectorOperator.first(e, 1, before, cx.scope));
    }
    List<Param> all = new ArrayList<>(params.subList(0, rank));
    all.add(new Param(cx.names.fresh("j"), Type.I64));
    all.addAll(map.op().params());
    Lambda elementwise = new Lambda(all, map.op().body(), elems);
    return new Exp.AccInput(space, in.arrays(), new Exp.AccOp(elementwise, neutral));
  }

  private boolean haveWidth(List<Name> arrays, int rank, SubExp width) {
    for (Name a : arrays) {
      if (!cx.scope.type(a).dims().get(rank).equals(width)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public Type type(Type t) {
    Split split = t instanceof Type.Acc acc ? splits.get(acc.token()) : null;
    return split == null ? super.type(t) : split.now();
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    List<Stm> out = new ArrayList<>();
    for (Stm s : stms) {
      Split split =
          s.exp() instanceof BasicOp.UpdateAcc && s.pat().get(0).type() instanceof Type.Acc acc
              ? splits.get(acc.token())
              : null;
      if (split != null && s.exp() instanceof BasicOp.UpdateAcc u) {
        out.addAll(each(s, u, split));
      } else {
        out.add(stm(s));
      }
    }
    return out;
  }

  private List<Stm> each(Stm s, BasicOp.UpdateAcc u, Split split) {
    Name j = cx.names.fresh("j");
    Param inner = new Param(cx.names.fresh(u.acc()), split.now());
    List<Param> params = new ArrayList<>();
    List<Name> inputs = new ArrayList<>();
    List<SubExp> values = new ArrayList<>();
    for (int i = 0; i < u.values().size(); i++) {
      Param x = new Param(cx.names.fresh("x"), split.now().elems().get(i));
      params.add(x);
      inputs.add(((SubExp.Var) u.values().get(i)).name());
      values.add(SubExp.of(x.name()));
    }
    params.add(inner);
    inputs.add(u.acc());
    List<SubExp> index = new ArrayList<>(u.index());
    index.add(SubExp.of(j));
    params.add(new Param(j, Type.I64));
    Name updated = cx.names.fresh(u.acc());
    Stm update =
        new Stm(
            List.of(new PatElem(updated, split.now())),
            s.aux(),
            new BasicOp.UpdateAcc(u.inRange(), inner.name(), index, values));
    Lambda map =
        new Lambda(
            params, new Body(List.of(update), List.of(SubExp.of(updated))), List.of(split.now()));
    Name places = cx.names.fresh("places");
    Type.Array all = (Type.Array) Type.array(Type.I64, split.width());
    Stm iota =
        new Stm(
            List.of(new PatElem(places, all)),
            Aux.at(s.aux().loc()),
            new BasicOp.Iota(split.width(), SubExp.i64(0), SubExp.i64(1), PrimType.I64));
    inputs.add(places);
    Soac.Screma each =
        new Soac.Screma(
            split.width(),
            inputs,
            map,
            List.of(),
            List.of(),
            Scremas.identity(map.results(), cx.names));
    PatElem result = new PatElem(s.names().get(0), split.now());
    return List.of(iota, new Stm(List.of(result), s.aux(), each));
  }
}
