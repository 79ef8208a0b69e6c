package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adjoints by differentiation of substitute code. The adjoint of some operations equals the adjoint
 * of other code that has the same effect on the relevant elements. The return sweep executes that
 * code, followed by its return sweep, which adds to the surrounding adjoints.
 */
final class SyntheticAdjoint {
  private SyntheticAdjoint() {}

  /**
   * Reverses code.
   *
   * @param sweep the sweep of the enclosing body
   * @param e the emitter of the code and its return sweep
   * @param code the code, whose names have no other binding
   * @param results an action that sets the adjoints of the code's results
   */
  static void reverse(Sweep sweep, Emitter e, Emitter code, Consumer<Adjoints> results) {
    List<Stm> stms = code.stms();
    Set<Name> inputs = new HashSet<>(sweep.active());
    Set<Name> active = Activity.of(code.body(List.of()), inputs);
    Adjoints shared = sweep.adjoints().with(active);
    results.accept(shared);
    Sweep inner =
        new Sweep(
            sweep.derivation(),
            stms,
            shared,
            sweep.aliases().with(stms),
            e.inner().at(Aux.at(e.aux().loc())));
    inner.run();
    e.addAll(inner.forward());
    e.addAll(inner.back().stms());
    for (Stm s : stms) {
      s.names().forEach(shared::clear);
    }
  }

  /**
   * Returns the adjoints of an operator's left operands, given the adjoints of its results.
   *
   * @return the adjoints, null for zero
   */
  static List<@Nullable SubExp> ofLeft(
      Sweep sweep,
      Emitter e,
      Lambda op,
      List<SubExp> left,
      List<SubExp> right,
      List<SubExp> results) {
    int n = left.size();
    Emitter code = e.inner();
    Lambda g = Folds.copy(e, op);
    Map<Name, SubExp> args = new HashMap<>();
    Set<Name> wanted = new HashSet<>();
    for (int k = 0; k < n; k++) {
      wanted.add(g.params().get(k).name());
      args.put(g.params().get(n + k).name(), right.get(k));
    }
    for (int k = 0; k < n; k++) {
      Param p = g.params().get(k);
      e.alias(p.name(), p.type(), left.get(k));
    }
    Body body = new Substitution(args).body(g.body());
    code.addAll(body.stms());
    e.scope().addAll(body);
    Adjoints adjoints = new Adjoints(Activity.of(body, wanted));
    for (int k = 0; k < n; k++) {
      adjoints.add(e, body.results().get(k), results.get(k));
    }
    Sweep inner =
        new Sweep(
            sweep.derivation(),
            body.stms(),
            adjoints,
            sweep.aliases().with(body.stms()),
            e.inner().at(Aux.at(e.aux().loc())));
    inner.run();
    e.addAll(inner.forward());
    e.addAll(inner.back().stms());
    List<@Nullable SubExp> added = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      added.add(adjoints.dense(e, g.params().get(k).name()));
    }
    return added;
  }
}
