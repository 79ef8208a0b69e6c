package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of loop parameters that keep their initial values. It first assumes that all
 * parameters do. Then it repeatedly drops parameters whose next value is not provably the initial
 * one. The next values are traced through copies, inner loops, branches, and expressions evaluated
 * before the loop.
 */
final class Invariants {
  private final Simplifier in;

  /**
   * The positions of parameters of each loop that may still be invariant. Knowledge about enclosing
   * loops only shrinks, so that a later visit of an inner loop begins with the result of the visit
   * before. Visits are then linear in the depth of a nest; from the beginning each time they would
   * double with each level.
   */
  private final Map<Exp.Loop, Set<Integer>> possible = new IdentityHashMap<>();

  /** The values of names in the current bodies. Names are bound once, so that one map suffices. */
  private final Map<Name, SubExp> known = new HashMap<>();

  /** The keys of {@code known}, the latest last. */
  private final List<Name> order = new ArrayList<>();

  private final Mapper withValues =
      new Mapper() {
        @Override
        public SubExp subExp(SubExp e) {
          return value(e);
        }

        @Override
        public Name name(Name use) {
          SubExp value = known.get(use);
          return value instanceof SubExp.Var v ? v.name() : use;
        }
      };

  private Invariants(Simplifier in) {
    this.in = in;
  }

  /** Returns the positions of a loop's invariant parameters. */
  static Set<Integer> of(Stm s, Exp.Loop l, Simplifier in) {
    return new Invariants(in).of(s.pat(), l, true);
  }

  /**
   * Returns the positions of invariant parameters.
   *
   * @param sameTypes whether arrays must have the type of the initial value with the same names
   */
  private Set<Integer> of(List<PatElem> pat, Exp.Loop l, boolean sameTypes) {
    Set<Integer> supposed = possible.computeIfAbsent(l, this::candidates);
    int outside = order.size();
    while (!supposed.isEmpty()) {
      List<SubExp> inits = l.params().stream().map(p -> value(p.init())).toList();
      for (int k : supposed) {
        put(l.params().get(k).param().name(), inits.get(k));
        put(pat.get(k).name(), inits.get(k));
      }
      List<SubExp> next = results(l.body());
      boolean changed =
          supposed.removeIf(
              k ->
                  !next.get(k).equals(inits.get(k))
                      || sameTypes && !hasType(l.params().get(k), pat.get(k)));
      forget(outside);
      if (!changed) {
        break;
      }
    }
    return supposed;
  }

  private void put(Name n, SubExp value) {
    known.put(n, value);
    order.add(n);
  }

  /** Removes all names but the first ones. */
  private void forget(int first) {
    while (order.size() > first) {
      known.remove(order.removeLast());
    }
  }

  /**
   * Returns the positions of invariant parameters of an inner loop. The result for a loop that
   * mentions no name with a known value depends on the loop alone: n nested loops are then visited
   * once, not once for each loop around.
   */
  private Set<Integer> inner(Stm s, Exp.Loop l) {
    if (in.freeNames().of(s).stream().anyMatch(known::containsKey)) {
      return of(s.pat(), l, false);
    }
    Set<Integer> found = in.invariantParams().get(l);
    if (found == null) {
      found = of(s.pat(), l, false);
      in.invariantParams().put(l, found);
    }
    return found;
  }

  /** Returns the positions of parameters with a type that an invariant parameter may have. */
  private Set<Integer> candidates(Exp.Loop l) {
    Set<Integer> candidates = new TreeSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k).param();
      if (p.type() instanceof Type.Prim
          || p.type() instanceof Type.Mem
          || p.type() instanceof Type.Array && (!p.unique() || isOnlyCopied(p.name()))) {
        candidates.add(k);
      }
    }
    return candidates;
  }

  /** Tests whether a loop writes to copies of a unique array only. */
  private boolean isOnlyCopied(Name own) {
    return !in.hasMemory() && in.canBeReadLater(own);
  }

  private boolean hasType(Exp.LoopParam p, PatElem e) {
    if (!(p.param().type() instanceof Type.Array)) {
      return true;
    }
    Type type = in.type(p.init());
    return type.equals(withValues.type(p.param().type())) && type.equals(withValues.type(e.type()));
  }

  private SubExp value(SubExp e) {
    return e instanceof SubExp.Var v ? known.getOrDefault(v.name(), e) : e;
  }

  /** Returns the values of a body's results. */
  private List<SubExp> results(Body b) {
    int outside = order.size();
    for (Stm s : b.stms()) {
      learn(s);
    }
    List<SubExp> results = b.results().stream().map(this::value).toList();
    forget(outside);
    return results;
  }

  private void learn(Stm s) {
    if (s.exp() instanceof BasicOp op && !(op instanceof BasicOp.SubExpOp)) {
      SubExp earlier = earlier(s, op);
      if (earlier != null) {
        put(s.names().get(0), earlier);
      }
    }
    // A statement with certificates may fail, so it has no known value.
    if (!s.aux().certs().isEmpty()) {
      return;
    }
    switch (s.exp()) {
      case BasicOp.SubExpOp x -> put(s.names().get(0), value(x.value()));
      // If no code writes to the copy, the original may replace it.
      case BasicOp.Replicate x when x.shape().isEmpty() && !in.hasMemory() ->
          put(s.names().get(0), value(x.value()));
      case Exp.Loop l when l.form() instanceof Exp.Form.For -> {
        for (int k : inner(s, l)) {
          put(s.pat().get(k).name(), value(l.params().get(k).init()));
        }
      }
      case Exp.Match m -> {
        List<List<SubExp>> branches = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          branches.add(results(c.body()));
        }
        List<SubExp> otherwise = results(m.otherwise());
        for (int k = 0; k < otherwise.size(); k++) {
          int result = k;
          if (branches.stream().allMatch(b -> b.get(result).equals(otherwise.get(result)))) {
            put(s.names().get(k), otherwise.get(k));
          }
        }
      }
      default -> {}
    }
  }

  /**
   * Returns the operand with the value of an earlier evaluation of an expression under the same
   * certificates, or null.
   */
  private @Nullable SubExp earlier(Stm s, BasicOp op) {
    boolean view =
        op instanceof BasicOp.Index
            || op instanceof BasicOp.Reshape
            || op instanceof BasicOp.Rearrange;
    boolean scalar = s.pat().size() == 1 && s.pat().get(0).type() instanceof Type.Prim;
    if (!view && !scalar || op instanceof BasicOp.Assert) {
      return null;
    }
    if (!(withValues.exp(op) instanceof BasicOp now)) {
      return null;
    }
    Stm earlier = in.earlier(now, withValues.type(s.pat().get(0).type()));
    if (earlier == null || !earlier.aux().certs().containsAll(s.aux().certs())) {
      return null;
    }
    return SubExp.of(earlier.names().get(0));
  }
}
