package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Consumption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Expands the derivative operators in the statements of one function, innermost first: when an
 * operator is expanded, its function has none inside, so that tangents of one derivative are
 * ordinary variables to the next, and cannot be confused with its own.
 */
final class Expansion extends Mapper {
  private final Derivation derivation;
  private final Emitter around;

  Expansion(Derivation derivation, Emitter around) {
    this.derivation = derivation;
    this.around = around;
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
      Stm t = stm(s);
      changed |= t != s || isOperator(s.exp());
      if (isOperator(t.exp())) expand(t, e.at(t.aux()));
      else e.add(t);
    }
    return changed ? e.stms() : stms;
  }

  private static boolean isOperator(Exp e) {
    return e instanceof Soac.Jvp || e instanceof Soac.Vjp;
  }

  private void expand(Stm s, Emitter e) {
    derivation.checkCancelled();
    switch (s.exp()) {
      case Soac.Jvp x -> jvp(s, x, e);
      default -> throw new IllegalStateException("no derivative operator: " + s.exp());
    }
  }

  /** Gives the parameters of a function the values of its arguments. */
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
    // The function once for its results, and once for each direction with its tangents.
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

  /** What is done for each direction. */
  interface Direction {
    List<SubExp> of(Emitter in, List<SubExp> seeds);
  }

  /** Maps over the seeds' outer dimensions. */
  static List<SubExp> directions(
      List<SubExp> vector, List<SubExp> seeds, Emitter e, Direction one) {
    if (vector.isEmpty()) return one.of(e, seeds);
    return e.map(
        "dir",
        vector.get(0),
        seeds,
        (in, rows) -> directions(vector.subList(1, vector.size()), rows, in, one));
  }

  /** The tangents of the results of a function whose parameters are bound. */
  private List<SubExp> jvp(Lambda f, List<SubExp> seeds, Emitter e) {
    Tangents tangents = new Tangents(1);
    List<Name> inputs = new ArrayList<>();
    Set<Name> consumed = Consumption.of(f);
    for (int k = 0; k < seeds.size(); k++) {
      Name p = f.params().get(k).name();
      if (Arithmetic.isZero(seeds.get(k))) continue;
      SubExp seed = consumed.contains(p) ? e.copy(seeds.get(k)) : seeds.get(k);
      tangents.set(p, 0, seed);
      inputs.add(p);
    }
    Aux aux = e.aux();
    new Forward(derivation, Activity.of(f.body(), inputs), tangents, e).stms(f.body().stms());
    e.at(Aux.at(aux.loc()));
    return f.body().results().stream().map(r -> tangents.value(e, r, 0)).toList();
  }

  private static void name(List<PatElem> pat, List<SubExp> values, Emitter e) {
    for (int k = 0; k < pat.size(); k++) {
      PatElem p = pat.get(k);
      e.add(List.of(p), new BasicOp.SubExpOp(e.coerce(values.get(k), p.type())));
    }
  }

  /** A body without derivative operators. */
  Body expanded(Body b) {
    return body(b);
  }
}
