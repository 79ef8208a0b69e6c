package futharkc.pass.simplify;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
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

  private Invariants(Simplifier in) {
    this.in = in;
  }

  /** Returns the positions of a loop's invariant parameters. */
  static Set<Integer> of(Stm s, Exp.Loop l, Simplifier in) {
    return new Invariants(in).of(s.pat(), l, Map.of(), true);
  }

  /**
   * Returns the positions of invariant parameters.
   *
   * @param known the values of names in the enclosing bodies
   * @param sameTypes whether arrays must have the type of the initial value with the same names
   */
  private Set<Integer> of(
      List<PatElem> pat, Exp.Loop l, Map<Name, SubExp> known, boolean sameTypes) {
    Set<Integer> supposed = new TreeSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Param p = l.params().get(k).param();
      boolean possible =
          p.type() instanceof Type.Prim
              || p.type() instanceof Type.Mem
              || p.type() instanceof Type.Array && (!p.unique() || isOnlyCopied(p.name()));
      if (possible) {
        supposed.add(k);
      }
    }
    while (!supposed.isEmpty()) {
      Map<Name, SubExp> inside = new HashMap<>(known);
      Map<Name, SubExp> behind = new HashMap<>(known);
      for (int k : supposed) {
        SubExp init = value(l.params().get(k).init(), known);
        inside.put(l.params().get(k).param().name(), init);
        behind.put(pat.get(k).name(), init);
      }
      List<SubExp> next = results(l.body(), inside);
      boolean changed =
          supposed.removeIf(
              k ->
                  !next.get(k).equals(value(l.params().get(k).init(), known))
                      || sameTypes && !hasType(l.params().get(k), pat.get(k), inside, behind));
      if (!changed) {
        break;
      }
    }
    return supposed;
  }

  /** Tests whether a loop writes to copies of a unique array only. */
  private boolean isOnlyCopied(Name own) {
    return !in.hasMemory() && in.canBeReadLater(own);
  }

  private boolean hasType(
      Exp.LoopParam p, PatElem e, Map<Name, SubExp> inside, Map<Name, SubExp> behind) {
    if (!(p.param().type() instanceof Type.Array)) {
      return true;
    }
    Type type = in.type(p.init());
    return type.equals(new Substitution(inside).type(p.param().type()))
        && type.equals(new Substitution(behind).type(e.type()));
  }

  private static SubExp value(SubExp e, Map<Name, SubExp> known) {
    return e instanceof SubExp.Var v ? known.getOrDefault(v.name(), e) : e;
  }

  /** Returns the values of a body's results. */
  private List<SubExp> results(Body b, Map<Name, SubExp> outside) {
    Map<Name, SubExp> known = new HashMap<>(outside);
    for (Stm s : b.stms()) {
      learn(s, known);
    }
    return b.results().stream().map(r -> value(r, known)).toList();
  }

  private void learn(Stm s, Map<Name, SubExp> known) {
    if (s.exp() instanceof BasicOp op && !(op instanceof BasicOp.SubExpOp)) {
      SubExp earlier = earlier(s, op, known);
      if (earlier != null) {
        known.put(s.names().get(0), earlier);
      }
    }
    // A statement with certificates may fail, so it has no known value.
    if (!s.aux().certs().isEmpty()) {
      return;
    }
    switch (s.exp()) {
      case BasicOp.SubExpOp x -> known.put(s.names().get(0), value(x.value(), known));
      // If no code writes to the copy, the original may replace it.
      case BasicOp.Replicate x when x.shape().isEmpty() && !in.hasMemory() ->
          known.put(s.names().get(0), value(x.value(), known));
      case Exp.Loop l when l.form() instanceof Exp.Form.For -> {
        for (int k : of(s.pat(), l, known, false)) {
          known.put(s.pat().get(k).name(), value(l.params().get(k).init(), known));
        }
      }
      case Exp.Match m -> {
        List<List<SubExp>> branches = new ArrayList<>();
        for (Exp.Case c : m.cases()) {
          branches.add(results(c.body(), known));
        }
        List<SubExp> otherwise = results(m.otherwise(), known);
        for (int k = 0; k < otherwise.size(); k++) {
          int result = k;
          if (branches.stream().allMatch(b -> b.get(result).equals(otherwise.get(result)))) {
            known.put(s.names().get(k), otherwise.get(k));
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
  private @Nullable SubExp earlier(Stm s, BasicOp op, Map<Name, SubExp> known) {
    boolean view =
        op instanceof BasicOp.Index
            || op instanceof BasicOp.Reshape
            || op instanceof BasicOp.Rearrange;
    boolean scalar = s.pat().size() == 1 && s.pat().get(0).type() instanceof Type.Prim;
    if (!view && !scalar || op instanceof BasicOp.Assert) {
      return null;
    }
    Substitution sub = new Substitution(known);
    if (!(sub.exp(op) instanceof BasicOp now)) {
      return null;
    }
    Stm earlier = in.earlier(now, sub.type(s.pat().get(0).type()));
    if (earlier == null || !earlier.aux().certs().containsAll(s.aux().certs())) {
      return null;
    }
    return SubExp.of(earlier.names().get(0));
  }
}
