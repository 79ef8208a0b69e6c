package futharkc.core.language.rules;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.Diagnostics;
import futharkc.core.language.Intrinsics;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * A check that a recursive function can be lowered to a first-order function. Its result contains
 * no function, its recursive calls pass its functional parameters unchanged, and no accumulator
 * occurs in its type.
 */
public final class RecursionCheck {
  private final ValDef def;
  private final Set<Name> lifted;
  private final Diagnostics diagnostics;

  private RecursionCheck(ValDef def, Set<Name> lifted, Diagnostics diagnostics) {
    this.def = def;
    this.lifted = lifted;
    this.diagnostics = diagnostics;
  }

  /**
   * Checks a definition. Definitions without recursion always pass.
   *
   * @param lifted the type parameters that may be instantiated with functions
   */
  public static void check(ValDef def, Set<Name> lifted, Diagnostics diagnostics) {
    if (def.recursive()) {
      new RecursionCheck(def, lifted, diagnostics).run();
    }
  }

  private void run() {
    if (holdsFunction(def.result().type())) {
      error(
          "E0460",
          def.loc(),
          "The result of the recursive function " + name() + " is not first-order.");
    }
    if (holdsAccumulator(def.result().type())
        || def.params().stream().anyMatch(p -> holdsAccumulator(p.type()))) {
      error(
          "E0464",
          def.loc(),
          "The recursive function "
              + name()
              + " has an accumulator in its type. Return the values to write, or use a loop.");
    }
    if (def.params().stream().noneMatch(p -> holdsFunction(p.type()))) {
      return;
    }
    Set<Exp> called = Collections.newSetFromMap(new IdentityHashMap<>());
    ExpressionTraversal.each(
        def.body(),
        e -> {
          if (e instanceof Exp.Apply a && isSelf(a.fun())) {
            called.add(a.fun());
            call(a);
          } else if (isSelf(e) && !called.contains(e)) {
            error(
                "E0461",
                e.loc(),
                "The recursive function "
                    + name()
                    + " has a higher-order parameter and may only occur in a call.");
          }
        });
  }

  private void call(Exp.Apply a) {
    if (a.args().size() < def.params().size()) {
      error(
          "E0462",
          a.loc(),
          "This call of the recursive function "
              + name()
              + ", which has a higher-order parameter, is not fully saturated.");
      return;
    }
    for (int i = 0; i < def.params().size(); i++) {
      Exp arg = a.args().get(i);
      if (!passes(def.params().get(i), arg)) {
        error(
            "E0463",
            arg.loc(),
            "The higher-order parameter of the recursive function "
                + name()
                + " must be passed unchanged.");
      }
    }
  }

  /** Tests whether an argument passes all functions of a parameter unchanged. */
  private boolean passes(Pat param, Exp arg) {
    if (!holdsFunction(param.type())) {
      return true;
    }
    return switch (param) {
      case Pat.Var v -> arg instanceof Exp.Var w && w.name().equals(v.name());
      case Pat.Record r ->
          arg instanceof Exp.Record e
              && r.fields().entrySet().stream()
                  .allMatch(
                      f -> {
                        Exp field = e.fields().get(f.getKey());
                        return field != null && passes(f.getValue(), field);
                      });
      case Pat.Wildcard _, Pat.Literal _, Pat.Constr _ -> false;
    };
  }

  private boolean isSelf(Exp e) {
    return e instanceof Exp.Var v && v.name().equals(def.name());
  }

  private boolean holdsFunction(Type t) {
    return switch (t) {
      case Type.Prim _, Type.Array _, MetaType _ -> false;
      case Type.Fun _ -> true;
      case Type.Named n -> lifted.contains(n.name());
      case Type.Record r -> r.fields().values().stream().anyMatch(this::holdsFunction);
      case Type.Sum s ->
          s.variants().values().stream().flatMap(List::stream).anyMatch(this::holdsFunction);
    };
  }

  private static boolean holdsAccumulator(Type t) {
    return switch (t) {
      case Type.Prim _, Type.Array _, Type.Fun _, MetaType _ -> false;
      case Type.Named n -> n.name().isIntrinsic() && n.name().base().equals(Intrinsics.ACC);
      case Type.Record r -> r.fields().values().stream().anyMatch(RecursionCheck::holdsAccumulator);
      case Type.Sum s ->
          s.variants().values().stream()
              .flatMap(List::stream)
              .anyMatch(RecursionCheck::holdsAccumulator);
    };
  }

  private String name() {
    return '"' + def.name().base() + '"';
  }

  private void error(String code, Loc loc, String message) {
    diagnostics.report(Diagnostic.error(code, loc, message));
  }
}
