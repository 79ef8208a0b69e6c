package futharkc.pass.inlining;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;

/** The call graph of the functions that entry points and constants reach. */
final class CallGraph {
  /** The attribute that prevents inlining of a function or of one call. */
  static final String NOINLINE = "noinline";

  private final Map<String, Set<String>> callees = new LinkedHashMap<>();
  private final Map<String, Integer> calls = new HashMap<>();
  private final List<String> order = new ArrayList<>();
  private final Set<String> recursive = new HashSet<>();
  private final Set<String> kept = new HashSet<>();

  CallGraph(Program program) {
    Set<String> roots = new LinkedHashSet<>();
    for (FunDef f : program.functions().values()) {
      if (f.entry() != null) {
        roots.add(f.name());
      }
    }
    new Calls(roots).stms(program.constants());
    for (String root : roots) {
      visit(root, program);
    }
  }

  /**
   * Visits functions depth first, without recursion. A call of a function that is being visited
   * makes all functions on the cycle recursive.
   */
  private void visit(String root, Program program) {
    if (callees.containsKey(root)) {
      return;
    }
    LinkedHashSet<String> path = new LinkedHashSet<>();
    ArrayDeque<Iterator<String>> todo = new ArrayDeque<>();
    enter(root, program, path, todo);
    while (!todo.isEmpty()) {
      if (!todo.peek().hasNext()) {
        todo.pop();
        order.add(path.removeLast());
        continue;
      }
      String next = todo.peek().next();
      if (path.contains(next)) {
        for (String f : path.reversed()) {
          recursive.add(f);
          if (f.equals(next)) {
            break;
          }
        }
      } else if (!callees.containsKey(next)) {
        enter(next, program, path, todo);
      }
    }
  }

  private void enter(
      String f, Program program, SequencedSet<String> path, ArrayDeque<Iterator<String>> todo) {
    FunDef def = program.functions().get(f);
    if (def == null) {
      throw new IllegalStateException("call of unknown function " + f);
    }
    Set<String> called = new LinkedHashSet<>();
    new Calls(called).body(def.body());
    callees.put(f, called);
    path.add(f);
    todo.push(called.iterator());
  }

  /** A traversal that records calls. */
  private final class Calls extends Mapper {
    private final Set<String> called;

    Calls(Set<String> called) {
      this.called = called;
    }

    @Override
    public Stm stm(Stm s) {
      if (s.exp() instanceof Exp.Apply a) {
        called.add(a.function());
        calls.merge(a.function(), 1, Integer::sum);
        if (s.aux().hasAttr(NOINLINE)) {
          kept.add(a.function());
        }
      }
      return super.stm(s);
    }
  }

  /** Tests whether entry points or constants call a function, directly or through others. */
  boolean isReached(String f) {
    return callees.containsKey(f);
  }

  /** Tests whether some calls of a function must stay. */
  boolean isKept(String f) {
    return kept.contains(f);
  }

  /** Returns the reachable functions, each after its callees. */
  List<String> calleesFirst() {
    return order;
  }

  boolean isRecursive(String f) {
    return recursive.contains(f);
  }

  /** Returns the number of call sites of a function. */
  int callsOf(String f) {
    return calls.getOrDefault(f, 0);
  }
}
