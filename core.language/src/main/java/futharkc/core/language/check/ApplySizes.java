package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The sizes of function results at applications. */
final class ApplySizes {
  private final SizeInfer infer;
  private final SizeSolver sizes;

  ApplySizes(SizeInfer infer) {
    this.infer = infer;
    this.sizes = infer.sizes;
  }

  Exp apply(Term.Apply a) {
    Exp f = infer.exp(a.fun());
    List<Exp> args = new ArrayList<>(a.args().size());
    for (Term x : a.args()) {
      args.add(infer.exp(x));
    }
    List<Name> made = new ArrayList<>();
    Type t = f.type();
    for (int i = 0; i < args.size(); i++) {
      t = applyOne(t, a, i, args.get(i), made);
    }
    Type result = SizeInfer.plain(infer.norm(t));
    return new Exp.Apply(f, args, made, result, a.loc());
  }

  private Type applyOne(Type fun, Term.Apply a, int i, Exp arg, List<Name> made) {
    Type.Fun f = (Type.Fun) infer.norm(fun);
    String what = a.name() == null ? "function" : "\"" + a.name() + "\"";
    Loc loc = a.loc();
    sizes.unify(
        SizeInfer.usage(
            arg.loc(),
            "use as function argument",
            types ->
                "Cannot apply "
                    + what
                    + " to \""
                    + SyntaxText.brief(a.written().get(i))
                    + "\" (invalid type).\nExpected: "
                    + types.of(infer.norm(f.from()))
                    + "\nActual:   "
                    + types.of(infer.norm(arg.type()))),
        f.from(),
        arg.type());
    List<Name> here = new ArrayList<>();
    Type result = infer.norm(f.result().type());
    if (!f.result().sizes().isEmpty()) {
      Subst s = new Subst(infer.cx.names);
      for (Name n : f.result().sizes()) {
        Name u =
            sizes.unknown(
                n.base(), loc, "is unknown size returned by " + what + " at " + loc + ".");
        here.add(u);
        s.size(n, SizeSolver.ref(u));
      }
      result = s.type(result);
    }
    Unscope.Result bound = bindPending(result, loc);
    here.addAll(bound.sizes());
    result = bound.type();
    checkParamSizes(result, here, infer.norm(arg.type()), a, i);

    if (f.param() != null && Positions.free(result).contains(f.param())) {
      Type.Size by;
      if (SizeExps.hasBinding(arg)) {
        infer.arrays.warnBinding(arg.loc());
        Name n =
            sizes.unknown(
                "n",
                arg.loc(),
                "is value of argument\n  "
                    + SyntaxText.brief(a.written().get(i))
                    + "\npassed to "
                    + what
                    + " at "
                    + arg.loc()
                    + ".");
        here.add(n);
        by = SizeSolver.ref(n);
      } else {
        by = SizeExps.size(arg);
      }
      result = new Subst(infer.cx.names).size(f.param(), by).type(result);
    }
    made.addAll(here);
    return result;
  }

  /**
   * Binds sizes that have turned out to be existential. A size in a function's result is bound
   * there; any other becomes a fresh unknown size.
   */
  Unscope.Result bindPending(Type t, Loc loc) {
    Set<Name> pending = new HashSet<>();
    for (Name n : Positions.free(t)) {
      if (sizes.isPending(n)) {
        pending.add(n);
      }
    }
    if (pending.isEmpty()) {
      return new Unscope.Result(t, List.of());
    }
    Type merged = sizes.representatives(pending).type(t);
    return Unscope.apply(
        merged,
        s -> SizeInfer.mentions(s, pending) != null,
        s -> sizes.unknown("d", loc, "is unknown size returned by function at " + loc + "."));
  }

  private void checkParamSizes(Type result, List<Name> made, Type arg, Term.Apply a, int i) {
    Set<Name> problematic = new HashSet<>(made);
    boundInside(arg, problematic);
    if (problematic.isEmpty()) {
      return;
    }
    Set<Name> produced = new HashSet<>();
    Set<Name> params = new HashSet<>();
    Positions.uses(result, produced, params);
    params.removeAll(produced);
    for (Name n : params) {
      if (problematic.contains(n)) {
        throw new DiagnosticException(
            Diagnostic.error(
                    "E0506",
                    a.loc(),
                    "Cannot apply "
                        + (a.name() == null ? "function" : "\"" + a.name() + "\"")
                        + " to \""
                        + SyntaxText.brief(a.written().get(i))
                        + "\" (invalid type).\n\n"
                        + "Existential size would appear in function parameter of return type:\n"
                        + "  "
                        + TypePrinter.show(new Type.Result(made, result))
                        + "\n"
                        + "This is because a higher-order function is used with functional"
                        + " arguments that return existential sizes or locally named sizes, which"
                        + " are then used as parameters of other function arguments.")
                .see("existential-param-ret"));
      }
    }
  }

  private static void boundInside(Type t, Set<Name> into) {
    switch (t) {
      case Type.Fun f -> {
        if (f.param() != null) {
          into.add(f.param());
        }
        into.addAll(f.result().sizes());
        boundInside(f.from(), into);
        boundInside(f.result().type(), into);
      }
      case Type.Record r -> r.fields().values().forEach(x -> boundInside(x, into));
      case Type.Sum s -> s.variants().values().forEach(ps -> ps.forEach(x -> boundInside(x, into)));
      case Type.Array a -> boundInside(a.elem(), into);
      case Type.Named n -> {
        for (Type.Arg a : n.args()) {
          if (a instanceof Type.Arg.OfType o) {
            boundInside(o.type(), into);
          }
        }
      }
      case Type.Prim p -> {}
      case futharkc.core.language.typed.MetaType m -> {}
    }
  }
}
