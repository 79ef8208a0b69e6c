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
 * A lambda whose derivative is taken. The lambda has frames of its own; the values of its free
 * variables are copied into them.
 *
 * @param scopes the variables of the lambda's frames
 * @param outer the free variables, as operands in the enclosing function's frame
 * @param inner the variables in the lambda's frame that receive them
 * @param lambda the compiled lambda
 */
record Closure(VariableScopes scopes, Operand[] outer, Destination[] inner, CompiledLambda lambda) {
  static Closure of(futharkc.core.ir.Lambda l, FunctionCompiler around) {
    VariableScopes scopes = around.scopes.inner(true);
    List<Name> free = free(l, around.scopes);
    Destination[] inner = new Destination[free.size()];
    for (int i = 0; i < inner.length; i++) {
      inner[i] = scopes.out(free.get(i), around.scopes.type(SubExp.of(free.get(i))));
    }
    CompiledLambda lambda = new FunctionCompiler(around.machine, scopes).lambda(l);
    return new Closure(scopes, around.scopes.names(free), inner, lambda);
  }

  /** Returns the free names of a lambda; a name comes after the names in its type. */
  private static List<Name> free(futharkc.core.ir.Lambda l, VariableScopes around) {
    Set<Name> scalars = new LinkedHashSet<>();
    Set<Name> others = new LinkedHashSet<>();
    List<Name> found = new ArrayList<>(FreeNames.of(l));
    for (int i = 0; i < found.size(); i++) {
      Name n = found.get(i);
      if (!around.binds(n) || scalars.contains(n) || !others.add(n)) {
        continue;
      }
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

  /** Returns a frame for the lambda in which all variables but the parameters are bound. */
  CallFrame enter(CallFrame f) {
    CallFrame g = scopes.newFrame();
    for (int i = 0; i < inner.length; i++) {
      inner[i].bind(g, outer[i], f);
    }
    return g;
  }

  /**
   * Returns a frame as {@link #enter} does, for a run of the lambda after its enclosing function
   * has continued. Arrays are copied, and no value depends on derivatives of this level or of inner
   * levels.
   */
  CallFrame enterLater(CallFrame f, long level) {
    CallFrame g = scopes.newFrame();
    for (int i = 0; i < inner.length; i++) {
      if (outer[i].isScalar() || outer[i].object(f) instanceof ArrayView) {
        FlatScalars.bind(inner[i], Num.below(FlatScalars.of(outer[i], f), level), g);
      } else {
        inner[i].bind(g, outer[i], f);
      }
    }
    return g;
  }
}
