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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sizes of function parameters and results, and the generalisation over them. */
final class FunctionSizes {
  private final SizeInfer infer;
  private final SizeSolver sizes;

  FunctionSizes(SizeInfer infer) {
    this.infer = infer;
    this.sizes = infer.sizes;
  }

  /**
   * Removes the name of a parameter itself from the names that the parameter binds. The remaining
   * names are invisible in the function's type.
   */
  private static void hidden(Pat p, Set<Name> names) {
    if (p instanceof Pat.Var v) {
      names.remove(v.name());
    }
  }

  /** Returns the name of a parameter in the function's type, or null. */
  static @Nullable Name paramName(Pat p) {
    return p instanceof Pat.Var v ? v.name() : null;
  }

  private record Body(Exp exp, Type type) {}

  private Body body(
      Set<Name> hidden, Term term, Term.@Nullable TypeTerm as, @Nullable Type declared) {
    Exp e = infer.exp(term);
    Type t = infer.unscope(infer.norm(e.type()), hidden, term.loc()).type();
    if (declared != null && as != null) {
      for (Name n : Positions.free(declared)) {
        if (hidden.contains(n)) {
          throw SizeInfer.error(
              "E0509",
              as.loc(),
              "The return type annotation\n  "
                  + TypePrinter.show(declared)
                  + "\nrefers to the name \""
                  + n.base()
                  + "\" which is bound to an inner component of a function parameter.");
        }
      }
      infer.unify(
          term.loc(),
          "return type annotation",
          "Function body does not have expected type.",
          declared,
          t);
    }
    return new Body(e, t);
  }

  Exp lambda(Term.Lambda l) {
    int outer = sizes.level++;
    Set<Name> hidden = new LinkedHashSet<>();
    List<Pat> params = params(l.params(), hidden);
    Type result = infer.absorbing(l.body().type(), l.loc());
    Type declared = null;
    if (l.result() != null) {
      declared = infer.typeTerm(l.result());
      infer.unify(
          l.loc(),
          "lambda return type ascription",
          "Function body does not have expected type.",
          result,
          declared);
    }
    Body body = body(hidden, l.body(), l.result(), declared);
    infer.unify(
        l.body().loc(),
        "inferred return type",
        "Function body does not have expected type.",
        result,
        body.type);
    sizes.level = outer;
    params = normPats(params);
    verifyParams(params, hidden);
    Type ret = infer.norm(declared != null ? declared : body.type);
    Set<Name> visible = new HashSet<>();
    for (Pat p : params) {
      if (!(p.type() instanceof Type.Fun)) {
        immediateParam(p.type(), visible);
      }
      Name n = paramName(p);
      if (n != null) {
        visible.add(n);
      }
    }
    Set<Name> hide = new LinkedHashSet<>();
    for (Name n : Positions.free(ret)) {
      SizeSolver.Info i = sizes.info(n);
      if (i != null
          && i.kind == SizeSolver.Kind.UNKNOWN
          && i.level > outer
          && !visible.contains(n)) {
        hide.add(n);
      }
    }
    Unscope.Result u = infer.unscope(ret, hide, l.loc());
    Type.Result r = new Type.Result(u.sizes(), u.type());
    return new Exp.Lambda(
        params, body.exp, r, l.result() != null, functionType(params, r), l.loc());
  }

  /**
   * Renames the names that function types bind in a type, so that they differ from the names that
   * the body uses.
   */
  Type renamed(Type t) {
    return new Subst(infer.cx.names, true).type(t);
  }

  private static void immediateParam(Type t, Set<Name> into) {
    switch (t) {
      case Type.Fun f -> {}
      case Type.Record r -> r.fields().values().forEach(x -> immediateParam(x, into));
      default -> Positions.free(t, into);
    }
  }

  private List<Pat> normPats(List<Pat> params) {
    List<Pat> result = new ArrayList<>(params.size());
    for (Pat p : params) {
      result.add(sizes.normaliser().pat(p));
    }
    return result;
  }

  private List<Pat> params(List<Term.TPat> params, Set<Name> hidden) {
    List<Pat> result = new ArrayList<>();
    for (Term.TPat p : params) {
      sizes.level++;
      Set<Name> names = new LinkedHashSet<>();
      // Sizes in the parameter's type belong to the outer level; names of the parameter belong to
      // the next level.
      sizes.level--;
      Pat q = infer.pat(p, null, Map.of(), names);
      sizes.level++;
      for (Name n : names) {
        SizeSolver.Info i = sizes.info(n);
        if (i != null) {
          i.level = sizes.level;
        }
      }
      hidden(q, names);
      hidden.addAll(names);
      result.add(q);
    }
    return result;
  }

  static Type functionType(List<Pat> params, Type.Result result) {
    Type.Result r = result;
    Set<Name> free = Positions.free(result.type());
    for (Pat p : params.reversed()) {
      Name n = paramName(p);
      boolean mentioned = n != null && free.remove(n);
      r.sizes().forEach(free::remove);
      Positions.free(p.type(), free);
      r = Type.Result.of(new Type.Fun(mentioned ? n : null, p.type(), r));
    }
    return r.type();
  }

  private static void verifyParams(List<Pat> params, Set<Name> hiddenNames) {
    Set<Name> forbidden = new HashSet<>(hiddenNames);
    for (Pat p : params) {
      Name n = paramName(p);
      if (n != null) {
        forbidden.add(n);
      }
    }
    for (Pat p : params) {
      for (Name n : Positions.free(p.type())) {
        if (forbidden.contains(n)) {
          throw new DiagnosticException(
              Diagnostic.error(
                      "E0510",
                      p.loc(),
                      "Parameter of type\n  "
                          + TypePrinter.show(p.type())
                          + "\nrefers to size \""
                          + n.base()
                          + "\", which will not be accessible to the caller, possibly because it is"
                          + " nested in a tuple or record. Consider ascribing an explicit type that"
                          + " does not reference \""
                          + n.base()
                          + "\".")
                  .see("inaccessible-size"));
        }
      }
      Name n = paramName(p);
      if (n != null) {
        forbidden.remove(n);
      }
    }
  }

  /**
   * Infers the sizes of a function or value and generalises over the sizes that remain open in its
   * type.
   */
  ValDef function(
      Term.FunTerm f, List<futharkc.core.language.syntax.Attr> attrs, @Nullable String doc) {
    int outer = sizes.level++;
    for (LocalVar v : f.sizeParams()) {
      infer.bindSize(v);
    }
    Set<Name> hidden = new LinkedHashSet<>();
    List<Pat> params = params(f.params(), hidden);
    for (Pat p : params) {
      sizes.ofParameter(Positions.free(infer.norm(p.type())));
    }
    Type declared = f.result() == null ? null : infer.typeTerm(f.result());
    if (f.self() != null && f.result() != null && declared != null) {
      f.self().sized =
          new Scheme(
              f.sizeParams().stream().map(v -> v.name).toList(),
              List.of(),
              renamed(functionType(params, new Type.Result(f.result().anonymous(), declared))));
    }
    sizes.level++;
    Body body = body(hidden, f.body(), f.result(), declared);
    params = normPats(params);
    Type ret = infer.norm(declared != null ? declared : SizeInfer.plain(body.type));
    verifyParams(params, hidden);
    ret = unscopeUnknown(ret, f.loc()).type();
    sizes.level = outer;
    sizes.settleInstances(outer + 1);
    params = normPats(params);
    ret = infer.norm(ret);
    return generalise(f, params, ret, body.exp, outer, attrs, doc);
  }

  /**
   * Replaces size expressions by fresh unknown sizes if they mention an unknown size that no array
   * of the type has as a dimension.
   */
  private Unscope.Result unscopeUnknown(Type t, Loc loc) {
    Set<Name> witnesses = new HashSet<>();
    Positions.witnesses(t, witnesses);
    boolean any = false;
    for (Name n : Positions.free(t)) {
      if (sizes.isUnknown(n)) {
        any = true;
      }
    }
    if (!any) {
      return new Unscope.Result(t, List.of());
    }
    return Unscope.apply(
        t,
        s -> {
          if (!(s instanceof Type.Size.Of)) {
            return false;
          }
          Set<Name> free = new HashSet<>();
          SizeExps.names(s, free);
          for (Name n : free) {
            if (sizes.isUnknown(n) && !witnesses.contains(n)) {
              return true;
            }
          }
          return false;
        },
        s -> sizes.unknown("d", loc, "is unknown size at " + loc + "."));
  }

  private ValDef generalise(
      Term.FunTerm f,
      List<Pat> params,
      Type ret,
      Exp body,
      int outer,
      List<futharkc.core.language.syntax.Attr> attrs,
      @Nullable String doc) {
    Type whole = functionType(params, Type.Result.of(ret));
    Set<Name> produced = new LinkedHashSet<>();
    Set<Name> inParams = new LinkedHashSet<>();
    Positions.uses(whole, produced, inParams);
    List<Name> sizeParams = new ArrayList<>();
    for (LocalVar v : f.sizeParams()) {
      sizeParams.add(v.name);
    }
    Set<Name> visible = new LinkedHashSet<>();
    Positions.visit(
        whole,
        (pos, size, bound) -> {
          Set<Name> free = new LinkedHashSet<>();
          SizeExps.names(size, free);
          free.removeAll(bound);
          visible.addAll(free);
        });
    List<Name> existential = new ArrayList<>();
    Set<Name> inRet = Positions.free(ret);
    for (Name n : visible) {
      SizeSolver.Info i = sizes.info(n);
      if (i == null || i.level <= outer || sizeParams.contains(n)) {
        continue;
      }
      switch (i.kind) {
        case FLEXIBLE -> {
          i.kind = SizeSolver.Kind.PARAM;
          sizeParams.add(n);
        }
        case UNKNOWN -> {
          if (inParams.contains(n) && !produced.contains(n)) {
            throw new DiagnosticException(
                Diagnostic.error(
                        "E0511",
                        f.loc(),
                        TypePrinter.message(
                            types ->
                                "Cannot generalise type of \""
                                    + f.name().base()
                                    + "\".\n\nUnknown size \""
                                    + n.base()
                                    + "\" in parameter of \""
                                    + f.name().base()
                                    + "\", which is inferred as:\n  "
                                    + types.of(whole)
                                    + "\n\n\""
                                    + types.of(n)
                                    + "\" "
                                    + i.why))
                    .see("unknown-param-def"));
          }
          if (inRet.contains(n)) {
            existential.add(n);
          }
        }
        case PARAM, INSTANCE, COPY, EXISTENTIAL -> {}
      }
    }
    Type.Result result = injectExistential(existential, ret);
    Set<Name> used = new HashSet<>();
    Positions.free(result.type(), used);
    for (Pat p : params) {
      Positions.free(p.type(), used);
    }
    for (LocalVar v : f.sizeParams()) {
      if (!used.contains(v.name)) {
        throw SizeInfer.unusedSize(v.name, v.loc);
      }
    }
    Type type = functionType(params, result);
    if (params.isEmpty() && !sizeParams.isEmpty() && !result.sizes().isEmpty()) {
      throw SizeInfer.error(
          "E0512",
          f.loc(),
          "A size-polymorphic value binding may not have a type with an existential size.\n"
              + "Type of this binding is:\n"
              + "  "
              + TypePrinter.show(result));
    }
    return new ValDef(
        f.name(),
        List.copyOf(sizeParams),
        f.typeParams().stream().map(TypeParamInfo::name).toList(),
        params,
        result,
        f.result() != null,
        type,
        body,
        false,
        attrs,
        doc,
        f.loc());
  }

  /** Binds existential sizes at the function results that contain them. */
  private static Type.Result injectExistential(List<Name> sizes, Type t) {
    if (sizes.isEmpty()) {
      return Type.Result.of(t);
    }
    Set<Name> produced = new HashSet<>();
    Positions.uses(t, produced, new HashSet<>());
    List<Name> here = new ArrayList<>();
    List<Name> deeper = new ArrayList<>();
    for (Name n : sizes) {
      (produced.contains(n) ? here : deeper).add(n);
    }
    return new Type.Result(here, deeper.isEmpty() ? t : inject(deeper, t));
  }

  private static Type inject(List<Name> sizes, Type t) {
    return switch (t) {
      case Type.Fun f -> {
        List<Name> all = new ArrayList<>();
        Set<Name> free = Positions.free(f.result().type());
        for (Name n : sizes) {
          if (free.contains(n)) {
            all.add(n);
          }
        }
        all.addAll(f.result().sizes());
        yield new Type.Fun(f.param(), f.from(), injectExistential(all, f.result().type()));
      }
      case Type.Record r -> {
        Map<String, Type> fields = new HashMap<>();
        r.fields().forEach((k, v) -> fields.put(k, inject(sizes, v)));
        yield new Type.Record(Type.sorted(fields));
      }
      case Type.Sum s -> {
        TreeMap<String, List<Type>> variants = new TreeMap<>();
        s.variants()
            .forEach((k, v) -> variants.put(k, v.stream().map(x -> inject(sizes, x)).toList()));
        yield new Type.Sum(variants);
      }
      case Type.Named n ->
          new Type.Named(
              n.unique(),
              n.name(),
              n.args().stream()
                  .map(
                      a ->
                          a instanceof Type.Arg.OfType o
                              ? new Type.Arg.OfType(inject(sizes, o.type()))
                              : a)
                  .toList());
      case Type.Prim p -> p;
      case Type.Array a -> a;
      case futharkc.core.language.typed.MetaType m -> m;
    };
  }
}
