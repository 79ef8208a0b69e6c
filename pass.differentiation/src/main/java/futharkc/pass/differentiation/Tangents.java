package futharkc.pass.differentiation;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tangents of variables, in one or more directions. A variable without an entry is constant.
 * Its tangent zero is materialised only if an operation needs it.
 */
final class Tangents {
  private final int directions;
  private final Map<Name, List<@Nullable SubExp>> known = new HashMap<>();

  Tangents(int directions) {
    this.directions = directions;
  }

  int directions() {
    return directions;
  }

  void set(Name n, int direction, SubExp tangent) {
    known
        .computeIfAbsent(n, k -> new ArrayList<>(Collections.nCopies(directions, null)))
        .set(direction, tangent);
  }

  void set(Name n, List<SubExp> tangents) {
    known.put(n, new ArrayList<>(tangents));
  }

  /** Returns the tangent in a direction, or null if it is zero. */
  @Nullable SubExp get(SubExp e, int direction) {
    if (!(e instanceof SubExp.Var v)) {
      return null;
    }
    List<@Nullable SubExp> all = known.get(v.name());
    SubExp t = all == null ? null : all.get(direction);
    return t == null || Arithmetic.isZero(t) ? null : t;
  }

  @Nullable SubExp get(Name n, int direction) {
    return get(SubExp.of(n), direction);
  }

  /** Returns the tangent in a direction as a value. */
  SubExp value(Emitter e, SubExp x, int direction) {
    SubExp t = get(x, direction);
    return t == null ? Arithmetic.zeros(e, e.type(x)) : t;
  }

  /** Returns the tangents in all directions as values. */
  List<SubExp> values(Emitter e, SubExp x) {
    List<SubExp> all = new ArrayList<>();
    for (int d = 0; d < directions; d++) {
      all.add(value(e, x, d));
    }
    return all;
  }
}
