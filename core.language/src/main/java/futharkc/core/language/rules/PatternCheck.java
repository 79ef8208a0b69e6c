package futharkc.core.language.rules;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.List;

/** A check that matches are exhaustive and that all other patterns are irrefutable. */
public final class PatternCheck {
  private PatternCheck() {}

  /** Checks all patterns of a definition, including those of local functions. */
  public static void check(ValDef def, Diagnostics diagnostics) {
    for (Pat p : def.params()) {
      irrefutable(p, diagnostics);
    }
    ExpressionTraversal.each(
        def.body(),
        e -> {
          if (e instanceof Exp.Match m) {
            exhaustive(m, diagnostics);
          } else {
            for (Pat p : ExpressionTraversal.patterns(e)) {
              irrefutable(p, diagnostics);
            }
          }
        });
  }

  private static void exhaustive(Exp.Match m, Diagnostics diagnostics) {
    List<String> uncovered = Coverage.uncovered(m.cases().stream().map(Exp.Case::pat).toList());
    if (uncovered.isEmpty()) {
      return;
    }
    diagnostics.report(
        Diagnostic.error(
                "E0450",
                m.loc(),
                "Unmatched cases in match expression:\n  " + String.join("\n  ", uncovered))
            .see("unmatched-cases"));
  }

  private static void irrefutable(Pat p, Diagnostics diagnostics) {
    if (matchesAll(p)) {
      return;
    }
    List<String> uncovered = Coverage.uncovered(List.of(p));
    diagnostics.report(
        Diagnostic.error(
                "E0451",
                p.loc(),
                "Refutable pattern not allowed here. It does not match:\n  "
                    + String.join("\n  ", uncovered))
            .hint("use a match expression")
            .see("refutable-pattern"));
  }

  private static boolean matchesAll(Pat p) {
    return switch (p) {
      case Pat.Var _, Pat.Wildcard _ -> true;
      case Pat.Literal _ -> false;
      case Pat.Record r -> r.fields().values().stream().allMatch(PatternCheck::matchesAll);
      case Pat.Constr c ->
          c.type() instanceof Type.Sum s
              && s.variants().size() == 1
              && c.payload().stream().allMatch(PatternCheck::matchesAll);
    };
  }
}
