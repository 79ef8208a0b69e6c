package futharkc.pass.tiling;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which values of an iteration vary with the row of its result, and which with the column. */
final class Variance {
  private final Map<Name, Poly> known;
  private final Map<Name, EnumSet<Side>> sides = new HashMap<>();
  private boolean changed;

  /**
   * Of the variables of some code.
   *
   * @param known polynomials for variables, down to those that say themselves how they vary
   * @param indices the index of each side
   */
  Variance(Map<Name, Poly> known, Sides<Name> indices, List<Code> code) {
    this.known = known;
    for (Side side : Side.values()) sides.put(indices.get(side), EnumSet.of(side));
    do {
      changed = false;
      all(code, EnumSet.noneOf(Side.class));
    } while (changed);
  }

  /** How a variable varies. */
  Set<Side> of(Name n) {
    Poly p = known.get(n);
    return p == null ? sides.getOrDefault(n, EnumSet.noneOf(Side.class)) : of(p.names());
  }

  /** Says of a new variable that it varies with one side. */
  void add(Name n, Side side) {
    sides.put(n, EnumSet.of(side));
  }

  /** How an expression does. */
  Set<Side> of(Expr e) {
    return of(Variables.in(List.of(new Code.Operand.Scalar(e))));
  }

  /** How something does that depends on variables. */
  Set<Side> of(Collection<Name> names) {
    EnumSet<Side> all = EnumSet.noneOf(Side.class);
    for (Name n : names) all.addAll(of(n));
    return all;
  }

  /** How a statement does: with what it declares or assigns; if it is several, with all in them. */
  Set<Side> of(Code c) {
    return switch (c) {
      case Code.Declare d -> of(d.name());
      case Code.Assign a -> of(a.name());
      case Code.Simple _, Code.Compound _ -> {
        EnumSet<Side> all = EnumSet.noneOf(Side.class);
        all.addAll(of(Variables.readBy(List.of(c))));
        all.addAll(of(Variables.assignedBy(List.of(c))));
        yield all;
      }
    };
  }

  private void all(List<Code> code, Set<Side> around) {
    for (Code c : code) one(c, around);
  }

  private void one(Code code, Set<Side> around) {
    switch (code) {
      case Code.Declare d -> {
        if (d.value() != null) set(d.name(), of(d.value()), around);
      }
      case Code.Assign a -> set(a.name(), of(a.value()), around);
      case Code.If i -> {
        Set<Side> inside = EnumSet.copyOf(of(i.cond()));
        inside.addAll(around);
        all(i.then(), inside);
        all(i.otherwise(), inside);
        // There are as many copies of all in it, each of which assigns its own variables.
        for (Name n : Variables.assignedBy(List.of(i))) set(n, of(i), around);
      }
      case Code.For f -> {
        Set<Side> inside = EnumSet.copyOf(of(f.from()));
        inside.addAll(of(f.to()));
        inside.addAll(around);
        set(f.index(), inside, around);
        all(f.body(), inside);
      }
      case Code.While w -> {
        Set<Side> inside = EnumSet.copyOf(of(new Expr.Var(w.cond(), PrimType.BOOL)));
        inside.addAll(around);
        all(w.body(), inside);
      }
      case Code.Scope s -> all(s.body(), around);
      case Code.Simple _, Code.Compound _ -> {}
    }
  }

  private void set(Name n, Set<Side> value, Set<Side> around) {
    EnumSet<Side> now = sides.computeIfAbsent(n, x -> EnumSet.noneOf(Side.class));
    changed |= now.addAll(value);
    changed |= now.addAll(around);
  }
}
