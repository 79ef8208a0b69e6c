package futharkc.pass.flattening;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;

/** Lets threads call functions in a form that does not use the device. */
final class ThreadCalls extends Mapper {
  private final FunctionForms functions;

  ThreadCalls(FunctionForms functions) {
    this.functions = functions;
  }

  @Override
  public Exp exp(Exp e) {
    return of(super.exp(e), functions);
  }

  /** An expression, but for what is inside of it. */
  static Exp of(Exp e, FunctionForms functions) {
    return e instanceof Exp.Apply a && functions.isParallel(a.function())
        ? new Exp.Apply(functions.sequential(a.function()), a.args(), a.consumed())
        : e;
  }
}
