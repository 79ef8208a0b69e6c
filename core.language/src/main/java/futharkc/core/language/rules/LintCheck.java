package futharkc.core.language.rules;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Exp.Binding;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A check that warns about unused names, holes, and comparisons of arrays. */
public final class LintCheck {
  private final Map<Name, Loc> bound = new LinkedHashMap<>();
  private final Set<Name> used = new HashSet<>();
  private final Set<Exp> sizesSeen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Function<Type, String> typeText;
  private final Diagnostics diagnostics;

  private LintCheck(Function<Type, String> typeText, Diagnostics diagnostics) {
    this.typeText = typeText;
    this.diagnostics = diagnostics;
  }

  /**
   * Warns about a definition.
   *
   * @param typeText a function from a type to its text
   */
  public static void check(ValDef def, Function<Type, String> typeText, Diagnostics diagnostics) {
    new LintCheck(typeText, diagnostics).run(def);
  }

  private void run(ValDef def) {
    function(def);
    ExpressionTraversal.each(def.body(), this::visit);
    bound.forEach(
        (name, loc) -> {
          if (used.contains(name) || name.base().startsWith("_")) {
            return;
          }
          diagnostics.report(
              Diagnostic.warning("W0301", loc, "Unused name \"" + name.base() + "\"."));
        });
  }

  private void function(ValDef def) {
    def.params().forEach(this::pattern);
    sizes(def.result().type());
  }

  private void visit(Exp e) {
    ExpressionTraversal.patterns(e).forEach(this::pattern);
    switch (e) {
      case Exp.Var v -> used.add(v.name());
      case Exp.BinOp b -> {
        boolean equality = b.op() == Exp.Op.EQ || b.op() == Exp.Op.NEQ;
        if (equality && b.operands() instanceof Type.Array) {
          diagnostics.report(
              Diagnostic.warning(
                  "W0404",
                  b.loc(),
                  "Comparing arrays with \"" + b.op().text + "\" is deprecated."));
        }
      }
      case Exp.Hole h ->
          diagnostics.report(
              Diagnostic.warning(
                      "W0406",
                      h.loc(),
                      "The program has a hole of type " + typeText.apply(h.type()) + ".")
                  .note("Evaluation of the hole fails at run time."));
      case Exp.Coerce c -> sizes(c.type());
      case Exp.Lambda l -> sizes(l.result().type());
      case Exp.Loop l -> {
        if (l.form() instanceof Exp.Form.For f) {
          bound.put(f.index(), f.indexLoc());
        }
      }
      case Exp.Let l -> {
        for (Binding b : l.bindings()) {
          if (!(b instanceof Binding.OfFun f)) {
            continue;
          }
          bound.put(f.def().name(), f.nameLoc());
          sizes(f.def().result().type());
        }
      }
      case Exp.Lit _, Exp.StringLit _, Exp.Record _, Exp.ArrayLit _ -> {}
      case Exp.Project _, Exp.Apply _, Exp.Constr _, Exp.UnOp _, Exp.And _, Exp.Or _ -> {}
      case Exp.Range _, Exp.Index _, Exp.With _, Exp.If _, Exp.Match _ -> {}
      case Exp.Assert _, Exp.Attributed _ -> {}
    }
  }

  private void pattern(Pat pat) {
    ExpressionTraversal.each(
        pat,
        p -> {
          if (p instanceof Pat.Var v) {
            bound.put(v.name(), v.loc());
          }
        });
    sizes(pat.type());
  }

  /** Marks the names in sizes as used. */
  private void sizes(Type t) {
    switch (t) {
      case Type.Prim _, MetaType _ -> {}
      case Type.Array a -> {
        size(a.size());
        sizes(a.elem());
      }
      case Type.Record r -> r.fields().values().forEach(this::sizes);
      case Type.Sum s -> s.variants().values().stream().flatMap(List::stream).forEach(this::sizes);
      case Type.Fun f -> {
        sizes(f.from());
        sizes(f.result().type());
      }
      case Type.Named n -> {
        for (Type.Arg arg : n.args()) {
          switch (arg) {
            case Type.Arg.OfSize s -> size(s.size());
            case Type.Arg.OfType p -> sizes(p.type());
          }
        }
      }
    }
  }

  private void size(Type.Size s) {
    switch (s) {
      case Type.Size.Const _, Type.Size.Any _ -> {}
      case Type.Size.Var v -> used.add(v.name());
      case Type.Size.Of e ->
          ExpressionTraversal.once(
              e.exp(),
              sizesSeen,
              part -> {
                if (part instanceof Exp.Var v) {
                  used.add(v.name());
                }
              });
    }
  }
}
