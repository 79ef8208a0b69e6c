package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The flow of scalars through loops. A loop is a subgraph of its own: its reads are routed before
 * the loop is connected to the code around, so that no read of an iteration is traded for a read
 * outside. A loop moves if the device has its bound or condition.
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
    ScalarGraph.Subgraph inside = scalars.enterLoop();
    bodies.enter();
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
    String blocked = bodies.leave();
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
      if (scalars.graph().isSink(v) && used.contains(s.pat().get(k).name())) {
        // The host would read the last value of a parameter on the device after the loop.
        scalars.sink(l.params().get(k).init(), "is needed on the host in each iteration of a loop");
      }
      for (int z : scalars.operands(List.of(l.body().results().get(k)))) {
        scalars.edge(z, v);
      }
    }
    for (int v : inside.sources) {
      scalars.graph().route(v);
    }
    scalars.leaveLoop();
    exits(s, params, inside, mentioned);
    List<Integer> results = new ArrayList<>();
    for (PatElem p : s.pat()) {
      if (scalars.vertex(p.name()) != null) {
        results.add(scalars.vertex(p.name()));
      }
    }
    isolate(inside, results);
    Set<Integer> conditions = new LinkedHashSet<>();
    switch (l.form()) {
      case Exp.Form.For f -> scalars.operand(f.bound(), conditions);
      case Exp.Form.While w -> {
        for (Exp.LoopParam p : l.params()) {
          if (p.param().name().equals(w.cond())) {
            scalars.operand(p.init(), conditions);
          }
        }
      }
    }
    for (int c : conditions) {
      for (int k = 0; k < params.size(); k++) {
        PatElem p = s.pat().get(k);
        if (params.get(k) != null && !mentioned.contains(p.name())) {
          scalars.edge(c, scalars.add(p.name()));
        }
      }
    }
  }

  /** Connects parameters to the loop's results, which may cost a read after the loop. */
  private void exits(
      Stm s, List<@Nullable Integer> params, ScalarGraph.Subgraph inside, Set<Name> mentioned) {
    for (int k = 0; k < params.size(); k++) {
      Integer v = params.get(k);
      PatElem p = s.pat().get(k);
      if (v == null || scalars.graph().isSink(v) || mentioned.contains(p.name())) {
        continue;
      }
      int x = scalars.add(p.name());
      scalars.edge(v, x);
    }
    int[] starts = inside.allSources.stream().mapToInt(v -> v).toArray();
    if (starts.length == 0) {
      return;
    }
    BitSet reached = scalars.graph().reach(starts).entries();
    scalars.inherit(inside);
    for (PatElem p : s.pat()) {
      Integer x = scalars.vertex(p.name());
      if (x != null && reached.get(x)) {
        scalars.source(x);
      }
    }
  }

  /** Replaces edges into a loop by edges to its results, so that no route goes through the loop. */
  private void isolate(ScalarGraph.Subgraph inside, List<Integer> results) {
    for (Map.Entry<Integer, List<Integer>> e : inside.incoming.entrySet()) {
      int v = e.getKey();
      if (scalars.graph().isSink(v)) {
        continue;
      }
      int[] starts = e.getValue().stream().mapToInt(t -> t).toArray();
      FlowGraph.Reached reached = scalars.graph().reach(starts);
      if (scalars.graph().hasSink(reached)) {
        scalars.sink(v, "is needed on the host in each iteration of a loop");
        continue;
      }
      for (int t : starts) {
        scalars.graph().exhaust(v, t);
      }
      for (int x : results) {
        if (reached.entries().get(x)) {
          scalars.edge(v, x);
        }
      }
    }
  }
}
