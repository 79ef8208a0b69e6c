package futharkc.pass.writefusion;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.symbolic.Definitions;
import futharkc.core.ir.symbolic.IterationProofs;
import futharkc.core.ir.symbolic.Iterations;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Proofs about the indices of a function's writes. */
final class IndexProofs {
  private final Definitions definitions = new Definitions();
  private final Scope scope;
  private final NameSource names;
  private final List<SubExp> sizes = new ArrayList<>();

  /** Creates the proofs of a function. */
  IndexProofs(FunDef function, Scope scope, NameSource names) {
    this.scope = scope;
    this.names = names;
    definitions.addAll(function.body());
    for (Param p : function.params()) {
      sizes.addAll(p.type().dims());
    }
  }

  /** Records the definitions and types of new names, at any depth. */
  void learn(Body body) {
    definitions.addAll(body);
    scope.addAll(body);
  }

  /**
   * Returns the iterations of an operation. The sizes of the arrays that it writes are known to be
   * non-negative there.
   */
  Iterations iterations(Soac.Screma operation) {
    List<SubExp> known = new ArrayList<>(sizes);
    for (Param p : operation.map().params()) {
      if (p.type() instanceof Type.Acc acc) {
        known.addAll(acc.space());
      }
    }
    return new Iterations(operation, known, definitions, scope, names.next());
  }

  /**
   * Returns null if the indices of an update are in range in every iteration, else the reason why a
   * proof fails.
   */
  @Nullable String outside(BasicOp.UpdateAcc u, Iterations iterations) {
    List<SubExp> space = space(u);
    for (int d = 0; d < space.size(); d++) {
      String why =
          new IterationProofs(iterations).outside(iterations.of(u.index().get(d)), space.get(d));
      if (why != null) {
        return why;
      }
    }
    return null;
  }

  /**
   * Returns null if the indices of an update differ in any two iterations, else the reason why a
   * proof fails. Every iteration makes the update once.
   */
  @Nullable String repeated(BasicOp.UpdateAcc u, Iterations iterations) {
    List<SubExp> space = space(u);
    String why = "no term distinguishes them";
    for (int d = 0; d < space.size(); d++) {
      why = new IterationProofs(iterations).repeated(iterations.of(u.index().get(d)), space.get(d));
      if (why == null) {
        return null;
      }
    }
    return why;
  }

  /**
   * Returns null if the iterations together update all elements, else the reason why a proof fails.
   * Every iteration makes the update.
   */
  @Nullable String missed(BasicOp.UpdateAcc u, Iterations iterations) {
    List<SubExp> space = space(u);
    if (space.size() != 1) {
      return "it has several dimensions";
    }
    String repeated = repeated(u, iterations);
    if (repeated != null) {
      return "indices are not known to be distinct: " + repeated;
    }
    return new IterationProofs(iterations).missed(iterations.of(u.index().get(0)), space.get(0));
  }

  /** Tests whether two updates have the same index in every iteration. */
  boolean same(BasicOp.UpdateAcc a, BasicOp.UpdateAcc b, Iterations iterations) {
    List<Poly> ofA = a.index().stream().map(iterations::of).toList();
    return ofA.equals(b.index().stream().map(iterations::of).toList());
  }

  /**
   * Returns null if two updates have no common index in any two iterations, else the reason why a
   * proof fails. Every iteration makes each update once.
   */
  @Nullable String shared(BasicOp.UpdateAcc a, BasicOp.UpdateAcc b, Iterations iterations) {
    List<SubExp> space = space(a);
    String why = "no term distinguishes them";
    for (int d = 0; d < space.size(); d++) {
      why =
          new IterationProofs(iterations)
              .shared(
                  iterations.of(a.index().get(d)), iterations.of(b.index().get(d)), space.get(d));
      if (why == null) {
        return null;
      }
    }
    return why;
  }

  private List<SubExp> space(BasicOp.UpdateAcc u) {
    return ((Type.Acc) scope.type(u.acc())).space();
  }

  /** Returns the updates with a token that every iteration of an operation makes. */
  static List<BasicOp.UpdateAcc> direct(Soac.Screma x, Name token) {
    List<Stm> stms = new ArrayList<>(x.map().body().stms());
    stms.addAll(x.post().body().stms());
    List<BasicOp.UpdateAcc> updates = new ArrayList<>();
    for (Stm s : stms) {
      boolean ofToken =
          !s.pat().isEmpty()
              && s.pat().get(0).type() instanceof Type.Acc a
              && a.token().equals(token);
      if (ofToken && s.exp() instanceof BasicOp.UpdateAcc u) {
        updates.add(u);
      }
    }
    return updates;
  }

  /**
   * Tests whether an operation has no updates with a token except those that every iteration makes.
   */
  static boolean onlyDirect(Soac.Screma x, Name token) {
    int[] count = {0};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        if (e instanceof BasicOp.UpdateAcc) {
          count[0]++;
        }
        return super.exp(e);
      }
    }.exp(x);
    return count[0] == direct(x, token).size();
  }
}
