package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * The form in which the values of all segments are carried through loops, branches and calls. A
 * regular value is one array. An irregular value consists of the scalar count, the sizes, the
 * offsets and the scalars.
 */
final class SegmentArrays {
  private final Nest nest;
  private final List<Type> types;
  private final List<Boolean> regular;

  /**
   * Creates the form of values with the given types in one segment.
   *
   * @param regular for each value, whether the host knows its sizes
   */
  SegmentArrays(Nest nest, List<Type> types, List<Boolean> regular) {
    this.nest = nest;
    this.types = List.copyOf(types);
    this.regular = List.copyOf(regular);
  }

  /** Returns, for each value, whether the host knows its sizes. */
  List<Boolean> regular() {
    return regular;
  }

  /** Returns the operands that carry the values, in a body of the host. */
  List<SubExp> operands(HostBuilder h, LiftedEnv env, List<SubExp> values) {
    List<SubExp> all = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      SubExp e = values.get(i);
      Type t = types.get(i);
      if (t instanceof Type.Acc) {
        all.add(
            SubExp.of(((ValueRep.Accumulator) env.of(((SubExp.Var) e).name()).rep()).current()));
      } else if (regular.get(i)) {
        all.add(SubExp.of(Regularisation.regular(h, nest, env, e, t)));
      } else {
        ValueRep.Irregular r =
            Regularisation.dense(
                h, nest, Regularisation.irregular(h, nest, env, ((SubExp.Var) e).name()));
        all.add(h.type(r.data()).outerSize());
        all.add(SubExp.of(r.sizes()));
        all.add(SubExp.of(r.offsets()));
        all.add(SubExp.of(r.data()));
      }
    }
    return all;
  }

  /** The parameters that carry values, and the lifted values that they represent. */
  record CarriedParams(List<Param> params, List<LiftedName> variants) {}

  /**
   * Returns fresh parameters that carry the values.
   *
   * @param bases the base names of the parameters
   * @param unique for each value, whether the receiver may overwrite it
   */
  CarriedParams carriedParams(HostBuilder h, List<Name> bases, List<Boolean> unique) {
    List<Param> params = new ArrayList<>();
    List<LiftedName> variants = new ArrayList<>();
    SubExp count = h.count(nest);
    for (int i = 0; i < types.size(); i++) {
      Type t = types.get(i);
      String base = bases.get(i).base();
      boolean u = unique.get(i);
      if (t instanceof Type.Acc) {
        Name n = h.cx.names.fresh(base);
        params.add(new Param(n, h.cx.spreadType(t), u));
        variants.add(new LiftedName(t, new ValueRep.Accumulator(n), nest));
      } else if (regular.get(i)) {
        Name n = h.cx.names.fresh(base);
        params.add(new Param(n, Type.array(t, nest.dims()), u));
        variants.add(new LiftedName(t, new ValueRep.Regular(n), nest));
      } else {
        Name total = h.cx.names.fresh("total");
        Name sizes = h.cx.names.fresh("sizes");
        Name offsets = h.cx.names.fresh("offsets");
        Name data = h.cx.names.fresh(base);
        params.add(new Param(total, Type.I64));
        params.add(new Param(sizes, Type.array(Type.I64, count)));
        params.add(new Param(offsets, Type.array(Type.I64, count)));
        Type scalar = Type.prim(t.elemPrim());
        params.add(new Param(data, Type.array(scalar, SubExp.of(total)), u));
        variants.add(new LiftedName(t, new ValueRep.Irregular(sizes, offsets, data, true), nest));
      }
    }
    h.cx.scope.addParams(params);
    return new CarriedParams(params, variants);
  }

  /** Returns operands for an empty nest, whose values no code reads. */
  List<SubExp> nothing(HostBuilder h) {
    List<SubExp> all = new ArrayList<>();
    SubExp count = h.count(nest);
    for (int i = 0; i < types.size(); i++) {
      Type t = types.get(i);
      if (regular.get(i)) {
        all.add(h.nothing(Type.array(t, nest.dims())));
      } else {
        all.add(SubExp.i64(0));
        all.add(h.nothing(Type.array(Type.I64, count)));
        all.add(h.nothing(Type.array(Type.I64, count)));
        all.add(h.nothing(Type.array(Type.prim(t.elemPrim()), SubExp.i64(0))));
      }
    }
    return all;
  }
}
