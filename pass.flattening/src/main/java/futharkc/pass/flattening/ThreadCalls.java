package futharkc.pass.flattening;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;

/** Replaces calls by threads with calls of versions that do not use the device. */
final class ThreadCalls extends Mapper {
  private final FunctionForms functions;

  ThreadCalls(FunctionForms functions) {
    this.functions = functions;
  }

  @Override
  public Exp exp(Exp e) {
    return of(super.exp(e), functions);
  }

  /** Returns the expression with its own call replaced. Calls in nested bodies stay. */
  static Exp of(Exp e, FunctionForms functions) {
    return e instanceof Exp.Apply a && functions.isParallel(a.function())
        ? new Exp.Apply(functions.sequential(a.function()), a.args(), a.consumed())
        : e;
  }
}
