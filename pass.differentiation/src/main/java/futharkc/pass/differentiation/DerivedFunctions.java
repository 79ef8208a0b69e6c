package futharkc.pass.differentiation;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.liveness.DeadCode;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Derivatives of functions. A function that inlining has left is differentiated separately, once
 * for each combination of active arguments.
 *
 * <pre>
 * f(x1, .., xn) -> (y1, .., ym)
 * f_forward(x1, .., xn, x1', ..) -> (y1, .., ym, y1', ..)        tangents of active arguments and all results
 * f_reverse(x1, .., xn, y1_, ..) -> (x1_, ..)                    adjoints of wanted results and active arguments
 * </pre>
 *
 * <p>The derivative of a recursive function is recursive. Derived functions can be differentiated
 * again.
 */
final class DerivedFunctions {
  private record Key(
      String function,
      boolean forward,
      List<Boolean> args,
      List<Boolean> results,
      int directions) {}

  private final Derivation derivation;
  private final Map<String, FunDef> originals;
  private final Map<Key, String> names = new LinkedHashMap<>();
  private final Map<String, Key> keys = new LinkedHashMap<>();
  private final Map<String, FunDef> finished = new LinkedHashMap<>();
  private final Set<String> begun = new HashSet<>();

  DerivedFunctions(Derivation derivation, Program program) {
    this.derivation = derivation;
    this.originals = new LinkedHashMap<>(program.functions());
  }

  /** Returns an original or derived function, whose parameters and results the caller reads. */
  private FunDef signature(String f) {
    FunDef def = originals.get(f);
    return def == null ? finished(f) : def;
  }

  /**
   * Returns a function without derivative operators: a program function after expansion, or a
   * derived function. Higher derivatives need a function before the expansion of all others ends.
   */
  FunDef finished(String name) {
    FunDef known = finished.get(name);
    if (known != null) {
      return known;
    }
    Key key = keys.get(name);
    FunDef original = originals.get(name);
    if (key == null && original == null) {
      throw new IllegalStateException("call of unknown function " + name);
    }
    if (!begun.add(name)) {
      throw new PassException(
          signature(key == null ? name : key.function).loc(),
          "The recursive function "
              + name
              + " takes a derivative of itself, which needs derivatives of all orders. Write the"
              + " derivative without a call of the function itself.");
    }
    FunDef made =
        derivation.apart(
            () ->
                original != null
                    ? Expansion.of(original, derivation)
                    : requireNonNull(key).forward ? forward(key, name) : reverse(key, name));
    finished.put(name, made);
    return made;
  }

  /** Returns the derived functions, all finished. */
  List<FunDef> derived() {
    // Finishing a function may request others.
    for (int done = -1; done < keys.size(); ) {
      done = keys.size();
      for (String name : List.copyOf(keys.keySet())) {
        finished(name);
      }
    }
    return keys.keySet().stream().map(this::finished).toList();
  }

  /**
   * Returns the name of the function with tangents.
   *
   * @param f the name of the function
   * @param args for each argument, whether it is active
   * @param directions the number of directions
   * @param loc the source location of the call
   */
  String forward(String f, List<Boolean> args, int directions, Loc loc) {
    return call(new Key(f, true, args, List.of(), directions), loc);
  }

  /**
   * Returns the name of the function that computes adjoints of active arguments.
   *
   * @param f the name of the function
   * @param args for each argument, whether it is active
   * @param results for each result, whether it has an adjoint
   * @param loc the source location of the call
   */
  String reverse(String f, List<Boolean> args, List<Boolean> results, Loc loc) {
    return call(new Key(f, false, args, results, 1), loc);
  }

  private String call(Key key, Loc loc) {
    String known = names.get(key);
    if (known != null) {
      return known;
    }
    for (Param p : signature(key.function).params()) {
      if (p.type() instanceof Type.Acc) {
        throw new PassException(
            loc,
            "The function "
                + key.function
                + " updates an accumulator, so it can only be differentiated after inlining."
                + " Remove its attribute #[noinline], or make the function smaller.");
      }
    }
    String base = key.function + (key.forward ? "_forward" : "_reverse");
    String name = base;
    for (int i = 2; originals.containsKey(name) || keys.containsKey(name); i++) {
      name = base + i;
    }
    names.put(key, name);
    keys.put(name, key);
    return name;
  }

  private FunDef forward(Key key, String name) {
    FunDef f = finished(key.function);
    NameSource source = new NameSource(f.nextTag());
    Scope scope = derivation.constants();
    scope.addParams(f.params());
    Emitter e = new Emitter(source, scope);
    Body body = NormalForm.of(new Lambda(f.params(), f.body(), List.of()), e).body();
    Tangents tangents = new Tangents(key.directions);
    List<Param> params = new ArrayList<>(f.params());
    List<Name> inputs = new ArrayList<>();
    for (int k = 0; k < f.params().size(); k++) {
      if (!key.args.get(k)) {
        continue;
      }
      Param p = f.params().get(k);
      inputs.add(p.name());
      for (int d = 0; d < key.directions; d++) {
        Param t = e.param(Forward.tangentOf(p.name()), p.type(), p.unique());
        tangents.set(p.name(), d, SubExp.of(t.name()));
        params.add(t);
      }
    }
    Forward forward = new Forward(derivation, Activity.of(body, inputs), tangents, e);
    forward.stms(body.stms());
    List<FunDef.Result> results = new ArrayList<>(f.results());
    List<SubExp> values = new ArrayList<>(body.results());
    for (int k = 0; k < f.results().size(); k++) {
      FunDef.Result r = f.results().get(k);
      if (!hasDerivative(r.type())) {
        continue;
      }
      for (int d = 0; d < key.directions; d++) {
        Name t = source.fresh(Forward.tangentOf(r.name()));
        results.add(new FunDef.Result(t, r.type(), r.unique()));
        values.add(tangents.value(e.at(Aux.at(f.loc())), body.results().get(k), d));
      }
    }
    return new FunDef(
        name, f.attrs(), params, results, e.body(values), null, source.next(), f.loc());
  }

  /** Returns the positions of results that are sizes of results with adjoints. */
  List<Integer> sizes(String f, List<Boolean> wanted) {
    List<FunDef.Result> results = signature(f).results();
    List<Integer> sizes = new ArrayList<>();
    for (int k = 0; k < results.size(); k++) {
      SubExp size = SubExp.of(results.get(k).name());
      for (int j = 0; j < results.size(); j++) {
        if (wanted.get(j) && results.get(j).type().dims().contains(size)) {
          sizes.add(k);
          break;
        }
      }
    }
    return sizes;
  }

  private FunDef reverse(Key key, String name) {
    FunDef f = finished(key.function);
    NameSource source = new NameSource(f.nextTag());
    Scope scope = derivation.constants();
    scope.addParams(f.params());
    Emitter e = new Emitter(source, scope).at(Aux.at(f.loc()));
    List<Param> params = new ArrayList<>();
    for (Param p : f.params()) {
      if (!p.unique()) {
        params.add(p);
        continue;
      }
      // The caller keeps its array, so the function must not consume it.
      Param whole = e.param(p.name().base(), p.type());
      params.add(whole);
      e.add(
          List.of(new PatElem(p.name(), p.type())),
          new BasicOp.Replicate(List.of(), SubExp.of(whole.name())));
    }
    List<Name> inputs = new ArrayList<>();
    for (int k = 0; k < f.params().size(); k++) {
      if (key.args.get(k)) {
        inputs.add(f.params().get(k).name());
      }
    }
    Lambda l = NormalForm.of(new Lambda(f.params(), f.body(), List.of()), e);
    Adjoints adjoints = new Adjoints(Activity.of(l.body(), inputs));
    Sweep sweep =
        new Sweep(derivation, l.body().stms(), adjoints, Aliases.of(l.body().stms()), e.inner());
    Map<Name, SubExp> sizes = new HashMap<>();
    for (int k : sizes(key.function, key.results)) {
      Param size = e.param("size", Type.I64);
      params.add(size);
      sizes.put(f.results().get(k).name(), SubExp.of(size.name()));
    }
    for (int k = 0; k < f.results().size(); k++) {
      if (!key.results.get(k)) {
        continue;
      }
      Type t = new Substitution(sizes).type(f.results().get(k).type());
      Param adj = e.param("adj", t);
      params.add(adj);
      adjoints.add(sweep.back(), l.body().results().get(k), SubExp.of(adj.name()));
    }
    sweep.run();
    e.addAll(sweep.forward());
    e.addAll(sweep.back().stms());
    List<FunDef.Result> results = new ArrayList<>();
    List<SubExp> values = new ArrayList<>();
    for (Name n : inputs) {
      results.add(new FunDef.Result(source.fresh("adj"), e.type(n), false));
      values.add(adjoints.value(e, n));
    }
    Body live = new DeadCode().body(e.body(values));
    return new FunDef(name, f.attrs(), params, results, live, null, source.next(), f.loc());
  }

  private static boolean hasDerivative(Type t) {
    return !(t instanceof Type.Acc) && !t.equals(Type.UNIT);
  }
}
