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

/**
 * An analysis of the variance of an iteration's values: with the row of the result, with its
 * column, with both or with neither.
 */
final class Variance {
  private final Map<Name, Poly> known;
  private final Map<Name, EnumSet<Side>> sides = new HashMap<>();
  private boolean changed;

  /**
   * Analyses code.
   *
   * @param known the polynomials of variables with one, over variables with a variance of their own
   * @param indices the index of each side
   * @param code the code
   */
  Variance(Map<Name, Poly> known, Sides<Name> indices, List<Code> code) {
    this.known = known;
    for (Side side : Side.values()) {
      sides.put(indices.get(side), EnumSet.of(side));
    }
    do {
      changed = false;
      all(code, EnumSet.noneOf(Side.class));
    } while (changed);
  }

  /** Returns the variance of a variable. */
  Set<Side> of(Name n) {
    Poly p = known.get(n);
    return p == null ? sides.getOrDefault(n, EnumSet.noneOf(Side.class)) : of(p.names());
  }

  /** Sets the variance of a new variable to one side. */
  void add(Name n, Side side) {
    sides.put(n, EnumSet.of(side));
  }

  /** Returns the variance of an expression. */
  Set<Side> of(Expr e) {
    return of(Variables.in(List.of(new Code.Operand.Scalar(e))));
  }

  /** Returns the variance of a value that depends on the given variables. */
  Set<Side> of(Collection<Name> names) {
    EnumSet<Side> all = EnumSet.noneOf(Side.class);
    for (Name n : names) {
      all.addAll(of(n));
    }
    return all;
  }

  /**
   * Returns the variance of a statement: that of the variables it declares or assigns, including
   * nested statements.
   */
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
    for (Code c : code) {
      one(c, around);
    }
  }

  private void one(Code code, Set<Side> around) {
    switch (code) {
      case Code.Declare d -> {
        if (d.value() != null) {
          set(d.name(), of(d.value()), around);
        }
      }
      case Code.Assign a -> set(a.name(), of(a.value()), around);
      case Code.If i -> {
        Set<Side> inside = EnumSet.copyOf(of(i.cond()));
        inside.addAll(around);
        all(i.then(), inside);
        all(i.otherwise(), inside);
        // All code in the branches is copied equally often, and each copy assigns variables of its
        // own.
        for (Name n : Variables.assignedBy(List.of(i))) {
          set(n, of(i), around);
        }
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
