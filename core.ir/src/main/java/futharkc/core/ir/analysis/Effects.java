package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;

/**
 * What is seen of an evaluation besides its value, in an expression and all that is inside it. A
 * call may do anything.
 *
 * @param traces whether it may print something; so that how often it is evaluated is seen
 * @param fails whether it may end the program by a check of its own; so that whether it is
 *     evaluated is seen
 */
public record Effects(boolean traces, boolean fails) {
  /** Those of an expression. */
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
