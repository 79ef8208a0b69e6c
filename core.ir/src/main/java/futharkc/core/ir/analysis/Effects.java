package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;

/**
 * The side effects of an expression, including nested statements. A call is assumed to have all
 * effects.
 *
 * @param traces true if the expression may print a value, so that its number of evaluations is
 *     observable
 * @param fails true if a check may stop the program, so that its evaluation is observable
 */
public record Effects(boolean traces, boolean fails) {
  /** Returns the effects of an expression. */
  public static Effects of(Exp e) {
    Finder finder = new Finder();
    finder.exp(e);
    return new Effects(finder.traces, finder.fails);
  }

  private static final class Finder extends Mapper {
    private boolean traces;
    private boolean fails;

    @Override
    public Exp exp(Exp e) {
      traces |= e instanceof BasicOp.Opaque || e instanceof Exp.Apply;
      fails |= e instanceof BasicOp.Assert || e instanceof Exp.Apply;
      return super.exp(e);
    }
  }
}
