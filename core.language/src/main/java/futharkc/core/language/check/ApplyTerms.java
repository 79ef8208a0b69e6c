package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types of applications, without sizes. */
final class ApplyTerms {
  private final TermInfer infer;

  ApplyTerms(TermInfer infer) {
    this.infer = infer;
  }

  Term apply(Exp.Apply a) {
    Term f = infer.exp(a.fun());
    List<Term> args = new ArrayList<>(a.args().size());
    for (Exp x : a.args()) {
      args.add(infer.exp(x));
    }
    String name = a.fun() instanceof Exp.Var v ? v.name().toString() : null;
    return applyTo(f, args, name, a.args(), a.loc());
  }

  Term applyTo(
      Term f, List<Term> args, @Nullable String name, List<? extends Exp> written, Loc loc) {
    Type t = TypeVar.prune(f.type());
    String what = name == null ? "function" : "\"" + name + "\"";
    boolean fits = true;
    for (int i = 0; i < args.size(); i++) {
      Term arg = args.get(i);
      Exp argExp = written.get(i);
      if (!(t instanceof Type.Fun)) {
        if (!(t instanceof TypeVar)) {
          Type type = t;
          int since = infer.reported();
          if (i > 0) {
            infer.error(
                "E0402",
                loc,
                "Cannot apply "
                    + what
                    + " to "
                    + args.size()
                    + " arguments.\nFunction accepts only "
                    + i
                    + (i == 1 ? " argument." : " arguments."));
            infer.hint(since, ForeignSyntaxHints.arguments(name, args.size()));
          } else if (name == null) {
            infer.error(
                "E0402",
                loc,
                "Cannot apply expression as function, since it is of type:\n  "
                    + TypePrinter.unsized(type));
          } else {
            infer.error(
                "E0402",
                loc,
                "Cannot apply "
                    + what
                    + " as function, since it is of type:\n  "
                    + TypePrinter.unsized(type));
          }
          if (i == 0) {
            infer.hint(since, ForeignSyntaxHints.application(written));
          }
          return infer.hole(loc);
        }
        Type shape =
            TermInfer.fun(infer.fresh(Liftedness.LIFTED, loc), infer.fresh(Liftedness.LIFTED, loc));
        Type type = t;
        infer.expect(
            loc,
            type,
            shape,
            () ->
                "Cannot apply "
                    + (name == null ? "expression" : what)
                    + " as function, since it is of type:\n  "
                    + TypePrinter.unsized(type));
        t = TypeVar.prune(t);
        if (!(t instanceof Type.Fun)) {
          return infer.hole(loc);
        }
      }
      Type.Fun fun = (Type.Fun) t;
      int since = infer.reported();
      List<TypeVar> data = new ArrayList<>();
      int passed = parameters(fun.from(), data);
      int taken = parameters(arg.type(), new ArrayList<>());
      boolean isComplete = hasDataResult(fun.from());
      infer.expect(
          argExp.loc(),
          fun.from(),
          arg.type(),
          () ->
              "Cannot apply "
                  + what
                  + " to \""
                  + SyntaxText.brief(argExp)
                  + "\" (invalid type).\nExpected: "
                  + TypePrinter.unsized(fun.from())
                  + "\nActual:   "
                  + TypePrinter.unsized(arg.type()));
      if (f instanceof Term.Global g && g.value().loc().file().equals(loc.file())) {
        infer.explain(since, g.value().loc(), "the function is defined here");
      }
      boolean failed =
          infer.reported() > since
              || data.stream().anyMatch(v -> TypeVar.prune(v) instanceof Type.Fun);
      if (failed && passed > 0 && taken > 0 && (taken < passed || taken > passed && isComplete)) {
        infer.retract(since);
        infer.error(
            "E0405",
            argExp.loc(),
            "Cannot apply "
                + what
                + " to \""
                + SyntaxText.brief(argExp)
                + "\" (invalid type).\nThis function has "
                + taken
                + (taken == 1 ? " parameter" : " parameters")
                + ", but "
                + what
                + " passes "
                + passed
                + (taken > passed ? ": the result would be functional." : "."));
        if (args.size() > parameters(f.type(), new ArrayList<>())) {
          infer.hint(since, ForeignSyntaxHints.arguments(name, args.size()));
        }
        return infer.hole(loc);
      }
      fits = fits && !infer.hasFailed(since);
      t = TypeVar.prune(fun.result().type());
    }
    if (!fits) {
      return infer.hole(loc);
    }
    return new Term.Apply(f, args, name, written, t, loc);
  }

  /**
   * Returns the number of parameters of a function; 0 if the type is no function.
   *
   * @param data receives the unknown types of parameters and of the result that are no functions
   */
  private static int parameters(Type type, List<TypeVar> data) {
    Type t = TypeVar.prune(type);
    if (t instanceof TypeVar v && v.liftedness != Liftedness.LIFTED) {
      data.add(v);
    }
    if (!(t instanceof Type.Fun f)) {
      return 0;
    }
    if (TypeVar.prune(f.from()) instanceof TypeVar v && v.liftedness != Liftedness.LIFTED) {
      data.add(v);
    }
    return 1 + parameters(f.result().type(), data);
  }

  /** Tests whether a function with all its arguments returns no function. */
  private static boolean hasDataResult(Type type) {
    Type t = TypeVar.prune(type);
    return t instanceof Type.Fun f
        ? hasDataResult(f.result().type())
        : !(t instanceof TypeVar v && v.liftedness == Liftedness.LIFTED);
  }
}
