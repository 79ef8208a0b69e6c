package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reverse mode of one body. The forward sweep consists of the original statements, perhaps with
 * saved values. The return sweep visits the statements from the last to the first, and adds to the
 * adjoints of the operands.
 *
 * <pre>
 * let y = f(x1, .., xn)      return sweep:      x1_ += f_1 * y_; ..; xn_ += f_n * y_
 * </pre>
 *
 * <p>After Griewank and Walther, Evaluating Derivatives, section 3.2, and, for arrays, Schenck,
 * Rønning, Henriksen and Oancea, AD for an Array Language with Nested Parallelism, SC 2022. The
 * return sweep is in the scope of the forward sweep, or in another scope that computes the values
 * it needs again ({@link RecomputationPlan}). It consumes no array that the forward sweep
 * allocates.
 */
final class Sweep {
  private final Derivation derivation;
  private final Adjoints adjoints;
  private Aliases aliases;
  private final Emitter back;
  private final List<Stm> stms;
  private final List<List<Stm>> forward = new ArrayList<>();
  private final States states;
  private int at;

  /**
   * Creates a sweep, which {@link #run} executes.
   *
   * @param derivation the shared state of the differentiation
   * @param body the statements, whose names have no other binding in the function
   * @param adjoints the adjoints: those of the results before the sweep, those of the free
   *     variables after it
   * @param aliases the aliases of all names in the body
   * @param back the emitter of the return sweep
   */
  Sweep(Derivation derivation, List<Stm> body, Adjoints adjoints, Aliases aliases, Emitter back) {
    this.derivation = derivation;
    this.adjoints = adjoints;
    this.aliases = aliases;
    this.back = back;
    this.stms = body;
    for (Stm s : body) {
      forward.add(new ArrayList<>(List.of(s)));
    }
    if (body.isEmpty()) {
      forward.add(new ArrayList<>());
    }
    this.states = new States(aliases, body, forward);
  }

  /** Returns a sweep of a nested body with separate adjoints. */
  Sweep inside(Body b, Adjoints inner) {
    for (Stm s : b.stms()) {
      back.scope().add(s);
    }
    return new Sweep(derivation, b.stms(), inner, aliases, back.inner());
  }

  /** Returns a sweep of other code with the given aliases. */
  Sweep inside(Body b, Adjoints inner, Aliases known) {
    return new Sweep(derivation, b.stms(), inner, known, back.inner());
  }

  /** Records statements that replace another one: their aliases and their active variables. */
  void learn(List<Stm> more) {
    aliases = aliases.with(more);
    states.learn(aliases);
    adjoints.activate(Activity.of(new Body(more, List.of()), active()));
  }

  Derivation derivation() {
    return derivation;
  }

  Adjoints adjoints() {
    return adjoints;
  }

  Aliases aliases() {
    return aliases;
  }

  States states() {
    return states;
  }

  Emitter back() {
    return back;
  }

  Set<Name> active() {
    return adjoints.active();
  }

  /** Returns the forward sweep. */
  List<Stm> forward() {
    return forward.stream().flatMap(List::stream).toList();
  }

  /** Returns the position of the current statement. */
  int position() {
    return at;
  }

  /** Replaces a statement of the forward sweep by other statements. */
  void replaceAt(int position, Stm old, List<Stm> by) {
    List<Stm> here = forward.get(position);
    for (int k = 0; k < here.size(); k++) {
      if (here.get(k) != old) {
        continue;
      }
      here.remove(k);
      here.addAll(k, by);
      for (Stm s : by) {
        back.scope().add(s);
      }
      return;
    }
    throw new IllegalStateException("the replaced statement is not in the forward sweep");
  }

  /** Returns the statement of the forward sweep that now binds a name. */
  Stm statementOf(int position, Name n) {
    for (Stm s : forward.get(position)) {
      if (s.names().contains(n)) {
        return s;
      }
    }
    throw new IllegalStateException(n + " is not bound in the forward sweep");
  }

  /** Visits all statements, from the last to the first. */
  void run() {
    for (at = stms.size() - 1; at >= 0; at--) {
      derivation.checkCancelled();
      statement(stms.get(at));
    }
    at = 0;
  }

  private void statement(Stm s) {
    Emitter e = back.inner().at(s.aux());
    boolean reversed = hasAdjoint(s);
    if (reversed) {
      rule(s, e);
      for (PatElem p : s.pat()) {
        adjoints.clear(p.name());
      }
    }
    consumes(s, reversed);
    emit(e);
  }

  /**
   * Adds statements to the return sweep, with consumed arrays replaced by their restored values.
   */
  void emit(Emitter e) {
    for (Stm s : states.revived(e.stms(), back)) {
      back.add(s);
    }
  }

  private boolean hasAdjoint(Stm s) {
    for (PatElem p : s.pat()) {
      boolean now =
          p.type() instanceof Type.Acc a
              ? active().contains(a.token())
              : !adjoints.isZero(p.name());
      if (now) {
        return true;
      }
    }
    return false;
  }

  private void rule(Stm s, Emitter e) {
    switch (s.exp()) {
      case BasicOp op -> new ArrayAdjoint(this, e).reverse(s, op);
      case Exp.Apply a -> CallAdjoint.reverse(this, e, s, a);
      case Exp.Match m -> new BranchAdjoint(this, s, m).reverse(e);
      case Exp.Loop l -> new LoopAdjoint(this, s, l).reverse(e);
      case Exp.WithAcc w -> new AccumulatorAdjoint(this, s, w).reverse(e);
      case Soac.Screma x when x.isMap() -> MapAdjoint.reverse(this, e, s, x);
      case Soac.Screma x when x.scans().isEmpty() -> new ReduceAdjoint(this, e).reverse(s, x);
      case Soac.Screma x -> new ScanAdjoint(this, e).reverse(s, x);
      case Soac.Hist x -> new HistAdjoint(this, e).reverse(s, x);
      case Soac.FlatMap x -> MapAdjoint.reverse(this, e, s, x);
      case Soac.WithVjp x -> CallAdjoint.reverse(this, e, s, x);
      default -> throw new IllegalStateException("not in normal form: " + s.exp());
    }
  }

  /**
   * Records the arrays that a statement consumes, and how to restore each of them.
   *
   * @param reversed whether the statement's rule was applied; the rules of loops and branches
   *     record consumption themselves
   */
  private void consumes(Stm s, boolean reversed) {
    int here = at;
    switch (s.exp()) {
      case BasicOp.Update x -> states.updated(here, s, x, states.owned(s.pat().get(0).name()));
      case BasicOp.FlatUpdate x -> states.updated(here, s, x, states.owned(s.pat().get(0).name()));
      case BasicOp x -> {}
      case Exp.Loop l when reversed -> {}
      case Exp.Match m when reversed -> {}
      case Exp.Loop l -> new LoopAdjoint(this, s, l).consumes();
      case Exp.Match m -> new BranchAdjoint(this, s, m).consumes();
      default -> {
        Set<Name> consumed = Consumption.of(s, aliases);
        if (consumed.isEmpty()) {
          return;
        }
        for (Name n : FreeNames.of(s)) {
          if (back.scope().lookup(n) instanceof Type.Array
              && aliases.roots(n).stream().anyMatch(consumed::contains)
              && !states.isFrozen(n)) {
            states.consumed(n, here);
          }
        }
      }
    }
  }

  /** Returns the adjoint of a result as a value, or null if it is zero. */
  @Nullable SubExp adjoint(Emitter e, PatElem p) {
    return adjoints.dense(e, p.name());
  }
}
