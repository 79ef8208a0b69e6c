package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A comparison of the reads of a function with those that it has without migration, on every path.
 * The costs of a cut are estimates: a read that replaces several rare reads may be cheaper, and is
 * yet one more on a path that none of these reads is on.
 *
 * <p>The balance of a body is the number of reads that a run of the body surely saves; a negative
 * balance is a number of reads that a run may add. The balance of a branch is that of its worst
 * body. A loop saves reads if its body surely runs, and counts once, since no iteration may add
 * reads. The results of a while-loop that moves count once: the host reads them in one transfer,
 * and without migration reads a condition in each iteration.
 */
final class ReadBalance {
  private final Placements placements;
  private final WeightedGraph graph;
  private final Set<Name> used;
  private final Set<Name> guarded;
  private final ControlResults results;

  /** The reads of guarded results, by the body whose result is a value of the device. */
  private final Map<HostBody, Integer> passed = new HashMap<>();

  private final Set<Integer> guardedVertices = new HashSet<>();
  private final List<HostBody> negative = new ArrayList<>();

  private ReadBalance(
      Placements placements, Set<Name> used, Set<Name> guarded, ControlResults results) {
    this.placements = placements;
    this.graph = placements.graph();
    this.used = used;
    this.guarded = guarded;
    this.results = results;
  }

  /**
   * Returns the bodies that may have more reads than without migration: bodies of loops, and the
   * body of the function.
   *
   * @param used all names that the function uses
   * @param guarded results of branches and loops that the host reads only if the device has
   *     computed them
   */
  static List<HostBody> negative(
      HostBody function,
      Placements placements,
      Set<Name> used,
      Set<Name> guarded,
      ControlResults results) {
    ReadBalance balance = new ReadBalance(placements, used, guarded, results);
    balance.pass();
    if (balance.of(function, false) < 0) {
      balance.negative.add(function);
    }
    return balance.negative;
  }

  private void pass() {
    for (Name n : guarded) {
      Integer v = placements.vertex(n);
      if (v == null || placements.of(v) != Placement.READ) {
        continue;
      }
      guardedVertices.add(v);
      if (results.isChosenByHost(n, placements)) {
        results.origins(
            n,
            placements,
            guarded::contains,
            new HashSet<>(),
            at -> passed.merge(at, 1, Integer::sum));
      }
    }
  }

  /**
   * Returns the balance of a body.
   *
   * @param moved true if the device evaluates the body as a whole
   */
  private int of(HostBody b, boolean moved) {
    int saved = 0;
    Set<Integer> elsewhere = new HashSet<>(guardedVertices);
    for (HostBody.Control c : b.controls()) {
      boolean whole = moved || placements.moves(c.stm());
      saved +=
          switch (c) {
            case HostBody.Control.Branch x -> {
              int worst = Integer.MAX_VALUE;
              for (HostBody inner : x.bodies()) {
                worst = Math.min(worst, of(inner, whole));
              }
              yield worst - (moved || !whole ? 0 : results(c, elsewhere));
            }
            case HostBody.Control.Loop x -> {
              int body = of(x.body(), whole);
              if (body < 0) {
                negative.add(x.body());
              }
              if (moved || !whole) {
                yield (x.runs() ? body : Math.min(0, body)) - (moved ? 0 : lastValues(x));
              }
              boolean guards = c.stm().pat().stream().anyMatch(p -> guarded.contains(p.name()));
              int read = results(c, elsewhere);
              if (x.loop().form() instanceof Exp.Form.While) {
                read = Math.min(1, read);
              }
              yield x.runs()
                  ? body - read
                  : guards ? Math.min(0, body - read) : Math.min(0, body) - read;
            }
            case HostBody.Control.Accumulation x -> of(x.body(), moved);
          };
    }
    for (int v : b.vertices()) {
      if (graph.isSource(v)) {
        saved++;
      }
      if (!moved && placements.of(v) == Placement.READ && !elsewhere.contains(v)) {
        saved--;
      }
    }
    return saved - (moved ? 0 : passed.getOrDefault(b, 0));
  }

  /**
   * Returns the number of results of a statement that moves which the host reads, and adds these
   * results to those that do not count again.
   */
  private int results(HostBody.Control c, Set<Integer> counted) {
    int reads = 0;
    for (PatElem p : c.stm().pat()) {
      Integer v = placements.vertex(p.name());
      if (v != null && placements.of(v) == Placement.READ) {
        counted.add(v);
        reads++;
      }
    }
    return reads;
  }

  /** Returns the number of parameters that the host reads in each iteration and after the loop. */
  private int lastValues(HostBody.Control.Loop x) {
    int reads = 0;
    for (int k = 0; k < x.loop().params().size(); k++) {
      Name result = x.stm().pat().get(k).name();
      if (placements.of(result) == Placement.HOST
          && placements.of(x.loop().params().get(k).param().name()) == Placement.READ
          && used.contains(result)) {
        reads++;
      }
    }
    return reads;
  }
}
