package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The order of an iteration's statements for several iterations at a time, where functions with
 * vector code ({@link Code.MapRun}) run on whole strips. A statement is in the first group that
 * follows all functions on which it depends.
 *
 * @param groups the statements between functions
 * @param functions the declarations that apply functions to variables, after each group
 * @param stored the variables that functions read or declare, and those that a later group reads,
 *     with their types
 */
record MappedFunctions(
    List<List<Code>> groups, List<List<Code.Declare>> functions, Map<Name, PrimType> stored) {
  /** Tests whether a statement applies a function with vector code to a variable. */
  static boolean isMapped(Code c) {
    return c instanceof Code.Declare d
        && d.value() instanceof Expr.Apply a
        && Code.MapRun.isMapped(a.fun())
        && a.args().getFirst() instanceof Expr.Var;
  }

  /** Groups statements, all of which declare or assign a scalar that differs between iterations. */
  static MappedFunctions of(List<Code> code) {
    Map<Name, Integer> made = new HashMap<>();
    Map<Name, Integer> used = new HashMap<>();
    Map<Name, PrimType> types = new HashMap<>();
    TreeMap<Integer, List<Code>> groups = new TreeMap<>();
    TreeMap<Integer, List<Code.Declare>> functions = new TreeMap<>();
    Map<Name, PrimType> stored = new LinkedHashMap<>();
    for (Code c : withoutCopies(code)) {
      Set<Name> reads = Variables.readBy(List.of(c));
      int group = 0;
      for (Name n : reads) {
        group = Math.max(group, made.getOrDefault(n, 0));
      }
      for (Name n : Variables.assignedBy(List.of(c))) {
        group = Math.max(group, Math.max(made.getOrDefault(n, 0), used.getOrDefault(n, 0)));
        made.put(n, group);
      }
      for (Name n : reads) {
        used.merge(n, group, Math::max);
        if (types.containsKey(n) && made.getOrDefault(n, 0) < group) {
          stored.put(n, types.get(n));
        }
      }
      boolean isFunction = isMapped(c);
      if (c instanceof Code.Declare d) {
        types.put(d.name(), d.type());
        made.put(d.name(), isFunction ? group + 1 : group);
        if (isFunction) {
          functions.computeIfAbsent(group, g -> new ArrayList<>()).add(d);
          reads.forEach(n -> stored.put(n, d.type()));
          stored.put(d.name(), d.type());
          continue;
        }
      }
      groups.computeIfAbsent(group, g -> new ArrayList<>()).add(c);
    }
    List<List<Code>> inOrder = new ArrayList<>();
    List<List<Code.Declare>> between = new ArrayList<>();
    int last = Math.max(groups.lastKey(), functions.isEmpty() ? 0 : functions.lastKey());
    for (int g = 0; g <= last; g++) {
      inOrder.add(groups.getOrDefault(g, List.of()));
      between.add(functions.getOrDefault(g, List.of()));
    }
    return new MappedFunctions(inOrder, between, stored);
  }

  /**
   * Replaces declared variables by the variables that they copy. An accumulator must keep its value
   * until the last use of its copy.
   */
  private static List<Code> withoutCopies(List<Code> code) {
    List<Code> out = new ArrayList<>(code);
    for (int i = 0; i < out.size(); ) {
      if (!(out.get(i) instanceof Code.Declare d) || !(d.value() instanceof Expr.Var v)) {
        i++;
        continue;
      }
      int end = i + 1;
      while (end < out.size() && !Variables.assignedBy(List.of(out.get(end))).contains(v.name())) {
        end++;
      }
      int behind = Math.min(end + 1, out.size());
      if (Variables.readBy(out.subList(behind, out.size())).contains(d.name())) {
        i++;
        continue;
      }
      List<Code> uses = new ArrayList<>(out.subList(i + 1, behind));
      List<Code> replaced = CodeCopies.of(uses, Map.of(d.name(), Poly.of(v.name())));
      List<Code> rest = new ArrayList<>(out.subList(behind, out.size()));
      out = new ArrayList<>(out.subList(0, i));
      out.addAll(replaced);
      out.addAll(rest);
    }
    return out;
  }
}
