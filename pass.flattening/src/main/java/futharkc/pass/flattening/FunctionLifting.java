package futharkc.pass.flattening;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Generates lifted functions, which compute all segments of a nest. The first parameter is the
 * number of segments. A uniform function then takes the sizes in its type. The other parameters are
 * the varying arguments: one array each, or in flat form the scalar count, the sizes, the offsets
 * and the scalars.
 */
final class FunctionLifting {
  private final Program program;
  private final FunctionForms functions;

  /**
   * Creates the transformation.
   *
   * @param program the program with flattened constants, whose names the functions do not bind
   */
  FunctionLifting(Program program, FunctionForms functions) {
    this.program = program;
    this.functions = functions;
  }

  FunDef lifted(FunctionForms.Lifted wanted) {
    FunDef f = Objects.requireNonNull(program.functions().get(wanted.function()));
    NameSource names = new NameSource(f.nextTag());
    FlatteningContext cx =
        new FlatteningContext(names, Scope.ofAll(program, f), functions, wanted.name());
    Flattener flattener = new Flattener(cx);
    HostBuilder h = new HostBuilder(cx, FlatteningLevel.HOST);
    Param count = new Param(names.fresh("w"), Type.I64);
    cx.scope.addParams(List.of(count));
    Nest n = new Nest.Uniform(Nest.TOP, SubExp.of(count.name()));
    Set<Name> sizes = functions.sizeParams(f);
    List<Param> params = new ArrayList<>(List.of(count));
    LiftedEnv env = new LiftedEnv();
    for (Param p : f.params()) {
      if (wanted.uniform() && sizes.contains(p.name())) {
        params.add(p);
      }
    }
    for (Param p : f.params()) {
      if (wanted.uniform() && sizes.contains(p.name())) {
        continue;
      }
      boolean regular = wanted.uniform() || p.type() instanceof Type.Prim;
      SegmentArrays.CarriedParams carriedParams =
          new SegmentArrays(n, List.of(p.type()), List.of(regular))
              .carriedParams(h, List.of(p.name()), List.of(p.unique()));
      params.addAll(carriedParams.params());
      env.put(p.name(), carriedParams.variants().get(0));
    }
    flattener.body(h, n, env, f.body().stms(), f.body().results());
    List<Boolean> regular = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<Name> bases = new ArrayList<>();
    // The types of results mention other results; the body's values replace these.
    Map<Name, SubExp> given = new HashMap<>();
    for (int i = 0; i < f.results().size(); i++) {
      given.put(f.results().get(i).name(), f.body().results().get(i));
    }
    for (int i = 0; i < f.results().size(); i++) {
      FunDef.Result r = f.results().get(i);
      regular.add(functions.isRegularResult(f, i, wanted.uniform()));
      types.add(new Substitution(given).type(r.type()));
      bases.add(r.name());
    }
    SegmentArrays carried = new SegmentArrays(n, types, regular);
    List<SubExp> values = carried.operands(h, env, f.body().results());
    SegmentArrays.CarriedParams results =
        carried.carriedParams(h, bases, bases.stream().map(b -> true).toList());
    List<FunDef.Result> lifted = new ArrayList<>();
    for (Param p : results.params()) {
      lifted.add(new FunDef.Result(p.name(), p.type(), p.type() instanceof Type.Array));
    }
    return new FunDef(
        wanted.name(), f.attrs(), params, lifted, h.body(values), null, names.next(), f.loc());
  }
}
