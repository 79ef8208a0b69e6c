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

/** The bodies around the statement that is being graphed. */
final class HostBodies {
  private final ScalarGraph scalars;
  private final Deque<HostBody> open = new ArrayDeque<>();

  /**
   * The depths of the bodies that bind scalars, by scalar; the body of the function has depth 0.
   */
  private final Map<Name, Integer> depths = new HashMap<>();

  HostBodies(ScalarGraph scalars) {
    this.scalars = scalars;
  }

  /**
   * Enters a body of the current body.
   *
   * @param runs the estimated number of runs in one run of the current body
   */
  HostBody enter(double runs) {
    double around = open.isEmpty() ? 1 : open.element().frequency();
    HostBody body = scalars.body(around * runs);
    open.push(body);
    return body;
  }

  /** Leaves the current body. */
  void leave() {
    open.pop();
    if (!open.isEmpty()) {
      scalars.enter(open.element());
    }
  }

  HostBody current() {
    return open.element();
  }

  /** Returns the number of bodies around the current one. */
  int depth() {
    return open.size() - 1;
  }

  /** Keeps the current body on the host. */
  void hostOnly(String why) {
    open.element().keepOnHost(why);
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
    for (HostBody b : open) {
      if (at-- <= bound) {
        b.keepOnHost("the size of an array is computed in it");
      }
    }
  }
}
