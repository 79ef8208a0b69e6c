package futharkc.pass.migration;

import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bodies around the statement that is being graphed, each with the reason that keeps the body
 * and its branch or loop on the host.
 */
final class HostBodies {
  private final ScalarGraph scalars;
  private final Deque<Region> regions = new ArrayDeque<>();

  /**
   * The depths of the bodies that bind scalars, by scalar; the body of the function has depth 0.
   */
  private final Map<Name, Integer> depths = new HashMap<>();

  private static final class Region {
    private @Nullable String hostOnly;
  }

  HostBodies(ScalarGraph scalars) {
    this.scalars = scalars;
  }

  void enter() {
    regions.push(new Region());
  }

  /** Leaves a body, and returns the reason that keeps the body on the host, or null. */
  @Nullable String leave() {
    return regions.pop().hostOnly;
  }

  /** Returns the number of bodies around the current one. */
  int depth() {
    return regions.size() - 1;
  }

  /** Keeps the current body on the host. */
  void hostOnly(String why) {
    Region r = regions.element();
    if (r.hostOnly == null) {
      r.hostOnly = why;
    }
  }

  /** Notes that the current body binds a scalar. */
  void bind(Name scalar) {
    depths.put(scalar, depth());
  }

  /** Notes the scalars that a statement of the current body binds. */
  void bind(Stm s) {
    for (PatElem p : s.pat()) {
      if (p.type() instanceof Type.Prim) {
        bind(p.name());
      }
    }
  }

  /** Keeps sizes on the host, and with each size the body that binds it. */
  void sizes(Collection<Name> names) {
    names.forEach(this::size);
  }

  private void size(Name n) {
    scalars.sink(n, "is the size of an array");
    int bound = depths.getOrDefault(n, 0);
    if (bound == 0) {
      return;
    }
    int at = depth();
    for (Region r : regions) {
      if (at-- <= bound) {
        r.hostOnly = "the size of an array is computed in it";
      }
    }
  }
}
