package futharkc.backend.interpreter;

import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A lambda whose derivative is taken, with frames of its own: what it needs of the function around
 * it is handed in.
 *
 * @param outer where that is in a frame of the function
 * @param inner where it goes in one of the lambda
 */
record Closure(VariableScopes scopes, In[] outer, Out[] inner, Lambda lambda) {
  static Closure of(futharkc.core.ir.Lambda l, FunctionCompiler around) {
    VariableScopes scopes = around.scopes.inner(true);
    List<Name> free = free(l, around.scopes);
    Out[] inner = new Out[free.size()];
    for (int i = 0; i < inner.length; i++) {
      inner[i] = scopes.out(free.get(i), around.scopes.type(SubExp.of(free.get(i))));
    }
    Lambda lambda = new FunctionCompiler(around.machine, scopes).lambda(l);
    return new Closure(scopes, around.scopes.names(free), inner, lambda);
  }

  /** The free names, and those that their types mention before them. */
  private static List<Name> free(futharkc.core.ir.Lambda l, VariableScopes around) {
    Set<Name> scalars = new LinkedHashSet<>();
    Set<Name> others = new LinkedHashSet<>();
    List<Name> found = new ArrayList<>(FreeNames.of(l));
    for (int i = 0; i < found.size(); i++) {
      Name n = found.get(i);
      if (!around.binds(n) || scalars.contains(n) || !others.add(n)) continue;
      Type t = around.type(SubExp.of(n));
      if (t instanceof Type.Prim) {
        others.remove(n);
        scalars.add(n);
      }
      found.addAll(FreeNames.of(t));
    }
    List<Name> all = new ArrayList<>(scalars);
    all.addAll(others);
    return all;
  }

  /** A frame for the lambda, in which only its parameters are still to be bound. */
  Frame enter(Frame f) {
    Frame g = scopes.newFrame();
    for (int i = 0; i < inner.length; i++) inner[i].bind(g, outer[i], f);
    return g;
  }

  /**
   * As {@link #enter}, for when the function may have gone on: arrays are copied, and nothing
   * depends on the derivative of a level or one further in.
   */
  Frame enterLater(Frame f, long level) {
    Frame g = scopes.newFrame();
    for (int i = 0; i < inner.length; i++) {
      if (outer[i].isScalar() || outer[i].object(f) instanceof View) {
        Cells.bind(inner[i], Num.below(Cells.of(outer[i], f), level), g);
      } else {
        inner[i].bind(g, outer[i], f);
      }
    }
    return g;
  }
}
