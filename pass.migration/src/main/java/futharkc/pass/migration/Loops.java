package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flow of scalars through loops. A parameter depends on its initial and its next value, and a
 * result on its parameter. A loop moves if the device has its bound or condition.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022, section 4.5.
 */
final class Loops {
  private final ScalarGraph scalars;
  private final HostBodies bodies;
  private final Settings settings;
  private final Set<Name> used;
  private final Consumer<List<Stm>> inner;

  /**
   * The rules of loops.
   *
   * @param used all names that the function uses
   * @param inner adds statements of the bodies
   */
  Loops(
      ScalarGraph scalars,
      HostBodies bodies,
      Settings settings,
      Set<Name> used,
      Consumer<List<Stm>> inner) {
    this.scalars = scalars;
    this.bodies = bodies;
    this.settings = settings;
    this.used = used;
    this.inner = inner;
  }

  /** Adds the parameters, the body and the results of a loop. */
  void graph(Stm s, Exp.Loop l) {
    scalars.sinkCertificates(s, "is checked before a loop");
    Set<Name> mentioned = Branches.mentioned(s);
    for (Exp.LoopParam p : l.params()) {
      mentioned.addAll(Sizes.of(p.param().type()));
    }
    HostBody outside = bodies.current();
    HostBody body = bodies.enter(iterations(l));
    List<@Nullable Integer> params = new ArrayList<>();
    Set<Integer> sizes = new HashSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      Name n = p.param().name();
      if (!(p.param().type() instanceof Type.Prim)) {
        params.add(null);
        continue;
      }
      bodies.bind(n);
      scalars.awaitChecks(p.init(), "is checked before a loop");
      if (ScalarGraph.isCertificate(s.pat().get(k))) {
        params.add(null);
        continue;
      }
      int v = scalars.add(n);
      params.add(v);
      if (mentioned.contains(n) || mentioned.contains(s.pat().get(k).name())) {
        sizes.add(k);
        scalars.sink(v, "is the size of an array");
        scalars.sink(p.init(), "is the size of an array");
      }
      Set<Integer> first = scalars.operands(List.of(p.init()));
      for (int o : first) {
        scalars.edge(o, v);
      }
    }
    for (Exp.LoopParam p : l.params()) {
      bodies.sizes(Sizes.of(p.param().type()));
    }
    inner.accept(l.body().stms());
    for (int k = 0; k < params.size(); k++) {
      SubExp next = l.body().results().get(k);
      if (sizes.contains(k)) {
        scalars.sink(next, "is the size of an array");
      }
      scalars.awaitChecks(next, "is checked before the next iteration of a loop");
    }
    bodies.leave();
    outside.controls().add(new HostBody.Control.Loop(s, l, body, surelyRuns(l)));
    String blocked = body.hostOnly();
    if (blocked != null) {
      bodies.hostOnly(blocked);
    }
    for (int k = 0; k < s.pat().size() && blocked == null; k++) {
      if (!Operations.isSingle(s.pat().get(k).type())) {
        blocked = "it returns an array that would be copied";
      }
    }
    if (blocked == null && !settings.loops()) {
      blocked = "whole loops do not move";
    }
    if (blocked == null && start(l).equals(SubExp.of(PrimValue.FALSE))) {
      blocked = "it has no iteration";
    }
    if (l.form() instanceof Exp.Form.For f) {
      scalars.awaitChecks(f.bound(), "is checked before a loop");
    }
    if (blocked != null) {
      String reason = "of a loop that stays on the host, since " + blocked;
      switch (l.form()) {
        case Exp.Form.For f -> scalars.sink(f.bound(), "is the number of iterations " + reason);
        case Exp.Form.While w -> {
          scalars.sink(w.cond(), "is the condition " + reason);
          for (int k = 0; k < params.size(); k++) {
            if (!l.params().get(k).param().name().equals(w.cond())) {
              continue;
            }
            scalars.sink(l.body().results().get(k), "is the condition " + reason);
          }
        }
      }
    }
    for (int k = 0; k < params.size(); k++) {
      Integer v = params.get(k);
      if (v == null) {
        continue;
      }
      if (used.contains(s.pat().get(k).name())) {
        // The host reads the last value, too, if the device has the parameter.
        scalars.graph().addReading(v, Costs.scaled(scalars.costs().read(), outside.frequency()));
      }
      for (int z : scalars.operands(List.of(l.body().results().get(k)))) {
        scalars.edge(z, v);
      }
    }
    for (int k = 0; k < params.size(); k++) {
      Integer v = params.get(k);
      PatElem p = s.pat().get(k);
      if (v == null || scalars.graph().isSink(v) || mentioned.contains(p.name())) {
        continue;
      }
      scalars.edge(v, scalars.add(p.name()));
    }
    double operations = iterations(l) * body.operations();
    outside.addOperations(operations);
    if (blocked == null) {
      whole(s, l, params, body, operations);
    }
  }

  /**
   * Lets a loop move as a whole if the device has the bound, the condition or a parameter. A kernel
   * for each iteration would take more launches.
   */
  private void whole(
      Stm s, Exp.Loop l, List<@Nullable Integer> params, HostBody body, double operations) {
    Set<Integer> causes = new LinkedHashSet<>();
    if (l.form() instanceof Exp.Form.For f) {
      scalars.operand(f.bound(), causes);
    }
    for (Integer v : params) {
      if (v != null && !scalars.graph().isSink(v)) {
        causes.add(v);
      }
    }
    int loop = scalars.whole(s, body, operations);
    for (int v : causes) {
      scalars.edge(v, loop);
    }
    for (int k = 0; k < params.size(); k++) {
      if (params.get(k) != null) {
        scalars.edge(loop, scalars.add(s.pat().get(k).name()));
      }
    }
  }

  private double iterations(Exp.Loop l) {
    return iterations(l, scalars.costs());
  }

  /** Returns an estimate of a loop's number of iterations. */
  static double iterations(Exp.Loop l, Costs costs) {
    if (l.form() instanceof Exp.Form.For f && f.bound() instanceof SubExp.Const c) {
      return Math.max(1, c.value().asLong());
    }
    return costs.iterations();
  }

  private static boolean surelyRuns(Exp.Loop l) {
    return start(l).equals(SubExp.TRUE)
        || l.form() instanceof Exp.Form.For f
            && f.bound() instanceof SubExp.Const c
            && c.value().asLong() > 0;
  }

  /** Returns the initial condition of a loop, or the number of iterations. */
  private static SubExp start(Exp.Loop l) {
    return switch (l.form()) {
      case Exp.Form.For f -> f.bound();
      case Exp.Form.While w ->
          l.params().stream()
              .filter(p -> p.param().name().equals(w.cond()))
              .map(Exp.LoopParam::init)
              .findFirst()
              .orElse(SubExp.of(w.cond()));
    };
  }
}
