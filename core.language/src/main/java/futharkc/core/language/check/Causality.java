package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A check that every size is computed before its first use. */
final class Causality {
  private final SizeSolver sizes;

  private Causality(SizeSolver sizes) {
    this.sizes = sizes;
  }

  static void check(ValDef def, SizeSolver sizes) {
    for (Name n : sizes.all()) {
      if (sizes.isUnknown(n)) {
        new Causality(sizes).exp(def.body(), Set.of());
        return;
      }
    }
  }

  private void require(String what, Set<Name> known, Type t, Loc loc) {
    if (t instanceof Type.Prim) {
      return;
    }
    for (Name n : Positions.free(t)) {
      SizeSolver.Info i = sizes.info(n);
      if (i != null && i.kind == SizeSolver.Kind.UNKNOWN && !known.contains(n)) {
        throw new DiagnosticException(
            Diagnostic.error(
                    "E0516",
                    loc,
                    TypePrinter.message(
                        types ->
                            "Causality check: size \""
                                + types.of(n)
                                + "\" needed for type of "
                                + what
                                + ":\n  "
                                + types.of(t)
                                + "\nBut \""
                                + types.of(n)
                                + "\" is computed at "
                                + i.loc
                                + "."))
                .hint("Bind the expression producing \"" + n.base() + "\" with 'let' beforehand.")
                .see("causality-check"));
      }
    }
  }

  private static Set<Name> plus(Set<Name> a, Set<Name> b) {
    if (b.isEmpty()) {
      return a;
    }
    if (a.isEmpty()) {
      return b;
    }
    Set<Name> all = new HashSet<>(a);
    all.addAll(b);
    return all;
  }

  private static Set<Name> plus(Set<Name> a, List<Name> b) {
    if (b.isEmpty()) {
      return a;
    }
    Set<Name> all = new HashSet<>(a);
    all.addAll(b);
    return all;
  }

  /** Checks subexpressions that are evaluated in no particular order. */
  private Set<Name> parts(Exp e, Set<Name> known) {
    Set<Name> made = new HashSet<>();
    SizeExps.children(e, c -> made.addAll(exp(c, known)));
    return made;
  }

  /**
   * Checks an expression and returns the sizes that its evaluation computes.
   *
   * @param known the sizes that are already computed
   */
  private Set<Name> exp(Exp e, Set<Name> known) {
    switch (e) {
      case Exp.Var v -> {
        require("\"" + v.name().base() + "\"", known, v.type(), v.loc());
        return Set.of();
      }
      case Exp.ArrayLit a when a.elems().isEmpty() -> {
        require("empty array", known, a.type(), a.loc());
        return Set.of();
      }
      case Exp.Hole h -> {
        require("hole", known, h.type(), h.loc());
        return Set.of();
      }
      case Exp.Lambda l -> {
        for (Pat p : l.params()) {
          require("parameter", known, p.type(), p.loc());
        }
        exp(l.body(), known);
        return Set.of();
      }
      case Exp.Let l -> {
        Set<Name> now = new HashSet<>(known);
        Set<Name> made = new HashSet<>();
        for (Exp.Binding b : l.bindings()) {
          switch (b) {
            case Exp.Binding.OfPat p -> {
              Set<Name> m = exp(p.value(), now);
              now.addAll(m);
              made.addAll(m);
            }
            case Exp.Binding.OfFun f -> exp(f.def().body(), now);
          }
        }
        made.addAll(exp(l.body(), now));
        made.addAll(l.sizes());
        return made;
      }
      case Exp.Match m -> {
        Set<Name> made = new HashSet<>(exp(m.exp(), known));
        Set<Name> now = plus(known, made);
        for (Exp.Case c : m.cases()) {
          made.addAll(exp(c.body(), now));
        }
        made.addAll(m.sizes());
        return made;
      }
      case Exp.Apply a -> {
        List<Exp> order = new ArrayList<>(a.args());
        if (!infix(a)) {
          java.util.Collections.reverse(order);
        }
        Set<Name> made = new HashSet<>();
        Set<Name> now = known;
        for (Exp x : order) {
          Set<Name> m = exp(x, now);
          made.addAll(m);
          now = plus(now, m);
        }
        made.addAll(exp(a.fun(), isLeftSection(a) ? known : now));
        made.addAll(a.sizes());
        return made;
      }
      case Exp.BinOp b -> {
        return sequence(b.left(), b.right(), known);
      }
      case Exp.And b -> {
        return sequence(b.left(), b.right(), known);
      }
      case Exp.Or b -> {
        return sequence(b.left(), b.right(), known);
      }
      case Exp.Constr c -> {
        Set<Name> made = new HashSet<>();
        Set<Name> now = known;
        for (Exp x : c.args()) {
          Set<Name> m = exp(x, now);
          made.addAll(m);
          now = plus(now, m);
        }
        require("\"#" + c.name() + "\"", now, c.type(), c.loc());
        return made;
      }
      case Exp.If i -> {
        return plus(parts(e, known), i.sizes());
      }
      case Exp.Loop l -> {
        return plus(parts(e, known), l.sizes());
      }
      case Exp.Range r -> {
        return plus(parts(e, known), r.sizes());
      }
      case Exp.Index i -> {
        return plus(parts(e, known), i.sizes());
      }
      default -> {
        return parts(e, known);
      }
    }
  }

  private Set<Name> sequence(Exp a, Exp b, Set<Name> known) {
    Set<Name> made = exp(a, known);
    return plus(made, exp(b, plus(known, made)));
  }

  /**
   * Tests whether an application is an operator section. A section is a function that still lacks
   * an operand.
   */
  private static boolean isLeftSection(Exp.Apply a) {
    return a.args().size() == 1 && isAfter(a.fun().loc(), a.args().get(0).loc());
  }

  private static boolean isAfter(Loc a, Loc b) {
    return a.line() > b.line() || (a.line() == b.line() && a.column() > b.column());
  }

  /**
   * Tests whether an application was written with an infix operator, whose left operand is
   * evaluated first.
   */
  private static boolean infix(Exp.Apply a) {
    return a.args().size() == 2 && isAfter(a.fun().loc(), a.args().get(0).loc());
  }
}
