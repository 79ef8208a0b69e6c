package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.MetaType;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.List;

/**
 * Checks that inference does not depend on: the positions of functions, and the types that {@code
 * ==} accepts.
 */
final class LocalChecks {
  private final CheckContext cx;

  private LocalChecks(CheckContext cx) {
    this.cx = cx;
  }

  static void check(ValDef def, CheckContext cx) {
    new LocalChecks(cx).exp(def.body());
  }

  private void error(String code, Loc loc, String message) {
    cx.report(Diagnostic.error(code, loc, message));
  }

  private boolean isFunctional(Type t) {
    return cx.liftednessOf(t) == Liftedness.LIFTED;
  }

  private void exp(Exp e) {
    switch (e) {
      case Exp.If i -> {
        if (isFunctional(i.type())) {
          error(
              "E0407",
              i.loc(),
              "If-expression returns type\n  "
                  + TypePrinter.show(i.type())
                  + "\nbut results of if may not be of function type.");
        }
      }
      case Exp.Match m -> {
        if (isFunctional(m.type())) {
          error(
              "E0407",
              m.loc(),
              "Match-expression returns type\n  "
                  + TypePrinter.show(m.type())
                  + "\nbut results of match may not be of function type.");
        }
      }
      case Exp.Loop l -> {
        if (isFunctional(l.pat().type())) {
          error(
              "E0407",
              l.pat().loc(),
              "Loop parameter inferred to have type\n  "
                  + TypePrinter.show(l.pat().type())
                  + "\nbut a loop parameter may not be of function type.");
        }
      }
      case Exp.ArrayLit a -> elem(((Type.Array) a.type()).elem(), a.loc());
      case Exp.BinOp b when b.op() == Exp.Op.EQ || b.op() == Exp.Op.NEQ -> {
        if (!supportsEquality(b.operands())) {
          error(
              "E0408",
              b.loc(),
              "Comparing equality of values of type\n  "
                  + TypePrinter.show(b.operands())
                  + "\nwhich does not support equality.");
        }
      }
      case Exp.Let l -> {
        for (Exp.Binding b : l.bindings()) {
          if (b instanceof Exp.Binding.OfFun f) {
            exp(f.def().body());
          }
          if (b instanceof Exp.Binding.OfPat p) {
            exp(p.value());
          }
        }
        exp(l.body());
        return;
      }
      default -> {}
    }
    SizeExps.children(e, this::exp);
  }

  private void elem(Type t, Loc loc) {
    if (!CheckContext.orderZero(t)) {
      error("E0405", loc, "Type\n  " + TypePrinter.show(t) + "\nfound to be functional.");
      return;
    }
    Name lifted = lifted(t);
    if (lifted != null) {
      error(
          "E0405",
          loc,
          "Type parameter \"" + lifted.base() + "\" is lifted and cannot be an array element.");
    }
  }

  private @org.jspecify.annotations.Nullable Name lifted(Type t) {
    return switch (t) {
      case Type.Named n ->
          cx.liftedness.getOrDefault(n.name(), Liftedness.UNLIFTED) == Liftedness.UNLIFTED
              ? null
              : n.name();
      case Type.Array a -> lifted(a.elem());
      case Type.Record r ->
          r.fields().values().stream()
              .map(this::lifted)
              .filter(java.util.Objects::nonNull)
              .findFirst()
              .orElse(null);
      case Type.Sum s ->
          s.variants().values().stream()
              .flatMap(List::stream)
              .map(this::lifted)
              .filter(java.util.Objects::nonNull)
              .findFirst()
              .orElse(null);
      case Type.Prim p -> null;
      case Type.Fun f -> null;
      case MetaType m -> null;
    };
  }

  private static boolean supportsEquality(Type t) {
    return switch (t) {
      case Type.Prim p -> true;
      case Type.Array a -> supportsEquality(a.elem());
      case Type.Record r -> r.fields().values().stream().allMatch(LocalChecks::supportsEquality);
      case Type.Sum s ->
          s.variants().values().stream()
              .flatMap(List::stream)
              .allMatch(LocalChecks::supportsEquality);
      case Type.Fun f -> false;
      case Type.Named n -> false;
      case MetaType m -> false;
    };
  }
}
