package futharkc.core.codegen.lower.common;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A lowering of accumulators and of the updates through them. */
public final class Accumulators {
  private final FunctionSymbols scope;
  private final ArrayOps arrays;
  private final ControlFlow control;
  private final Statements statements;

  Accumulators(FunctionSymbols scope, ArrayOps arrays, ControlFlow control, Statements statements) {
    this.scope = scope;
    this.arrays = arrays;
    this.control = control;
    this.statements = statements;
  }

  void withAcc(List<PatElem> pat, Exp.WithAcc w, List<Code> out) {
    List<Param> params = w.lambda().params();
    int n = w.inputs().size();
    List<Code> release = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Exp.AccInput in = w.inputs().get(i);
      scope.accumulates(params.get(i).name(), in);
      statements.parallel().updates().create(params.get(i).name(), in, release, out);
      scope.add(params.get(i).name(), params.get(i).type());
      scope.add(params.get(n + i).name(), params.get(n + i).type());
    }
    List<SubExp> results = w.lambda().body().results();
    int accumulated = pat.size() - (results.size() - n);
    statements.lower(w.lambda().body().stms(), results, List.of(), out);
    List<PatElem> others = pat.subList(accumulated, pat.size());
    control.declare(others, out);
    control.assign(others, results.subList(n, results.size()), out);
    out.addAll(release);
  }

  // Updates

  /** Lowers an update at an index; an update outside the bounds has no effect. */
  void update(BasicOp.UpdateAcc x, List<Code> out) {
    Name token = ((Type.Acc) scope.type(x.acc())).token();
    Exp.AccInput in = scope.accumulated((Type.Acc) scope.type(x.acc()));
    if (in == null) {
      throw new IllegalStateException("accumulator " + x.acc() + " of no WithAcc");
    }
    List<Code> body = new ArrayList<>();
    if (in.op() == null) {
      store(x, in, x.values(), body);
    } else {
      statements.parallel().updates().combine(x, token, in, body);
    }
    if (x.inRange()) {
      out.add(new Code.Scope(body));
    } else {
      out.add(arrays.whereInside(x.index(), in.space(), body));
    }
  }

  private void store(BasicOp.UpdateAcc x, Exp.AccInput in, List<SubExp> values, List<Code> out) {
    for (int k = 0; k < in.arrays().size(); k++) {
      arrays.store(scope.type(in.arrays().get(k)), x.index(), values.get(k), out);
    }
  }

  /**
   * Stores the operator's results. The operator's parameters are the index, the old values and the
   * new values; an array parameter follows its block.
   *
   * @param locked whether the update holds the lock of its element
   */
  public void combine(
      BasicOp.UpdateAcc x, Exp.AccInput in, Lambda op, boolean locked, List<Code> out) {
    int rank = in.space().size();
    List<Code> body = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      scope.declare(op.params().get(i).name(), Type.I64, scope.expr(x.index().get(i)), body);
    }
    int n = in.arrays().size();
    int next = rank + n;
    for (int k = 0; k < n; k++) {
      Name array = in.arrays().get(k);
      Type t = scope.type(array);
      SubExp added = x.values().get(k);
      Param old = op.params().get(rank + k);
      scope.add(old.name(), old.type());
      if (t.rank() > rank) {
        Param block = op.params().get(next++);
        scope.add(block.name(), block.type());
        Name from = scope.mem(((SubExp.Var) added).name()).block();
        body.add(scope.declareBlock(block.name(), (Type.Mem) block.type(), from));
      }
      Param value = op.params().get(next++);
      scope.add(value.name(), value.type());
      if (t.rank() == rank) {
        scope.declare(old.name(), old.type(), arrays.element(array, x.index()), body);
        scope.declare(value.name(), value.type(), scope.expr(added), body);
      }
    }
    statements.lower(op.body().stms(), op.body().results(), List.of(), body);
    store(x, in, op.body().results(), body);
    if (!locked) {
      out.add(new Code.Scope(body));
      return;
    }
    Poly key = Poly.ZERO;
    for (SubExp i : x.index()) {
      key = key.times(31).plus(scope.poly(i));
    }
    out.add(new Code.Locked(new Expr.Index(key), body));
  }

  /** Tests whether one of the names is an accumulator with an operator. */
  public boolean isCombined(Set<Name> names) {
    for (Name n : names) {
      if (!(scope.find(n) instanceof Type.Acc acc)) {
        continue;
      }
      Exp.AccInput in = scope.accumulated(acc);
      if (in != null && in.op() != null) {
        return true;
      }
    }
    return false;
  }
}
