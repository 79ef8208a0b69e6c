package futharkc.pass.flattening;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Flattens calls, inside maps, of parallel functions into calls of lifted functions, which compute
 * all segments at once. If the sizes in the function's type do not vary, the lifted function takes
 * one array for each argument. Otherwise the lifted function takes arrays of varying sizes in flat
 * form.
 */
final class CallFlattening {
  private final Flattener in;

  CallFlattening(Flattener in) {
    this.in = in;
  }

  void flatten(HostBuilder h, Nest n, LiftedEnv env, Stm s, Exp.Apply a) {
    FunDef f = in.cx.functions.function(a.function());
    for (Param p : f.params()) {
      if (p.type() instanceof Type.Acc) {
        throw new PassException(
            s.aux().loc(),
            "The parallel function "
                + f.name()
                + " takes an accumulator and is called inside a map. Let the compiler"
                + " inline it: remove its attribute #[noinline], or make it smaller.");
      }
    }
    Set<Name> sizes = in.cx.functions.sizeParams(f);
    boolean uniform = true;
    for (int i = 0; i < f.params().size(); i++) {
      uniform &= !sizes.contains(f.params().get(i).name()) || !env.varies(a.args().get(i));
    }
    String lifted = in.cx.functions.lifted(f.name(), uniform);
    SubExp count = h.count(n);
    List<SubExp> args = new ArrayList<>(List.of(count));
    List<Boolean> consumed = new ArrayList<>(List.of(false));
    if (uniform) {
      for (int i = 0; i < f.params().size(); i++) {
        if (!sizes.contains(f.params().get(i).name())) {
          continue;
        }
        args.add(a.args().get(i));
        consumed.add(false);
      }
    }
    for (int i = 0; i < f.params().size(); i++) {
      Param p = f.params().get(i);
      if (uniform && sizes.contains(p.name())) {
        continue;
      }
      SubExp arg = a.args().get(i);
      Type t = type(h, env, arg);
      if (uniform || p.type() instanceof Type.Prim) {
        List<SubExp> shape = new ArrayList<>(List.of(count));
        shape.addAll(t.dims());
        args.add(SubExp.of(h.reshaped(Regularisation.regular(h, n, env, arg, t), shape)));
      } else {
        args.addAll(
            new SegmentArrays(n, List.of(t), List.of(false)).operands(h, env, List.of(arg)));
        for (int k = 0; k < 3; k++) {
          consumed.add(false);
        }
      }
      consumed.add(p.unique());
    }
    List<Boolean> regular = new ArrayList<>();
    for (int i = 0; i < s.pat().size(); i++) {
      regular.add(in.cx.functions.isRegularResult(f, i, uniform));
    }
    Nest flat = new Nest.Uniform(Nest.TOP, count);
    SegmentArrays carried =
        new SegmentArrays(flat, s.pat().stream().map(PatElem::type).toList(), regular);
    SegmentArrays.CarriedParams results =
        carried.carriedParams(h, s.names(), s.pat().stream().map(p -> false).toList());
    List<PatElem> pat = new ArrayList<>();
    for (Param p : results.params()) {
      pat.add(new PatElem(p.name(), p.type()));
    }
    h.let(pat, new Exp.Apply(lifted, args, consumed));
    for (int i = 0; i < s.pat().size(); i++) {
      PatElem p = s.pat().get(i);
      ValueRep rep = results.variants().get(i).rep();
      if (rep instanceof ValueRep.Regular r) {
        List<SubExp> shape = new ArrayList<>(n.dims());
        shape.addAll(p.type().dims());
        rep = new ValueRep.Regular(h.reshaped(r.array(), shape));
      }
      env.put(p.name(), new LiftedName(p.type(), rep, n));
    }
  }

  private static Type type(HostBuilder h, LiftedEnv env, SubExp e) {
    return env.varies(e) ? env.of(((SubExp.Var) e).name()).type() : h.type(e);
  }
}
