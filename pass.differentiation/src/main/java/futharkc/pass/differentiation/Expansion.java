package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Expands the derivative operators in the statements of one function, innermost first. The function
 * of an operator contains no derivative operators when the pass expands it. Tangents of an inner
 * derivative are ordinary variables of the outer one, so the derivatives cannot be confused.
 */
final class Expansion extends Mapper {
  private final Derivation derivation;
  private final Emitter around;

  /** The number of enclosing derivative operators. */
  private int depth;

  Expansion(Derivation derivation, Emitter around) {
    this.derivation = derivation;
    this.around = around;
  }

  /** Returns a function without derivative operators. */
  static FunDef of(FunDef f, Derivation derivation) {
    derivation.checkCancelled();
    NameSource names = new NameSource(f.nextTag());
    Scope scope = derivation.constants();
    scope.addParams(f.params());
    Body body = new Expansion(derivation, new Emitter(names, scope)).expanded(f.body());
    return body == f.body() ? f : f.withBody(body, names.next());
  }

  @Override
  public Param param(Param p) {
    around.scope().add(p.name(), p.type());
    return p;
  }

  @Override
  public Exp exp(Exp e) {
    if (e instanceof Exp.Loop l && l.form() instanceof Exp.Form.For f) {
      around.scope().add(f.index(), Type.prim(f.type()));
    }
    return super.exp(e);
  }

  @Override
  public List<Stm> stms(List<Stm> stms) {
    Emitter e = around.inner();
    boolean changed = false;
    for (Stm s : stms) {
      Stm t = inside(s);
      changed |= t != s;
      if (isOperator(t.exp())) {
        expand(t, e.at(t.aux()));
        changed = true;
      } else {
        e.add(t);
      }
    }
    return changed ? e.stms() : stms;
  }

  /** Returns the statement with the derivative operators in its nested bodies expanded. */
  private Stm inside(Stm s) {
    boolean operator = s.exp() instanceof Soac.Jvp || s.exp() instanceof Soac.Vjp;
    if (!operator) {
      return stm(s);
    }
    depth++;
    Stm t = stm(s);
    depth--;
    return t;
  }

  /**
   * Tests whether an expression is a derivative operator. A function with a user-defined derivative
   * counts only outside all derivatives, where the pass inlines it.
   */
  private boolean isOperator(Exp e) {
    return e instanceof Soac.Jvp
        || e instanceof Soac.Vjp
        || e instanceof Soac.WithVjp && depth == 0;
  }

  private void expand(Stm s, Emitter e) {
    derivation.checkCancelled();
    switch (s.exp()) {
      case Soac.Jvp x -> jvp(s, x, e);
      case Soac.Vjp x -> vjp(s, x, e);
      case Soac.WithVjp x -> CallAdjoint.inline(e, s, x);
      default -> throw new IllegalStateException("not a derivative operator: " + s.exp());
    }
  }

  /** Binds the parameters of a function to the arguments. */
  static void bind(Lambda f, List<SubExp> args, Emitter e) {
    for (int k = 0; k < args.size(); k++) {
      Param p = f.params().get(k);
      e.alias(p.name(), p.type(), args.get(k));
    }
  }

  // Forward mode

  private void jvp(Stm s, Soac.Jvp x, Emitter e) {
    Aux aux = s.aux();
    Lambda f = NormalForm.of(x.lambda(), e);
    int n = f.results().size();
    List<PatElem> values = s.pat().subList(0, n);
    List<PatElem> tangents = s.pat().subList(n, s.pat().size());
    if (x.vector().isEmpty()) {
      bind(f, x.args(), e);
      List<SubExp> results = jvp(f, x.tangents(), e);
      e.at(Aux.at(aux.loc()));
      name(values, f.body().results(), e);
      name(tangents, results, e);
      return;
    }
    // The first copy of the function computes the results, the second one computes the tangents in
    // each direction.
    Lambda again = new Renamer(e.names()).lambda(f);
    e.scope().addParams(again.params());
    e.scope().addAll(again.body());
    Set<Name> consumed = Consumption.of(f);
    List<SubExp> copies = new ArrayList<>();
    for (int k = 0; k < x.args().size(); k++) {
      SubExp a = x.args().get(k);
      copies.add(consumed.contains(f.params().get(k).name()) ? e.copy(a) : a);
    }
    bind(f, x.args(), e);
    e.addAll(f.body().stms());
    e.at(Aux.at(aux.loc()));
    name(values, f.body().results(), e);
    e.at(aux);
    Set<Name> inside = Consumption.of(again);
    List<SubExp> derived =
        directions(
            x.vector(),
            x.tangents(),
            e,
            (in, seeds) -> {
              List<SubExp> args = new ArrayList<>();
              for (int k = 0; k < copies.size(); k++) {
                SubExp a = copies.get(k);
                args.add(inside.contains(again.params().get(k).name()) ? in.copy(a) : a);
              }
              bind(again, args, in);
              return jvp(again, seeds, in);
            });
    e.at(Aux.at(aux.loc()));
    name(tangents, derived, e);
  }

  /** Code for one direction. */
  interface Direction {
    List<SubExp> of(Emitter in, List<SubExp> seeds);
  }

  /**
   * Emits a map over the outer dimensions of the seeds. With {@code #[unroll]} and constant sizes,
   * this method emits one copy of the code for each direction.
   */
  private static List<SubExp> directions(
      List<SubExp> vector, List<SubExp> seeds, Emitter e, Direction one) {
    if (vector.isEmpty()) {
      return one.of(e, seeds);
    }
    List<SubExp> inner = vector.subList(1, vector.size());
    List<Type> rows = seeds.stream().map(v -> e.type(v).row()).toList();
    Lambda f = e.lambda("seed", rows, (in, v) -> directions(inner, v, in, one));
    SubExp n = vector.get(0);
    if (!(n instanceof SubExp.Const c) || !e.aux().hasAttr("unroll")) {
      return e.map("dir", n, seeds.stream().map(Emitter::array).toList(), f);
    }
    List<List<SubExp>> all = new ArrayList<>();
    for (Type _ : f.results()) {
      all.add(new ArrayList<>());
    }
    for (long i = 0; i < c.value().asLong(); i++) {
      Lambda g = new Renamer(e.names()).lambda(f);
      for (int k = 0; k < seeds.size(); k++) {
        Param p = g.params().get(k);
        e.alias(p.name(), p.type(), e.index(seeds.get(k), List.of(SubExp.i64(i))));
      }
      e.addAll(g.body().stms());
      e.scope().addAll(g.body());
      for (int k = 0; k < all.size(); k++) {
        all.get(k).add(g.body().results().get(k));
      }
    }
    List<SubExp> results = new ArrayList<>();
    for (int k = 0; k < all.size(); k++) {
      Type row = f.results().get(k);
      results.add(e.let("dir", Type.array(row, n), new BasicOp.ArrayLit(all.get(k), row)));
    }
    return results;
  }

  /** Returns the tangents of the results of a function whose parameters are bound. */
  private List<SubExp> jvp(Lambda f, List<SubExp> seeds, Emitter e) {
    Tangents tangents = new Tangents(1);
    List<Name> inputs = new ArrayList<>();
    Set<Name> consumed = Consumption.of(f);
    for (int k = 0; k < seeds.size(); k++) {
      Name p = f.params().get(k).name();
      if (Arithmetic.isZero(seeds.get(k))) {
        continue;
      }
      SubExp seed = consumed.contains(p) ? e.copy(seeds.get(k)) : seeds.get(k);
      tangents.set(p, 0, seed);
      inputs.add(p);
    }
    Aux aux = e.aux();
    new Forward(derivation, Activity.of(f.body(), inputs), tangents, e).stms(f.body().stms());
    e.at(Aux.at(aux.loc()));
    return f.body().results().stream().map(r -> tangents.value(e, r, 0)).toList();
  }

  // Reverse mode

  private void vjp(Stm s, Soac.Vjp x, Emitter around) {
    Aux aux = s.aux();
    Emitter e = around.inner().at(aux);
    Lambda f = NormalForm.of(x.lambda(), e);
    int n = f.results().size();
    List<PatElem> values = s.pat().subList(0, n);
    List<PatElem> wanted = s.pat().subList(n, s.pat().size());
    bind(f, x.args(), e);
    Emitter rest = e.inner().at(Aux.at(aux.loc()));
    List<SubExp> derived =
        directions(
            x.vector(),
            x.adjoints(),
            x.vector().isEmpty() ? rest : rest.at(aux),
            (in, seeds) -> vjp(f, seeds, e, in, !x.vector().isEmpty()));
    e.addAll(rest.stms());
    e.at(Aux.at(aux.loc()));
    name(values, f.body().results(), e);
    name(wanted, derived, e);
    List<SubExp> results = s.pat().stream().map(p -> SubExp.of(p.name())).toList();
    around.addAll(new DeadCode().body(e.body(results)).stms());
    // Results without uses must be in scope as well.
    for (PatElem p : s.pat()) {
      around.scope().add(p.name(), p.type());
    }
  }

  /**
   * Returns the adjoints of the parameters of a function.
   *
   * @param f the function, with bound parameters
   * @param seeds the adjoints of the results
   * @param e the emitter of the forward sweep
   * @param in the emitter of the return sweep
   * @param repeated whether one forward sweep has several return sweeps
   */
  private List<SubExp> vjp(Lambda f, List<SubExp> seeds, Emitter e, Emitter in, boolean repeated) {
    List<Name> inputs = new ArrayList<>();
    for (Param p : f.params()) {
      if (!p.type().equals(Type.UNIT)) {
        inputs.add(p.name());
      }
    }
    Body b = f.body();
    Adjoints adjoints = new Adjoints(Activity.of(b, inputs));
    Sweep sweep = new Sweep(derivation, b.stms(), adjoints, Aliases.of(b.stms()), in.inner());
    for (int k = 0; k < seeds.size(); k++) {
      adjoints.add(sweep.back(), b.results().get(k), seeds.get(k));
    }
    sweep.run();
    e.addAll(sweep.forward());
    List<Stm> back = sweep.back().stms();
    in.addAll(repeated ? repeatable(back, in) : back);
    in.at(Aux.at(in.aux().loc()));
    return f.params().stream().map(p -> adjoints.value(in, p.name())).toList();
  }

  /** Returns a return sweep that copies the arrays of the forward sweep that it consumes. */
  private static List<Stm> repeatable(List<Stm> back, Emitter in) {
    Body whole = new Body(back, List.of());
    Set<Name> consumed = Consumption.of(whole, Aliases.of(back));
    Map<Name, SubExp> copies = new HashMap<>();
    for (Name n : FreeNames.of(whole)) {
      if (consumed.contains(n) && in.type(n) instanceof Type.Array) {
        copies.put(n, in.copy(SubExp.of(n)));
      }
    }
    return copies.isEmpty() ? back : new Substitution(copies).stms(back);
  }

  private static void name(List<PatElem> pat, List<SubExp> values, Emitter e) {
    for (int k = 0; k < pat.size(); k++) {
      PatElem p = pat.get(k);
      e.add(List.of(p), new BasicOp.SubExpOp(e.coerce(values.get(k), p.type())));
    }
  }

  /**
   * Returns a body without derivative operators. Functions with user-defined derivatives in the
   * result become ordinary functions where no derivative is taken.
   */
  Body expanded(Body b) {
    Body once = body(b);
    return once == b ? b : body(once);
  }

  /** Returns statements without derivative operators, under the same conditions. */
  List<Stm> expanded(List<Stm> stms) {
    List<Stm> once = stms(stms);
    return once == stms ? stms : stms(once);
  }
}
