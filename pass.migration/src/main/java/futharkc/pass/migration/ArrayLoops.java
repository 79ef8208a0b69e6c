package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The loops that compute scalars and update elements of arrays in place. Such a loop moves as a
 * whole if one thread of the device takes less time than the launches and reads of the host. The
 * kernel updates the arrays where they are.
 */
final class ArrayLoops {
  /** The time in nanoseconds of a scalar operation of the host. */
  private static final double HOST_OPERATION = 1;

  private final Placements placements;
  private final Costs costs;
  private final Set<Name> used;
  private final Set<Name> found = new HashSet<>();

  private ArrayLoops(Placements placements, Costs costs, Set<Name> used) {
    this.placements = placements;
    this.costs = costs;
    this.used = used;
  }

  /**
   * Returns the first results of the loops that move.
   *
   * @param used all names that the function uses
   */
  static Set<Name> of(HostBody function, Placements placements, Costs costs, Set<Name> used) {
    ArrayLoops loops = new ArrayLoops(placements, costs, used);
    loops.inside(function);
    return loops.found;
  }

  private void inside(HostBody body) {
    for (HostBody.Control c : body.controls()) {
      if (placements.moves(c.stm())) {
        continue;
      }
      switch (c) {
        case HostBody.Control.Branch x -> x.bodies().forEach(this::inside);
        case HostBody.Control.Accumulation x -> inside(x.body());
        case HostBody.Control.Loop x -> {
          if (x.body().hostOnly() == null
              && isInPlace(x.loop())
              && !isComputedByHost(x.stm())
              && isFaster(x.loop())) {
            found.add(x.stm().pat().get(0).name());
          } else {
            inside(x.body());
          }
        }
      }
    }
  }

  /** Tests whether a loop only returns scalars, and arrays that it updates element by element. */
  private static boolean isInPlace(Exp.Loop l) {
    boolean hasArrays = false;
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      switch (p.param().type()) {
        case Type.Prim _ -> {}
        case Type.Array _ -> {
          hasArrays = true;
          if (!p.param().unique()
              || !p.param().name().equals(updated(l.body().results().get(k), l.body(), Map.of()))) {
            return false;
          }
        }
        case Type.Acc _, Type.Mem _ -> {
          return false;
        }
      }
    }
    return hasArrays;
  }

  /**
   * Returns the array from which a body makes a result by updates in place only; null if there is
   * none.
   *
   * @param around the statements around the body, by the names that they define
   */
  private static @Nullable Name updated(SubExp result, Body body, Map<Name, Stm> around) {
    Map<Name, Stm> definitions = new HashMap<>(around);
    for (Stm s : body.stms()) {
      s.pat().forEach(p -> definitions.put(p.name(), s));
    }
    SubExp at = result;
    while (at instanceof SubExp.Var v) {
      Stm s = definitions.get(v.name());
      if (s == null) {
        return v.name();
      }
      int k = s.names().indexOf(v.name());
      switch (s.exp()) {
        case BasicOp.Update u -> at = SubExp.of(u.array());
        case Exp.Loop inner when isInPlace(inner) -> at = inner.params().get(k).init();
        case Exp.Match m -> {
          Name first = updated(m.otherwise().results().get(k), m.otherwise(), definitions);
          for (Exp.Case c : m.cases()) {
            if (first == null
                || !first.equals(updated(c.body().results().get(k), c.body(), definitions))) {
              return null;
            }
          }
          return first;
        }
        default -> {
          return null;
        }
      }
    }
    return null;
  }

  /** Tests whether the host computes and uses a result of a loop, which it would have to read. */
  private boolean isComputedByHost(Stm loop) {
    return loop.pat().stream()
        .anyMatch(
            p ->
                p.type() instanceof Type.Prim
                    && used.contains(p.name())
                    && placements.of(p.name()) == Placement.HOST);
  }

  private boolean isFaster(Exp.Loop l) {
    Time time = time(l);
    return time.device + costs.launch() < time.host;
  }

  /**
   * Estimates of the time of code in nanoseconds.
   *
   * @param host the time of the host for launches, reads, writes and scalar operations
   * @param device the time of one thread of the device
   */
  private record Time(double host, double device) {
    Time plus(Time other) {
      return new Time(host + other.host, device + other.device);
    }

    Time times(double n) {
      return new Time(host * n, device * n);
    }
  }

  private Time time(Exp.Loop l) {
    return time(l.body().stms()).times(Loops.iterations(l, costs));
  }

  private Time time(List<Stm> stms) {
    Time sum = new Time(0, 0);
    boolean launches = false;
    for (Stm s : stms) {
      boolean moves = placements.moves(s);
      launches |= moves;
      Time own =
          switch (s.exp()) {
            case BasicOp.Index _ when Placements.isRead(s) ->
                new Time(
                    placements.of(s.pat().get(0).name()) == Placement.READ ? costs.read() : 0,
                    costs.load());
            case BasicOp.Update _ -> new Time(costs.launch(), costs.operation());
            case Exp.Match m -> {
              Time all = time(m.otherwise().stms());
              for (Exp.Case c : m.cases()) {
                all = all.plus(time(c.body().stms()));
              }
              yield all.times(1.0 / (m.cases().size() + 1));
            }
            case Exp.Loop l -> time(l);
            default -> new Time(HOST_OPERATION, costs.operation());
          };
      // A statement that moves takes as long in a kernel of its own.
      sum = sum.plus(moves ? new Time(own.device, own.device) : own);
    }
    return launches ? sum.plus(new Time(costs.launch(), 0)) : sum;
  }
}
