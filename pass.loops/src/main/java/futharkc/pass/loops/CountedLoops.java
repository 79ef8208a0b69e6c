package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A conservative test for while-loops that HotSpot may take for counted loops, such as {@code while
 * (i < n) { ..; i += c; }}. The compiled code of counted loops has no safepoint, so that a thread
 * in one cannot be stopped. All other loops have a safepoint in each iteration.
 */
final class CountedLoops {
  /** The values that the loop assigns to each variable. */
  private final Map<Name, List<Expr>> values = new HashMap<>();

  /** The variables that only one branch of a conditional assigns. */
  private final Set<Name> chosen = new HashSet<>();

  /** The variables whose definitions are being examined. */
  private final Set<Name> open = new HashSet<>();

  private CountedLoops() {}

  /**
   * Tests whether HotSpot may take the loop for a counted loop. The result is false if the exit
   * condition depends on loads, conditional assignments or floats.
   */
  static boolean mayBe(Code.While loop) {
    CountedLoops in = new CountedLoops();
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Assign a) {
          in.add(a.name(), a.value());
        }
        if (c instanceof Code.If i) {
          in.chooses(i);
        }
        if (c instanceof Code.Declare d && d.value() != null) {
          in.add(d.name(), d.value());
        }
        return super.statement(c);
      }
    }.statements(loop.body());
    return in.values.getOrDefault(loop.cond(), List.of()).isEmpty() || in.mayCount(loop.cond());
  }

  private void add(Name name, Expr value) {
    values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
  }

  private void chooses(Code.If i) {
    Set<Name> then = Variables.assignedBy(i.then());
    Set<Name> otherwise = Variables.assignedBy(i.otherwise());
    for (Name n : then) {
      if (!otherwise.contains(n)) {
        chosen.add(n);
      }
    }
    for (Name n : otherwise) {
      if (!then.contains(n)) {
        chosen.add(n);
      }
    }
  }

  private boolean mayCount(Name condition) {
    List<Expr> all = values.get(condition);
    if (all == null || !open.add(condition)) {
      return true;
    }
    boolean may = all.stream().anyMatch(this::mayCount);
    open.remove(condition);
    return may;
  }

  /** Tests whether a condition may compare a counter with a bound. */
  private boolean mayCount(Expr condition) {
    return switch (condition) {
      case Expr.Const c -> false;
      case Expr.Var v -> mayCount(v.name());
      case Expr.Compare c ->
          !c.left().type().isFloat() && !(isIrregular(c.left()) && isIrregular(c.right()));
      case Expr.Binary b -> mayCount(b.left()) || mayCount(b.right());
      case Expr.Unary u -> mayCount(u.operand());
      case Expr.Convert c -> mayCount(c.operand());
      case Expr.Apply a -> false;
      case Expr.Load l -> false;
      case Expr.Index i -> true;
      case Expr.Capacity c -> true;
      case Expr.Tuning t -> true;
    };
  }

  /** Tests whether an integer is neither invariant nor changes by a constant in each iteration. */
  private boolean isIrregular(Expr e) {
    return switch (e) {
      case Expr.Const c -> false;
      case Expr.Capacity c -> false;
      case Expr.Tuning t -> false;
      case Expr.Var v -> isIrregular(v.name());
      case Expr.Index i -> i.poly().names().stream().anyMatch(this::isIrregular);
      case Expr.Load l -> l.index().names().stream().anyMatch(values::containsKey);
      case Expr.Binary b -> isIrregular(b.left()) || isIrregular(b.right());
      case Expr.Unary u -> isIrregular(u.operand());
      case Expr.Convert c -> c.operand().type().isFloat() || isIrregular(c.operand());
      case Expr.Compare c -> false;
      case Expr.Apply a -> a.args().stream().anyMatch(this::isIrregular);
    };
  }

  private boolean isIrregular(Name variable) {
    List<Expr> all = values.get(variable);
    if (all == null || !open.add(variable)) {
      return false;
    }
    boolean several = chosen.contains(variable) || new HashSet<>(all).size() > 1;
    boolean irregular = several || isIrregular(all.get(0));
    open.remove(variable);
    return irregular;
  }
}
