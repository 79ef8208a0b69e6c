package futharkc.core.language.check;

import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.rules.PatternCheck;
import futharkc.core.language.rules.RecursionCheck;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import futharkc.core.language.uniqueness.UniquenessCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checker of one definition of a value or type. */
final class DefChecker {
  private final CheckContext cx;

  DefChecker(CheckContext cx) {
    this.cx = cx;
  }

  /** A checked definition and its type scheme. */
  record Checked(ValDef def, Scheme scheme) {}

  /** The result of the first pass over a definition. */
  private record Inferred(TermInfer infer, Term.FunTerm fun, List<TypeParamInfo> generalised) {}

  private Inferred infer(Dec.Val d, LexicalScope scope, boolean recursive) {
    TermInfer infer = new TermInfer(cx, scope);
    TermInfer.FunResult f =
        infer.function(
            d.name(), d.typeParams(), d.params(), d.result(), d.body(), recursive, d.loc());
    return new Inferred(infer, f.fun(), infer.finish(f.type()));
  }

  /** Checks a definition of a function or value. Returns null after reporting errors. */
  @Nullable Checked value(Dec.Val d, LexicalScope scope) {
    Inferred inferred = infer(d, scope, true);
    if (inferred.infer.failed()
        && inferred.infer.isRecursive()
        && scope.value(d.name()) instanceof Entity.Value) {
      // Compatibility with programs written before Futhark had recursion: the name can denote an
      // earlier definition.
      Inferred other = infer(d, scope, false);
      if (!other.infer.failed()) {
        inferred = other;
        cx.report(
            Diagnostic.warning(
                "W0302",
                d.nameLoc(),
                "The name \""
                    + d.name()
                    + "\" in its own definition refers to an earlier definition, because a"
                    + " recursive call would be ill-typed."));
      }
    }
    inferred.infer.report();
    if (inferred.infer.failed()) {
      return null;
    }
    List<TypeParamInfo> generalised = inferred.generalised;
    Term.FunTerm fun = inferred.fun;
    List<TypeParamInfo> typeParams = new ArrayList<>(fun.typeParams());
    typeParams.addAll(generalised);
    Term.FunTerm typed =
        new Term.FunTerm(
            fun.name(),
            fun.sizeParams(),
            typeParams,
            fun.params(),
            fun.result(),
            fun.body(),
            fun.self(),
            fun.loc());
    try {
      ValDef def = sizes(typed, d);
      int before = cx.diagnostics.errors().size();
      LocalChecks.check(def, cx);
      PatternCheck.check(def, cx.diagnostics);
      Set<Name> lifted = new HashSet<>();
      for (TypeParamInfo p : typeParams) {
        if (p.liftedness() == Liftedness.LIFTED) {
          lifted.add(p.name());
        }
      }
      RecursionCheck.check(def, lifted, cx.diagnostics);
      if (cx.diagnostics.errors().size() == before) {
        def = UniquenessCheck.check(def, cx.applications > 0, cx.sharedResults, cx.diagnostics);
      }
      if (cx.diagnostics.errors().size() != before) {
        return null;
      }
      return new Checked(def, new Scheme(def.sizeParams(), typeParams, def.type()));
    } catch (DiagnosticException e) {
      cx.diagnostics.report(e);
      return null;
    }
  }

  /**
   * Infers the sizes. In the first attempt, branches may have different sizes. If that leaves the
   * definition ill-typed, a second attempt lets branches determine open sizes of parameters.
   */
  private ValDef sizes(Term.FunTerm fun, Dec.Val d) {
    try {
      return sizes(fun, d, new SizeInfer(cx, false));
    } catch (DiagnosticException e) {
      SizeInfer pinning = new SizeInfer(cx, true);
      ValDef def;
      try {
        def = sizes(fun, d, pinning);
      } catch (DiagnosticException again) {
        throw pinning.sizes.pinned().isEmpty() ? e : again;
      }
      for (SizeUnifier.Pin pin : pinning.sizes.pinned()) {
        cx.report(
            Diagnostic.warning(
                    "W0502",
                    pin.loc(),
                    "This branch determines an unwritten size of a parameter as "
                        + TypePrinter.show(pinning.sizes.norm(pin.size()))
                        + ", because later code requires that both branches have the same size.")
                .hint("Declare a size parameter to state the size."));
      }
      return def;
    }
  }

  private static ValDef sizes(Term.FunTerm fun, Dec.Val d, SizeInfer infer) {
    ValDef def = infer.function(fun, d.attrs(), d.doc());
    infer.checkAmbiguous();
    def = SolutionSubstitution.apply(infer, def);
    Causality.check(def, infer.sizes);
    return def;
  }

  /** Returns the type scheme of a value specification. */
  @Nullable Scheme spec(List<TypeParam> params, TypeExp type, LexicalScope scope) {
    TermInfer first = new TermInfer(cx, scope);
    List<LocalVar> sizes = new ArrayList<>();
    List<TypeParamInfo> types = first.types().bindParams(params, sizes);
    Term.TypeTerm t = first.types().typeTerm(type);
    first.finish(t.type());
    first.report();
    if (first.failed()) {
      return null;
    }
    if (!t.paramAnonymous().isEmpty()) {
      cx.error(
          "E0703",
          type.loc(),
          "All function parameters must have non-anonymous sizes in the specified type\n  "
              + SyntaxText.type(type)
              + "\nAdd size parameters for them.");
      return null;
    }
    SizeInfer second = new SizeInfer(cx, true);
    for (LocalVar v : sizes) {
      second.bindSize(v);
    }
    Type checked = new Settled(second).type(second.expressions(t));
    Set<Name> used = Positions.free(checked);
    Positions.constructive(checked, used);
    for (LocalVar v : sizes) {
      if (!used.contains(v.name)) {
        cx.report(
            Diagnostic.error("E0508", v.loc, "Size [" + v.name.base() + "] unused.")
                .see("unused-size"));
        return null;
      }
    }
    return new Scheme(sizes.stream().map(v -> v.name).toList(), types, checked);
  }

  /** Checks a type abbreviation. Returns null after reporting errors. */
  @Nullable TypeBinding type(
      Liftedness liftedness,
      String name,
      List<TypeParam> params,
      TypeExp type,
      futharkc.core.ir.Loc loc,
      LexicalScope scope) {
    TermInfer first = new TermInfer(cx, scope);
    List<LocalVar> sizes = new ArrayList<>();
    List<TypeParamInfo> types = first.types().bindParams(params, sizes);
    Term.TypeTerm t = first.types().typeTerm(type);
    Liftedness actual = first.types().liftedness(type);
    first.finish(t.type());
    first.report();
    if (first.failed()) {
      return null;
    }
    SizeInfer second = new SizeInfer(cx, true);
    for (LocalVar v : sizes) {
      second.bindSize(v);
    }
    Type checked = new Settled(second).type(second.expressions(t));
    if (!t.paramAnonymous().isEmpty()) {
      cx.report(
          Diagnostic.error(
                  "E0409",
                  loc,
                  "Type abbreviation contains an anonymous size not used constructively (as an"
                      + " array size).")
              .see("anonymous-nonconstructive"));
      return null;
    }
    Set<Name> free = Positions.free(checked);
    for (LocalVar v : sizes) {
      if (!free.contains(v.name)) {
        cx.error("E0508", v.loc, "Size parameter \"[" + v.name.base() + "]\" unused.");
        return null;
      }
    }
    if (liftedness != Liftedness.LIFTED && actual == Liftedness.LIFTED) {
      cx.error(
          "E0409",
          loc,
          "Invalid definition of type \""
              + name
              + "\".\nNon-lifted type abbreviations may not contain functions.");
      return null;
    }
    if (liftedness == Liftedness.UNLIFTED
        && (!t.anonymous().isEmpty() || actual == Liftedness.SIZE_LIFTED)) {
      cx.error(
          "E0409",
          loc,
          "Invalid definition of type \""
              + name
              + "\".\n"
              + "Non-lifted type abbreviations may not contain size-lifted types, or anonymous or"
              + " existential sizes.");
      return null;
    }
    Name n = cx.names.fresh(name);
    List<TypeBinding.Param> ps = params(params, sizes, types);
    return new TypeBinding(n, liftedness, ps, new Type.Result(t.anonymous(), checked), loc);
  }

  /** Returns the parameters of an abstract type. */
  List<TypeBinding.Param> params(List<TypeParam> params) {
    List<TypeBinding.Param> result = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (TypeParam p : params) {
      if (!seen.add((p instanceof TypeParam.Size ? "[" : "'") + p.name())) {
        cx.error(
            "E0303",
            p.loc(),
            "Type or size parameter \"" + p.name() + "\" was previously defined.");
      }
      Name n = cx.names.fresh(p.name());
      result.add(
          switch (p) {
            case TypeParam.Size s -> new TypeBinding.Param(n, true, Liftedness.UNLIFTED);
            case TypeParam.Type t -> new TypeBinding.Param(n, false, t.liftedness());
          });
    }
    return result;
  }

  private static List<TypeBinding.Param> params(
      List<TypeParam> params, List<LocalVar> sizes, List<TypeParamInfo> types) {
    List<TypeBinding.Param> result = new ArrayList<>();
    int s = 0;
    int t = 0;
    for (TypeParam p : params) {
      result.add(
          switch (p) {
            case TypeParam.Size z ->
                new TypeBinding.Param(sizes.get(s++).name, true, Liftedness.UNLIFTED);
            case TypeParam.Type z ->
                new TypeBinding.Param(types.get(t++).name(), false, z.liftedness());
          });
    }
    return result;
  }

  /** A mapper that replaces solved unknowns in a complete type. */
  private static final class Settled extends Mapper {
    private final SizeInfer infer;

    Settled(SizeInfer infer) {
      this.infer = infer;
    }

    @Override
    Type.Size sizeVar(Type.Size.Var v) {
      return infer.sizes.norm(v);
    }

    @Override
    Type meta(futharkc.core.language.typed.MetaType m) {
      return type(TypeVar.prune(m));
    }
  }
}
