package futharkc.core.ir.analysis;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The call graph of a program, from callers to callees. */
public final class Callees {
  private final Map<String, Set<String>> direct = new HashMap<>();

  private Callees() {}

  public static Callees of(Program program) {
    Callees all = new Callees();
    for (FunDef f : program.functions().values()) {
      all.direct.put(f.name(), direct(f));
    }
    return all;
  }

  private static Set<String> direct(FunDef f) {
    Set<String> called = new LinkedHashSet<>();
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof Exp.Apply a) {
          called.add(a.function());
        }
        return super.exp(e);
      }
    }.body(f.body());
    return called;
  }

  /**
   * Returns the functions that a function calls, directly or indirectly. A recursive function is
   * among its own callees.
   */
  public Set<String> of(String function) {
    Set<String> found = new LinkedHashSet<>();
    Deque<String> work = new ArrayDeque<>(direct.getOrDefault(function, Set.of()));
    while (!work.isEmpty()) {
      String next = work.remove();
      if (found.add(next)) {
        work.addAll(direct.getOrDefault(next, Set.of()));
      }
    }
    return found;
  }

  /** Tests whether a function is recursive, directly or indirectly. */
  public boolean isRecursive(String function) {
    return of(function).contains(function);
  }
}
