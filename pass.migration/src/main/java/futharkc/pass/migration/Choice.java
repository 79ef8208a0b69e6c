package futharkc.pass.migration;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The choice of a cut that adds no read to any path through a function. A cut of least cost may do
 * so, since the numbers of iterations are estimates and either body of a branch may run. The choice
 * then forbids the scalars in question to cross the end of a branch or loop on the device, and
 * takes the next cut.
 */
final class Choice {
  /** The number of cuts that are tried before all reads stay on the host. */
  private static final int ROUNDS = 64;

  private static final String REASON = "is read less often where it is computed";

  private final ScalarGraph scalars;
  private final Set<Name> literals;
  private final Set<Name> used;
  private final Set<Name> guarded = new HashSet<>();
  private final Set<HostBody.Control> kept = new HashSet<>();

  /**
   * A choice of a cut.
   *
   * @param literals array literals that move
   * @param used all names that the function uses
   */
  Choice(ScalarGraph scalars, Set<Name> literals, Set<Name> used) {
    this.scalars = scalars;
    this.literals = literals;
    this.used = used;
  }

  /** Returns the placement of the scalars of a function. */
  Placements of(HostBody function) {
    ControlResults results = new ControlResults(function);
    for (int round = 0; round < ROUNDS; round++) {
      Placements placements = scalars.place(literals, guarded);
      List<HostBody> negative = ReadBalance.negative(function, placements, used, guarded, results);
      if (negative.isEmpty()) {
        return placements;
      }
      boolean changed = false;
      Map<HostBody, List<HostBody.Control>> controls = new LinkedHashMap<>();
      for (HostBody b : negative) {
        List<HostBody.Control> inside = new ArrayList<>();
        reachable(b, placements, inside);
        controls.put(b, inside);
        changed |= guarded.addAll(guardable(inside, placements, results));
      }
      boolean guards = changed;
      for (Map.Entry<HostBody, List<HostBody.Control>> e : controls.entrySet()) {
        changed |=
            !guards
                && (keepLoop(e.getValue(), placements)
                    || keepResults(e.getValue(), placements)
                    || keepOperands(e.getKey()));
      }
      if (!changed) {
        break;
      }
    }
    keepAll();
    return scalars.place(literals, guarded);
  }

  /** Collects the statements with bodies that run at most once in a run of a body. */
  private static void reachable(
      HostBody b, Placements placements, List<HostBody.Control> controls) {
    for (HostBody.Control c : b.controls()) {
      controls.add(c);
      if (placements.moves(c.stm())) {
        continue;
      }
      switch (c) {
        case HostBody.Control.Branch x ->
            x.bodies().forEach(i -> reachable(i, placements, controls));
        case HostBody.Control.Accumulation x -> reachable(x.body(), placements, controls);
        case HostBody.Control.Loop _ -> {}
      }
    }
  }

  /**
   * Returns the results, read by the host, for which the host can tell whether the device has
   * computed them; and the results that these come from.
   */
  private static Set<Name> guardable(
      List<HostBody.Control> controls, Placements placements, ControlResults results) {
    Set<Name> found = new LinkedHashSet<>();
    for (HostBody.Control c : controls) {
      boolean moves = placements.moves(c.stm());
      for (PatElem p : c.stm().pat()) {
        if (placements.of(p.name()) != Placement.READ) {
          continue;
        }
        if (!moves) {
          results.origins(p.name(), placements, _ -> true, found, _ -> {});
        } else if (c instanceof HostBody.Control.Loop x && isStartedByHost(x, placements)) {
          found.add(p.name());
        }
      }
    }
    return found;
  }

  /** Tests whether the host has the initial values of a loop, and knows if the loop runs. */
  private static boolean isStartedByHost(HostBody.Control.Loop x, Placements placements) {
    if (x.runs() || x.loop().form() instanceof Exp.Form.For f && placements.isOnDevice(f.bound())) {
      return false;
    }
    return x.loop().params().stream().noneMatch(p -> placements.isOnDevice(p.init()));
  }

  /** Keeps one more loop on the host, with its bound or condition; its scalars may still move. */
  private boolean keepLoop(List<HostBody.Control> controls, Placements placements) {
    for (HostBody.Control c : controls) {
      if (!(c instanceof HostBody.Control.Loop x)
          || !placements.moves(c.stm())
          || c.stm().pat().stream().noneMatch(p -> placements.of(p.name()) == Placement.READ)) {
        continue;
      }
      scalars.keepLoop(c.stm());
      switch (x.loop().form()) {
        case Exp.Form.For f -> keep(f.bound());
        case Exp.Form.While w -> {
          for (int k = 0; k < x.loop().params().size(); k++) {
            if (x.loop().params().get(k).param().name().equals(w.cond())) {
              keep(SubExp.of(w.cond()));
              keep(x.loop().body().results().get(k));
            }
          }
        }
      }
      return true;
    }
    return false;
  }

  /** Lets the host have the results of the bodies of one more statement. */
  private boolean keepResults(List<HostBody.Control> controls, Placements placements) {
    for (HostBody.Control c : controls) {
      boolean crosses =
          c.stm().pat().stream().anyMatch(p -> placements.of(p.name()) != Placement.HOST);
      if (!crosses || !kept.add(c)) {
        continue;
      }
      switch (c) {
        case HostBody.Control.Branch x -> {
          x.match().cases().forEach(i -> keep(i.body()));
          keep(x.match().otherwise());
        }
        case HostBody.Control.Loop x -> {
          for (Exp.LoopParam p : x.loop().params()) {
            keep(SubExp.of(p.param().name()));
          }
          keep(x.loop().body());
        }
        case HostBody.Control.Accumulation x -> keep(((Exp.WithAcc) x.stm().exp()).lambda().body());
      }
      return true;
    }
    return false;
  }

  private void keep(Body b) {
    b.results().forEach(this::keep);
  }

  private boolean keep(SubExp e) {
    Integer v = e instanceof SubExp.Var n ? scalars.vertex(n.name()) : null;
    return v != null && keep(v);
  }

  private boolean keep(int v) {
    if (scalars.graph().isSink(v)) {
      return false;
    }
    scalars.sink(v, REASON);
    return true;
  }

  /** Lets the host have all scalars that a loop's body uses and does not compute. */
  private boolean keepOperands(HostBody loop) {
    Set<Integer> inside = new HashSet<>();
    vertices(loop, inside);
    boolean changed = false;
    for (int v = 0; v < scalars.graph().size(); v++) {
      if (!inside.contains(v) && scalars.graph().targets(v).stream().anyMatch(inside::contains)) {
        changed |= keep(v);
      }
    }
    return changed;
  }

  private static void vertices(HostBody b, Set<Integer> all) {
    all.addAll(b.vertices());
    for (HostBody.Control c : b.controls()) {
      switch (c) {
        case HostBody.Control.Branch x -> x.bodies().forEach(i -> vertices(i, all));
        case HostBody.Control.Loop x -> vertices(x.body(), all);
        case HostBody.Control.Accumulation x -> vertices(x.body(), all);
      }
    }
  }

  /** Leaves all reads to the host. */
  private void keepAll() {
    for (int v = 0; v < scalars.graph().size(); v++) {
      keep(v);
    }
  }
}
