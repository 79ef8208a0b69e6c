package futharkc.pass.loops;

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
   * Tests whether a loop loads elements, and all of them are of columns or the same in all
   * iterations.
   *
   * @param around the indices of the loops with independent iterations around the loop
   */
  static boolean areRead(Code.For loop, Collection<Name> around) {
    boolean found = false;
    for (Expr.Load l : loads(loop.body())) {
      Poly stride = stride(l, loop.index());
      if (stride.isZero()) {
        continue;
      }
      if (!isFar(stride)
          || around.stream().noneMatch(outer -> stride(l, outer).equals(Poly.ONE))) {
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
  private static boolean isFar(Poly stride) {
    Long constant = stride.constant();
    return constant == null || Math.abs(constant) >= 16;
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
