package futharkc.core.ir.sequential;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The functions of a program that contain parallelism, and those that are called in sequential
 * contexts.
 */
public final class SequentialCalls {
  private final Set<String> parallel = new HashSet<>();
  private final Set<String> wanted = new LinkedHashSet<>();

  public SequentialCalls(Program program) {
    Map<String, Set<String>> callers = new HashMap<>();
    for (FunDef f : program.functions().values()) {
      new Mapper() {
        @Override
        public Exp exp(Exp e) {
          if (e instanceof Soac) {
            parallel.add(f.name());
          }
          if (e instanceof Exp.Apply a) {
            callers.computeIfAbsent(a.function(), k -> new HashSet<>()).add(f.name());
          }
          return super.exp(e);
        }
      }.body(f.body());
    }
    Set<String> frontier = new HashSet<>(parallel);
    while (!frontier.isEmpty()) {
      Set<String> next = new HashSet<>();
      for (String f : frontier) {
        for (String caller : callers.getOrDefault(f, Set.of())) {
          if (parallel.add(caller)) {
            next.add(caller);
          }
        }
      }
      frontier = next;
    }
  }

  /** Returns the name of a function's sequential copy. */
  public static String sequentialName(String function) {
    return function + "_seq";
  }

  /** Returns the functions whose sequential copies have been called so far. */
  public Set<String> wanted() {
    return wanted;
  }

  /**
   * Returns equivalent sequential statements, which call sequential copies of parallel functions.
   */
  public List<Stm> sequential(NameSource names, Scope scope, List<Stm> stms) {
    List<Stm> loops = FirstOrder.toLoops(names, scope).stms(stms);
    return new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof Exp.Apply a && parallel.contains(a.function())) {
          wanted.add(a.function());
          return new Exp.Apply(sequentialName(a.function()), a.args(), a.consumed());
        }
        return super.exp(e);
      }
    }.stms(loops);
  }
}
