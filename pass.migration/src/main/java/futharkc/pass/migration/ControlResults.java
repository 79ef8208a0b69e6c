package futharkc.pass.migration;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The results of branches and loops of a function, each with the values that the result may have.
 */
final class ControlResults {
  private final Map<Name, Result> results = new HashMap<>();

  /** The results of loops, by parameter. */
  private final Map<Name, Name> params = new HashMap<>();

  /**
   * A result.
   *
   * @param control the branch or loop
   * @param around the body of that statement
   * @param index the number of the result
   */
  private record Result(HostBody.Control control, HostBody around, int index) {}

  ControlResults(HostBody function) {
    collect(function);
  }

  private void collect(HostBody b) {
    for (HostBody.Control c : b.controls()) {
      for (int k = 0; k < c.stm().pat().size(); k++) {
        results.put(c.stm().pat().get(k).name(), new Result(c, b, k));
      }
      switch (c) {
        case HostBody.Control.Branch x -> x.bodies().forEach(this::collect);
        case HostBody.Control.Loop x -> {
          for (int k = 0; k < x.loop().params().size(); k++) {
            params.put(x.loop().params().get(k).param().name(), x.stm().pat().get(k).name());
          }
          collect(x.body());
        }
        case HostBody.Control.Accumulation x -> collect(x.body());
      }
    }
  }

  /**
   * Adds the results from which a result has its value: the result itself, and results of branches
   * and loops in its own bodies. The values from which these have theirs, and which only the device
   * has, go to {@code values}, each with the body that passes it on.
   *
   * @param tracked the results that count as such; others are values
   */
  void origins(
      Name result,
      Placements placements,
      Predicate<Name> tracked,
      Set<Name> origins,
      Consumer<HostBody> values) {
    Result r = results.get(result);
    if (r == null || !origins.add(result)) {
      return;
    }
    switch (r.control) {
      case HostBody.Control.Branch x -> {
        for (int i = 0; i < x.bodies().size(); i++) {
          Body b =
              i < x.match().cases().size()
                  ? x.match().cases().get(i).body()
                  : x.match().otherwise();
          value(b.results().get(r.index), x.bodies().get(i), placements, tracked, origins, values);
        }
      }
      case HostBody.Control.Loop x -> {
        Exp.LoopParam p = x.loop().params().get(r.index);
        SubExp next = x.loop().body().results().get(r.index);
        value(p.init(), r.around, placements, tracked, origins, values);
        value(next, x.body(), placements, tracked, origins, values);
      }
      case HostBody.Control.Accumulation _ -> {}
    }
  }

  private void value(
      SubExp e,
      HostBody at,
      Placements placements,
      Predicate<Name> tracked,
      Set<Name> origins,
      Consumer<HostBody> values) {
    if (!placements.isOnDevice(e)) {
      return;
    }
    Name n = ((SubExp.Var) e).name();
    Name result = params.getOrDefault(n, n);
    if (tracked.test(result) && isChosenByHost(result, placements)) {
      origins(result, placements, tracked, origins, values);
    } else {
      values.accept(at);
    }
  }

  /** Tests whether a scalar is a result of a branch or loop of the host. */
  boolean isChosenByHost(Name n, Placements placements) {
    Result r = results.get(n);
    return r != null
        && !(r.control instanceof HostBody.Control.Accumulation)
        && !placements.moves(r.control.stm());
  }
}
