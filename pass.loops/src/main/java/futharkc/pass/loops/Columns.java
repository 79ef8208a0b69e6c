package futharkc.pass.loops;

import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The loads of loops that walk down columns of matrices: the next iteration loads an element of
 * another row, and the next iteration of a loop around it an adjacent element.
 */
final class Columns {
  private Columns() {}

  /**
   * Tests whether a loop walks down columns that are neighbours in one of the loops around it: each
   * element that it loads is of such a column, or the same in all iterations of the loop around it.
   *
   * @param around the indices of the loops with independent iterations around the loop
   * @param machine the machine, whose caches have lines
   */
  static boolean areRead(Code.For loop, Collection<Name> around, Machine machine) {
    List<Expr.Load> loads = loads(loop.body());
    return around.stream().anyMatch(outer -> areNeighbours(loads, loop.index(), outer, machine));
  }

  private static boolean areNeighbours(
      List<Expr.Load> loads, Name inner, Name outer, Machine machine) {
    boolean found = false;
    for (Expr.Load l : loads) {
      Poly next = stride(l, outer);
      if (next.isZero()) {
        continue;
      }
      if (!next.equals(Poly.ONE) || !isFar(l, stride(l, inner), machine)) {
        return false;
      }
      found = true;
    }
    return found;
  }

  private static Poly stride(Expr.Load l, Name index) {
    return l.index().divide(index).quotient();
  }

  /** Tests whether elements at a distance are in different lines of a cache. */
  private static boolean isFar(Expr.Load l, Poly stride, Machine machine) {
    Long constant = stride.constant();
    int line = machine.processor().line();
    return constant == null || Math.abs(constant) * l.type().bytes() >= line;
  }

  /** Returns the loads that statements declare scalars with, inner scopes included. */
  private static List<Expr.Load> loads(List<Code> code) {
    List<Expr.Load> found = new ArrayList<>();
    for (Code c : code) {
      switch (c) {
        case Code.Declare d when d.value() instanceof Expr.Load l -> found.add(l);
        case Code.Scope s -> found.addAll(loads(s.body()));
        case Code.Simple _, Code.Compound _ -> {}
      }
    }
    return found;
  }
}
