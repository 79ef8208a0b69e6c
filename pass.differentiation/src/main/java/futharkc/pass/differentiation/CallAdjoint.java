package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reverse mode of calls, and of functions with a user-defined derivative.
 *
 * <pre>
 * y = f(x)                    x_ += f_reverse(x, y_)             {@link DerivedFunctions}
 * y = with_vjp f g x          x_ += g(x, y, y_)
 * </pre>
 */
final class CallAdjoint {
  private CallAdjoint() {}

  static void reverse(Sweep sweep, Emitter e, Stm s, Exp.Apply a) {
    Adjoints adjoints = sweep.adjoints();
    List<Boolean> given = a.args().stream().map(adjoints::isActive).toList();
    List<Boolean> wanted = s.pat().stream().map(p -> !adjoints.isZero(p.name())).toList();
    if (!given.contains(true)) {
      return;
    }
    DerivedFunctions functions = sweep.derivation().functions();
    String derived = functions.reverse(a.function(), given, wanted, s.aux().loc());
    List<SubExp> args = new ArrayList<>(a.args());
    for (int k : functions.sizes(a.function(), wanted)) {
      args.add(SubExp.of(s.pat().get(k).name()));
    }
    for (int k = 0; k < s.pat().size(); k++) {
      if (wanted.get(k)) {
        args.add(adjoints.value(e, s.pat().get(k).name()));
      }
    }
    List<Type> types = new ArrayList<>();
    for (int k = 0; k < given.size(); k++) {
      if (given.get(k)) {
        types.add(e.type(a.args().get(k)));
      }
    }
    List<Boolean> consumed = new ArrayList<>(Collections.nCopies(args.size(), false));
    List<SubExp> results = e.letAll("adj", types, new Exp.Apply(derived, args, consumed));
    int at = 0;
    for (int k = 0; k < given.size(); k++) {
      if (given.get(k)) {
        adjoints.add(e, a.args().get(k), results.get(at++));
      }
    }
  }

  static void reverse(Sweep sweep, Emitter e, Stm s, Soac.WithVjp x) {
    Adjoints adjoints = sweep.adjoints();
    Emitter before = e.inner().at(s.aux());
    inline(before, s, x);
    sweep.replaceAt(sweep.position(), s, before.stms());
    List<SubExp> args = new ArrayList<>(x.args());
    for (PatElem p : s.pat()) {
      args.add(SubExp.of(p.name()));
    }
    for (PatElem p : s.pat()) {
      args.add(adjoints.value(e, p.name()));
    }
    Lambda g = new Renamer(e.names()).lambda(x.adjoint());
    for (int k = 0; k < args.size(); k++) {
      Param p = g.params().get(k);
      e.alias(p.name(), p.type(), e.coerce(args.get(k), p.type()));
    }
    e.addAll(g.body().stms());
    e.scope().addAll(g.body());
    for (int k = 0; k < x.args().size(); k++) {
      adjoints.add(e, x.args().get(k), g.body().results().get(k));
    }
  }

  /** Inlines a function with a user-defined derivative where no derivative is taken. */
  static void inline(Emitter e, Stm s, Soac.WithVjp x) {
    Expansion.bind(x.lambda(), x.args(), e);
    e.addAll(x.lambda().body().stms());
    e.scope().addAll(x.lambda().body());
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      SubExp r = e.coerce(x.lambda().body().results().get(k), p.type());
      e.add(List.of(p), new BasicOp.SubExpOp(r));
    }
  }
}
