package futharkc.core.language.rules;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Exp.Binding;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A check of derivatives. It warns about attributes for derivatives that have no effect. It also
 * warns about functions with a custom derivative that capture float variables, because the
 * derivative treats captured variables as constants.
 */
public final class DerivativeCheck {
  private final Diagnostics diagnostics;
  private final Map<Name, Type> local = new HashMap<>();
  private final Map<Name, ValDef> functions = new HashMap<>();

  private DerivativeCheck(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  /** Warns about a definition. */
  public static void check(ValDef def, Diagnostics diagnostics) {
    DerivativeCheck c = new DerivativeCheck(diagnostics);
    def.params().forEach(c::bind);
    ExpressionTraversal.each(def.body(), c::bind);
    ExpressionTraversal.each(def.body(), c::visit);
  }

  private void bind(Pat pat) {
    ExpressionTraversal.each(
        pat,
        p -> {
          if (p instanceof Pat.Var v) {
            local.put(v.name(), v.type());
          }
        });
  }

  private void bind(Exp e) {
    ExpressionTraversal.patterns(e).forEach(this::bind);
    if (!(e instanceof Exp.Let l)) {
      return;
    }
    for (Binding b : l.bindings()) {
      if (b instanceof Binding.OfFun f) {
        functions.put(f.def().name(), f.def());
      }
    }
  }

  private void visit(Exp e) {
    if (e instanceof Exp.Attributed a) {
      attribute(a);
    }
    if (e instanceof Exp.Apply a && a.fun() instanceof Exp.Var f && !a.args().isEmpty()) {
      String name = f.name().base();
      if (name.equals("with_vjp") || name.equals("with_vjp_tape")) {
        custom(a.args().get(0), name);
      }
    }
  }

  // Attributes

  private void attribute(Exp.Attributed a) {
    Exp inner = a.exp();
    while (inner instanceof Exp.Attributed more) {
      inner = more.exp();
    }
    Exp.Form form = inner instanceof Exp.Loop l ? l.form() : null;
    boolean isWhile = form instanceof Exp.Form.While;
    switch (a.attr()) {
      case Attr.Atom x when x.name().equals("true_dep") ->
          warn(a.loc(), "true_dep", "Write it in front of a loop parameter.");
      case Attr.Atom x when x.name().equals("stripmine") || x.name().equals("bound") ->
          warn(a.loc(), x.name(), "It takes a number: #[" + x.name() + "(2)].");
      case Attr.Compound x when x.name().equals("stripmine") -> {
        if (form == null || isWhile) {
          warn(a.loc(), "stripmine", "Write it in front of a for-loop.");
        } else {
          number(a.loc(), x);
        }
      }
      case Attr.Compound x when x.name().equals("bound") -> {
        if (!isWhile) {
          warn(a.loc(), "bound", "Write it in front of a while-loop.");
        } else {
          number(a.loc(), x);
        }
      }
      case Attr.Atom _, Attr.Compound _, Attr.Int _ -> {}
    }
  }

  private void number(Loc loc, Attr.Compound x) {
    boolean fits =
        x.args().size() == 1
            && x.args().get(0) instanceof Attr.Int n
            && n.value() >= 0
            && n.value() < 1_000_000_000;
    if (!fits) {
      warn(loc, x.name(), "It takes one number below a billion.");
    }
  }

  private void warn(Loc loc, String name, String note) {
    diagnostics.report(
        Diagnostic.warning("W0407", loc, "The attribute \"" + name + "\" has no effect here.")
            .note(note));
  }

  // Custom derivatives

  private void custom(Exp function, String name) {
    Exp body =
        function instanceof Exp.Lambda l
            ? l
            : function instanceof Exp.Var v && functions.get(v.name()) instanceof ValDef def
                ? def.body()
                : null;
    if (body == null) {
      return;
    }
    Set<Name> inside = new HashSet<>();
    Set<Name> used = new HashSet<>();
    if (function instanceof Exp.Var v && functions.get(v.name()) instanceof ValDef def) {
      def.params().forEach(p -> names(p, inside));
    }
    ExpressionTraversal.each(
        body,
        e -> {
          ExpressionTraversal.patterns(e).forEach(p -> names(p, inside));
          if (e instanceof Exp.Var v) {
            used.add(v.name());
          }
        });
    Set<String> free = new TreeSet<>();
    for (Name n : used) {
      Type t = local.get(n);
      if (t != null && !inside.contains(n) && isSmooth(t)) {
        free.add("\"" + n.base() + "\"");
      }
    }
    if (free.isEmpty()) {
      return;
    }
    diagnostics.report(
        Diagnostic.warning(
                "W0408",
                function.loc(),
                "The function given to " + name + " uses " + String.join(", ", free) + ".")
            .note(
                "Reverse derivatives treat free variables as constants. Pass them as arguments"
                    + " instead."));
  }

  private static void names(Pat pat, Set<Name> into) {
    ExpressionTraversal.each(
        pat,
        p -> {
          if (p instanceof Pat.Var v) {
            into.add(v.name());
          }
        });
  }

  /** Tests whether a type contains floats. */
  private static boolean isSmooth(Type t) {
    return switch (t) {
      case Type.Prim p -> List.of(PrimType.F16, PrimType.F32, PrimType.F64).contains(p.type());
      case Type.Array a -> isSmooth(a.elem());
      case Type.Record r -> r.fields().values().stream().anyMatch(DerivativeCheck::isSmooth);
      case Type.Sum s ->
          s.variants().values().stream().flatMap(List::stream).anyMatch(DerivativeCheck::isSmooth);
      default -> false;
    };
  }
}
