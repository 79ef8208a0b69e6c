package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.check.SizeUnifier.Usage;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Exp;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Pat;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Matching of modules against module types. It checks that a module implements a module type and
 * hides everything that the module type does not specify.
 */
final class Matching {
  private final CheckContext cx;
  private final Rename rename;
  private final ModuleChecker modules;

  /** The path of the modules being matched within the outer modules, for messages. */
  private String prefix = "";

  Matching(CheckContext cx, Rename rename, ModuleChecker modules) {
    this.cx = cx;
    this.rename = rename;
    this.modules = modules;
  }

  /**
   * A module seen through a module type.
   *
   * @param mod the module; its types are abstract as the module type says
   * @param hidden the definitions of its abstract types
   */
  record Ascribed(Mod mod, Map<Name, TypeBinding> hidden) {}

  private static DiagnosticException error(Loc loc, String message) {
    return new DiagnosticException(Diagnostic.error("E0702", loc, message));
  }

  /** Ascribes a module type to a module. Throws if the module does not match. */
  Ascribed ascribe(Mod mod, Sig sig, Loc loc) {
    return ascribe(mod, sig, false, loc);
  }

  /**
   * Ascribes the parameter type of a parametric module to an argument. Types that the argument
   * gives for abstract types stay visible unless they have existential sizes.
   */
  Ascribed argument(Mod mod, Sig sig, Loc loc) {
    return ascribe(mod, sig, true, loc);
  }

  private Ascribed ascribe(Mod mod, Sig sig, boolean transparent, Loc loc) {
    Subst known = new Subst(cx.names);
    resolve(mod, sig.mod(), sig.abs(), known, prefix, loc);
    for (TypeBinding t : sig.abs().values()) {
      // A later type with the same name shadows this type in the module type.
      if (known.typeOf(t.name()) == null && mod instanceof Mod.Struct s) {
        TypeBinding by = s.env().types().get(t.name().base());
        if (by != null) {
          known.type(t.name(), by);
        }
      }
    }
    Subst opaque = new Subst(cx.names);
    resolveValues(mod, sig.mod(), known, opaque);
    Map<Name, TypeBinding> hidden = new LinkedHashMap<>();
    for (TypeBinding abs : sig.abs().values()) {
      TypeBinding impl = known.typeOf(abs.name());
      if (impl == null) {
        continue;
      }
      if (transparent && impl.rhs().sizes().isEmpty()) {
        opaque.type(abs.name(), impl);
        hidden.put(abs.name(), impl);
        continue;
      }
      Map<Name, TypeBinding> fresh = rename.freshTypes(Map.of(abs.name(), abs), opaque);
      Name n = fresh.keySet().iterator().next();
      hidden.put(n, impl);
      List<Program.Param> params =
          impl.params().stream().map(p -> new Program.Param(p.name(), p.size())).toList();
      cx.typeDefs.put(n, new Program.TypeDef(n, params, impl.rhs()));
    }
    return new Ascribed(match(mod, sig.mod(), known, opaque, prefix, loc), hidden);
  }

  /** Maps values of a module type that occur in sizes to values of a module. */
  private void resolveValues(Mod impl, Mod spec, Subst known, Subst opaque) {
    if (!(impl instanceof Mod.Struct i) || !(spec instanceof Mod.Struct s)) {
      return;
    }
    for (Map.Entry<String, Entity> e : s.env().values().entrySet()) {
      Entity by = i.env().values().get(e.getKey());
      if (e.getValue() instanceof Entity.Value v && by instanceof Entity.Value w) {
        known.value(v.name(), w.name());
        opaque.value(v.name(), w.name());
      } else if (e.getValue() instanceof Entity.Module m && by instanceof Entity.Module n) {
        resolveValues(n.mod(), m.mod(), known, opaque);
      }
    }
  }

  /** Maps the abstract types of a module type to types of a module. */
  private void resolve(
      Mod impl, Mod spec, Map<Name, TypeBinding> abs, Subst known, String path, Loc loc) {
    if (!(impl instanceof Mod.Struct i) || !(spec instanceof Mod.Struct s)) {
      return;
    }
    for (Map.Entry<String, TypeBinding> e : s.env().types().entrySet()) {
      TypeBinding t = e.getValue();
      if (!t.isAbstract() || !abs.containsKey(t.name())) {
        continue;
      }
      TypeBinding by = i.env().types().get(e.getKey());
      if (by == null) {
        throw error(loc, "Module does not define a type named \"" + path + e.getKey() + "\".");
      }
      checkType(t, by, path + e.getKey(), loc);
      known.type(t.name(), by);
    }
    for (Map.Entry<String, Entity> e : s.env().values().entrySet()) {
      if (e.getValue() instanceof Entity.Module m
          && i.env().values().get(e.getKey()) instanceof Entity.Module n) {
        resolve(n.mod(), m.mod(), abs, known, path + e.getKey() + ".", loc);
      }
    }
  }

  private static String params(TypeBinding t) {
    return t.params().stream()
        .map(p -> p.size() ? " [" + p.name().base() + "]" : " '" + p.name().base())
        .collect(Collectors.joining());
  }

  private static String describe(String name, TypeBinding t) {
    return "type"
        + switch (t.liftedness()) {
          case UNLIFTED -> " ";
          case SIZE_LIFTED -> "~ ";
          case LIFTED -> "^ ";
        }
        + name
        + params(t)
        + (t.isAbstract() ? "" : " = " + TypePrinter.show(t.rhs()));
  }

  private void checkType(TypeBinding spec, TypeBinding impl, String name, Loc loc) {
    boolean sameParams = spec.params().size() == impl.params().size();
    for (int i = 0; sameParams && i < spec.params().size(); i++) {
      sameParams = spec.params().get(i).size() == impl.params().get(i).size();
    }
    if (!sameParams) {
      throw typeMismatch(spec, impl, name, loc);
    }
    if (spec.isAbstract()) {
      Set<Name> witnesses = new HashSet<>();
      Positions.witnesses(impl.rhs().type(), witnesses);
      for (TypeBinding.Param p : impl.params()) {
        if (p.size() && !witnesses.contains(p.name())) {
          throw error(
              loc,
              "Module defines\n  "
                  + describe(name, impl)
                  + "\nwhose size parameter \"["
                  + p.name().base()
                  + "]\" is not used constructively, so that the type cannot be abstract.");
        }
      }
    }
    if (spec.isAbstract() && impl.liftedness().compareTo(spec.liftedness()) > 0) {
      throw error(
          loc,
          "Module defines\n  "
              + describe(name, impl)
              + "\nbut module type requires this type to be "
              + switch (spec.liftedness()) {
                case UNLIFTED -> "non-lifted.";
                case SIZE_LIFTED -> "non-functional (size-lifted).";
                case LIFTED -> "lifted.";
              });
    }
  }

  private static DiagnosticException typeMismatch(
      TypeBinding spec, TypeBinding impl, String name, Loc loc) {
    return error(
        loc,
        "Module defines\n  "
            + describe(name, impl)
            + "\nbut module type requires\n  "
            + describe(name, spec));
  }

  private Mod match(Mod impl, Mod spec, Subst known, Subst opaque, String path, Loc loc) {
    return switch (spec) {
      case Mod.Struct s -> {
        if (!(impl instanceof Mod.Struct i)) {
          throw error(
              loc,
              (path.isEmpty()
                      ? "Module"
                      : "Module \"" + path.substring(0, path.length() - 1) + "\"")
                  + " is a parametric module, but the module type requires one that is not"
                  + " parametric.");
        }
        yield new Mod.Struct(env(i.env(), s.env(), known, opaque, path, loc));
      }
      case Mod.Functor s -> {
        if (!(impl instanceof Mod.Functor i)) {
          throw error(
              loc,
              (path.isEmpty()
                      ? "Module"
                      : "Module \"" + path.substring(0, path.length() - 1) + "\"")
                  + " is not a parametric module, but the module type requires one.");
        }
        yield functor(i, s, known, opaque, path, loc);
      }
    };
  }

  private ModuleEnv env(
      ModuleEnv impl, ModuleEnv spec, Subst known, Subst opaque, String path, Loc loc) {
    ModuleEnv result = new ModuleEnv();
    for (Map.Entry<String, TypeBinding> e : spec.types().entrySet()) {
      String name = e.getKey();
      TypeBinding required = e.getValue();
      if (!required.isAbstract() || known.typeOf(required.name()) == null) {
        TypeBinding by = impl.types().get(name);
        if (by == null) {
          throw error(loc, "Module does not define a type named \"" + path + name + "\".");
        }
        TypeBinding t = rename.type(required, known);
        checkAbbreviation(t, by, path + name, loc);
      }
      result.types().put(name, rename.type(required, opaque));
    }
    for (Map.Entry<String, Entity> e : spec.values().entrySet()) {
      String name = e.getKey();
      Entity by = impl.values().get(name);
      switch (e.getValue()) {
        case Entity.Value v -> {
          switch (by) {
            case Entity.Value w ->
                result.values().put(name, value(w, v, known, opaque, path + name, loc));
            case Entity.Broken b -> result.values().put(name, b);
            case null, default ->
                throw error(loc, "Module does not define a value named \"" + path + name + "\".");
          }
        }
        case Entity.Module m -> {
          switch (by) {
            case Entity.Module w ->
                result
                    .values()
                    .put(
                        name,
                        new Entity.Module(
                            match(w.mod(), m.mod(), known, opaque, path + name + ".", loc)));
            case Entity.Broken b -> result.values().put(name, b);
            case null, default ->
                throw error(loc, "Module does not define a module named \"" + path + name + "\".");
          }
        }
        case Entity.Operator o -> result.values().put(name, o);
        case Entity.Broken b -> result.values().put(name, b);
        case LocalVar l -> throw new IllegalStateException();
      }
    }
    return result;
  }

  private void checkAbbreviation(TypeBinding spec, TypeBinding impl, String name, Loc loc) {
    if (cx.broken.contains(spec.name()) || cx.broken.contains(impl.name())) {
      return;
    }
    checkType(spec, impl, name, loc);
    Subst s = new Subst(cx.names);
    for (int i = 0; i < spec.params().size(); i++) {
      Name p = impl.params().get(i).name();
      Name q = spec.params().get(i).name();
      if (spec.params().get(i).size()) {
        s.size(p, SizeSolver.ref(q));
      } else {
        s.type(p, new Type.Named(false, q, List.of()));
      }
    }
    Type.Result by = s.result(impl.rhs());
    String failure = new Unifier().unify(spec.rhs().type(), by.type());
    if (failure == null && by.sizes().size() == spec.rhs().sizes().size()) {
      for (int i = 0; i < by.sizes().size(); i++) {
        s.size(by.sizes().get(i), SizeSolver.ref(spec.rhs().sizes().get(i)));
      }
      SizeSolver solver = new SizeSolver(cx.names, true);
      Subst sizes = new Subst(cx.names);
      for (int i = 0; i < by.sizes().size(); i++) {
        sizes.size(by.sizes().get(i), SizeSolver.ref(spec.rhs().sizes().get(i)));
      }
      try {
        solver.unify(new Usage(loc, "", _ -> ""), spec.rhs().type(), sizes.type(by.type()));
        return;
      } catch (DiagnosticException e) {
        // The exception below reports the mismatch of the whole types.
      }
    }
    throw typeMismatch(spec, impl, name, loc);
  }

  private static String describe(String name, Scheme s) {
    return "val "
        + name
        + s.sizes().stream().map(n -> " [" + n.base() + "]").collect(Collectors.joining())
        + s.types().stream().map(t -> " '" + t.name().base()).collect(Collectors.joining())
        + ": "
        + TypePrinter.show(s.type());
  }

  private Entity.Value value(
      Entity.Value impl, Entity.Value spec, Subst known, Subst opaque, String name, Loc loc) {
    Scheme required = known.scheme(spec.scheme());
    Scheme given = impl.scheme();
    if (required.sizes().size() > spec.scheme().sizes().size()) {
      Set<Name> loose = new HashSet<>(required.sizes());
      loose.removeAll(spec.scheme().sizes());
      Set<Name> top = new HashSet<>();
      Positions.uses(required.type(), top, new HashSet<>());
      top.retainAll(loose);
      if (!top.isEmpty()) {
        throw error(
            loc,
            "Module type specifies value \""
                + name
                + "\" of a type whose implementation has unknown sizes:\n  "
                + TypePrinter.show(required.type()));
      }
    }
    Unifier unifier = new Unifier();
    List<Type> typeArgs = new ArrayList<>();
    Subst s = new Subst(cx.names);
    for (TypeParamInfo p : given.types()) {
      TypeVar v = unifier.fresh(0, p.liftedness(), loc);
      typeArgs.add(v);
      s.type(p.name(), v);
    }
    String failure = unifier.unify(required.type(), s.type(given.type()));
    if (failure != null) {
      throw valueMismatch(required, given, name, failure, loc);
    }
    for (TypeVar v : unifier.vars()) {
      if (v.solution == null) {
        v.solution = Type.tuple(List.of());
      }
    }
    for (int i = 0; i < typeArgs.size(); i++) {
      Liftedness l = given.types().get(i).liftedness();
      Type t = typeArgs.get(i);
      if (l != Liftedness.LIFTED
          && (!CheckContext.orderZero(t) || cx.liftednessOf(t).compareTo(l) > 0)) {
        throw valueMismatch(
            required,
            given,
            name,
            "The type parameter \""
                + given.types().get(i).name().base()
                + "\" may not be instantiated with the "
                + (CheckContext.orderZero(t) ? "lifted" : "functional")
                + " type "
                + TypePrinter.unsized(t)
                + ".",
            loc);
      }
    }

    SizeSolver solver = new SizeSolver(cx.names, true);
    for (Name n : required.sizes()) {
      solver.param(n, loc);
    }
    solver.level = 1;
    Subst inst = new Subst(cx.names, true);
    List<Type.Size> sizeArgs = new ArrayList<>();
    for (Name n : given.sizes()) {
      Type.Size size = SizeSolver.ref(solver.flexible(n.base(), loc, ""));
      sizeArgs.add(size);
      inst.size(n, size);
    }
    List<Type> sizedArgs = new ArrayList<>();
    for (int i = 0; i < typeArgs.size(); i++) {
      Type t = solver.freshSizes(typeArgs.get(i), () -> solver.flexible("d", loc, ""), loc);
      sizedArgs.add(t);
      inst.type(given.types().get(i).name(), t);
    }
    Type instance = inst.type(given.type());
    try {
      solver.unify(new Usage(loc, "", _ -> ""), required.type(), instance);
    } catch (DiagnosticException e) {
      throw valueMismatch(required, given, name, e.diagnostics().get(0).message().strip(), loc);
    }
    Scheme seen = opaque.scheme(spec.scheme());
    List<Type.Size> sizes = sizeArgs.stream().map(solver::norm).toList();
    List<Type> types = sizedArgs.stream().map(solver::norm).toList();
    if (modules.isGeneric() || isSame(required, sizes, types)) {
      return new Entity.Value(impl.name(), seen, impl.loc());
    }
    ValDef wrapper = wrapper(impl, required, sizes, types, solver.norm(instance));
    modules.emit(wrapper);
    cx.sharedResults.copy(impl.name(), wrapper.name());
    return new Entity.Value(wrapper.name(), seen, impl.loc());
  }

  private static boolean isSame(Scheme required, List<Type.Size> sizes, List<Type> types) {
    if (sizes.size() != required.sizes().size() || types.size() != required.types().size()) {
      return false;
    }
    for (int i = 0; i < sizes.size(); i++) {
      if (!sizes.get(i).equals(SizeSolver.ref(required.sizes().get(i)))) {
        return false;
      }
    }
    for (int i = 0; i < types.size(); i++) {
      if (!(types.get(i) instanceof Type.Named n
          && n.args().isEmpty()
          && n.name().equals(required.types().get(i).name()))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns a definition with the parameters of a specification that calls an implementation with
   * other size or type parameters.
   */
  private ValDef wrapper(
      Entity.Value impl, Scheme spec, List<Type.Size> sizes, List<Type> types, Type instance) {
    Loc loc = impl.loc();
    Exp body = new Exp.Var(impl.name(), sizes, types, Subst.unique(instance, false), loc);
    List<Pat> params = new ArrayList<>();
    List<Exp> args = new ArrayList<>();
    Type.Result result = Type.Result.of(spec.type());
    while (result.type() instanceof Type.Fun f && result.sizes().isEmpty()) {
      Name p = f.param() != null ? f.param() : cx.names.fresh("x");
      params.add(new Pat.Var(p, f.from(), loc));
      args.add(new Exp.Var(p, List.of(), List.of(), Subst.unique(f.from(), false), loc));
      result = f.result();
    }
    if (!args.isEmpty()) {
      body = new Exp.Apply(body, args, result.sizes(), Subst.unique(result.type(), false), loc);
    }
    return new ValDef(
        cx.names.fresh(impl.name().base()),
        spec.sizes(),
        spec.types().stream().map(TypeParamInfo::name).toList(),
        params,
        result,
        true,
        spec.type(),
        body,
        false,
        List.of(new futharkc.core.language.syntax.Attr.Atom("inline")),
        null,
        loc);
  }

  private static DiagnosticException valueMismatch(
      Scheme required, Scheme given, String name, String detail, Loc loc) {
    return error(
        loc,
        "Module type requires\n  "
            + describe(name, required)
            + "\nbut module provides\n  "
            + describe(name, given)
            + "\n\n"
            + detail);
  }

  private Mod functor(
      Mod.Functor impl, Mod.Functor spec, Subst known, Subst opaque, String path, Loc loc) {
    // Parameters are contravariant and results covariant: the implementation accepts every
    // argument of the specification and returns at least its result.
    Sig param = new Sig(spec.param().abs(), rename.mod(spec.param().mod(), known, false));
    Mod result = rename.mod(spec.result().mod(), known, false);
    String outer = prefix;
    prefix = outer + path;
    try {
      modules.generically(
          () -> {
            Mod returned = impl.body().apply(param.mod(), loc);
            ascribe(returned, new Sig(spec.result().abs(), result), loc);
            return returned;
          });
    } finally {
      prefix = outer;
    }
    Sig seenParam = new Sig(spec.param().abs(), rename.mod(spec.param().mod(), opaque, false));
    Sig seenResult = new Sig(spec.result().abs(), rename.mod(spec.result().mod(), opaque, false));
    return new Mod.Functor(
        seenParam,
        seenResult,
        (arg, at) -> {
          Subst inner = new Subst(cx.names);
          Sig p = new Sig(spec.param().abs(), param.mod());
          resolve(arg, p.mod(), p.abs(), inner, "", at);
          Ascribed a = ascribe(arg, p, at);
          Mod returned = impl.body().apply(a.mod(), at);
          Subst back = new Subst(cx.names);
          a.hidden().forEach(back::type);
          returned = rename.mod(returned, back, false);
          Mod expected = rename.mod(result, inner, false);
          return ascribe(returned, new Sig(spec.result().abs(), expected), at).mod();
        });
  }
}
