package futharkc.core.language.rules;

import futharkc.core.language.syntax.Attr;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.ValDef;

/** The attributes that request warnings of the lowering. */
public final class WarningRequests {
  private WarningRequests() {}

  /** Tests whether an expression of the program has such an attribute. */
  public static boolean in(Program program) {
    return program.defs().values().stream().anyMatch(WarningRequests::in);
  }

  private static boolean in(ValDef def) {
    boolean[] found = {false};
    ExpressionTraversal.each(
        def.body(), e -> found[0] |= e instanceof Exp.Attributed a && asks(a.attr()));
    return found[0];
  }

  /** Tests whether an attribute requests warnings of the lowering. */
  public static boolean asks(Attr attr) {
    return attr.is("unroll") || attr.is("warn", "safety_checks");
  }
}
