package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Stm;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A partition of the values that a return sweep needs from its body. The return sweep computes most
 * values again, and reads the others from a tape.
 *
 * <p>This is the recomputation of Schenck et al., AD for an Array Language with Nested Parallelism,
 * SC 2022: a value that follows from the body's parameters is computed again instead of stored.
 *
 * @param again the statements to execute again, in order
 * @param saved the names whose values are saved, in the order of their bindings
 * @param back the return sweep, without dead code
 * @param needed the free names of both, including the saved ones
 */
record RecomputationPlan(List<Stm> again, List<Name> saved, Body back, Set<Name> needed) {
  /**
   * Finds the smallest set of statements to execute again.
   *
   * @param forward the statements of the body
   * @param back the return sweep
   * @param fixed a test for statements that must not be executed again
   * @param scope the types of the names
   */
  static RecomputationPlan of(List<Stm> forward, Body back, Predicate<Stm> fixed, Scope scope) {
    Set<Name> bound = new HashSet<>();
    for (Stm s : forward) {
      bound.addAll(s.names());
    }
    Mapper unchecked = new Unchecked(bound);
    Body live = new DeadCode().body(unchecked.body(back));
    Set<Name> needed = new LinkedHashSet<>(FreeNames.of(live));
    Deque<Stm> again = new ArrayDeque<>();
    Deque<Name> saved = new ArrayDeque<>();
    for (Stm s : forward.reversed()) {
      List<Name> wanted = s.names().stream().filter(needed::contains).toList();
      if (wanted.isEmpty()) {
        continue;
      }
      if (fixed.test(s)) {
        for (Name n : wanted.reversed()) {
          saved.addFirst(n);
          needed.addAll(FreeNames.of(scope.type(n)));
        }
      } else {
        Stm t = unchecked.stm(s);
        again.addFirst(t);
        needed.addAll(FreeNames.of(t));
      }
    }
    // Dead code elimination removes unused parts of the repeated statements.
    Body all = new Body(concat(again, live.stms()), live.results());
    Body pruned = new DeadCode().body(all);
    Set<Name> front = new HashSet<>();
    for (Stm s : again) {
      front.addAll(s.names());
    }
    List<Stm> first = new ArrayList<>();
    List<Stm> rest = new ArrayList<>();
    for (Stm s : pruned.stms()) {
      (s.names().stream().anyMatch(front::contains) ? first : rest).add(s);
    }
    Set<Name> free = FreeNames.of(pruned);
    return new RecomputationPlan(
        first,
        saved.stream().filter(free::contains).toList(),
        new Body(rest, pruned.results()),
        free);
  }

  private static List<Stm> concat(Iterable<Stm> a, List<Stm> b) {
    List<Stm> all = new ArrayList<>();
    a.forEach(all::add);
    all.addAll(b);
    return all;
  }

  /** Returns the repeated statements and the return sweep as one body. */
  Body whole() {
    return new Body(concat(again, back.stms()), back.results());
  }

  /** A traversal that removes checks and traces, which the first execution has made. */
  static final class Unchecked extends Mapper {
    private final Set<Name> checks;

    Unchecked(Set<Name> checks) {
      this.checks = checks;
    }

    @Override
    public Aux aux(Aux aux) {
      if (aux.certs().stream().noneMatch(checks::contains)) {
        return aux;
      }
      return aux.withCerts(aux.certs().stream().filter(c -> !checks.contains(c)).toList());
    }

    @Override
    public Exp exp(Exp e) {
      return e instanceof BasicOp.Opaque x ? new BasicOp.SubExpOp(x.value()) : super.exp(e);
    }
  }
}
