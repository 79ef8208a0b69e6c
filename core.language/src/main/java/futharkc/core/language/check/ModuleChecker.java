package futharkc.core.language.check;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.Intrinsics;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.SigExp;
import futharkc.core.language.syntax.TypeParam;
import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Program;
import futharkc.core.language.typed.Type;
import futharkc.core.language.typed.ValDef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checker of declarations, modules and module types. The body of a parametric module is first
 * checked with a parameter of which only the module type is known; these definitions are dropped.
 * Each application checks the body again with the argument, ascribed with the parameter's type, and
 * keeps the definitions.
 */
final class ModuleChecker {
  /** A resolver of imports. */
  interface Importer {
    /**
     * Returns the environment of a file.
     *
     * @param path the path in the import
     * @param loc the source range of the import
     */
    ModuleEnv load(String path, Loc loc);
  }

  private final CheckContext cx;
  private final DefChecker defs;
  private final Rename rename;
  private final Matching matching;
  private final Importer importer;
  private final List<ValDef> emitted;
  private int generic;

  /** A listener that receives each definition of the file itself. */
  interface Listener {
    void defined(Dec.Val dec, ValDef def);
  }

  private final @Nullable Listener listener;

  ModuleChecker(
      CheckContext cx, Importer importer, List<ValDef> emitted, @Nullable Listener listener) {
    this.cx = cx;
    this.defs = new DefChecker(cx);
    this.rename = new Rename(cx);
    this.matching = new Matching(cx, rename, this);
    this.importer = importer;
    this.emitted = emitted;
    this.listener = listener;
  }

  boolean isGeneric() {
    return generic > 0;
  }

  void emit(ValDef def) {
    if (generic == 0) {
      emitted.add(def);
    }
  }

  <T> T generically(Supplier<T> f) {
    generic++;
    try {
      return f.get();
    } finally {
      generic--;
    }
  }

  private static DiagnosticException error(String code, Loc loc, String message) {
    return new DiagnosticException(code, loc, message);
  }

  // Declarations

  /** Checks declarations and adds them to a scope. Returns their environment. */
  ModuleEnv decs(List<Dec> decs, LexicalScope scope, boolean top) {
    ModuleEnv env = new ModuleEnv();
    Map<String, Loc> values = new HashMap<>();
    Map<String, Loc> types = new HashMap<>();
    Map<String, Loc> sigs = new HashMap<>();
    for (Dec d : decs) {
      checkDuplicate(d, values, types, sigs);
      dec(d, scope, env, top);
    }
    return env;
  }

  private void checkDuplicate(
      Dec d, Map<String, Loc> values, Map<String, Loc> types, Map<String, Loc> sigs) {
    switch (d) {
      case Dec.Val v -> duplicate(values, "value", v.name(), v.nameLoc());
      case Dec.Mod m -> duplicate(values, "module", m.name(), m.loc());
      case Dec.Type t -> duplicate(types, "type", t.name(), t.loc());
      case Dec.Sig s -> duplicate(sigs, "module type", s.name(), s.loc());
      case Dec.Local l -> checkDuplicate(l.dec(), values, types, sigs);
      case Dec.Open o -> {}
      case Dec.Import i -> {}
    }
  }

  private void duplicate(Map<String, Loc> seen, String what, String name, Loc loc) {
    Loc old = seen.putIfAbsent(name, loc);
    if (old != null) {
      cx.error(
          "E0303",
          loc,
          "Duplicate definition of "
              + what
              + " \""
              + name
              + "\". Previously defined at "
              + old
              + ".");
    }
  }

  private void dec(Dec d, LexicalScope scope, ModuleEnv env, boolean top) {
    cx.checkCancelled();
    switch (d) {
      case Dec.Val v -> value(v, scope, env, top);
      case Dec.Type t -> {
        TypeBinding b = defs.type(t.liftedness(), t.name(), t.params(), t.type(), t.loc(), scope);
        if (b == null) {
          b = broken(t);
        }
        scope.bind(t.name(), b);
        env.types().put(t.name(), b);
      }
      case Dec.Mod m -> {
        Entity e;
        int before = cx.names.fresh(m.name()).tag();
        try {
          e = new Entity.Module(module(m, scope));
          cx.paths.replaceAll((n, path) -> n.tag() > before ? m.name() + "." + path : path);
        } catch (DiagnosticException x) {
          cx.diagnostics.report(x);
          e = new Entity.Broken();
        }
        scope.bind(m.name(), e);
        env.values().put(m.name(), e);
      }
      case Dec.Sig s -> {
        try {
          Sig sig = sig(s.sig(), scope);
          scope.bind(s.name(), sig);
          env.sigs().put(s.name(), sig);
        } catch (DiagnosticException x) {
          cx.diagnostics.report(x);
          Sig sig = new Sig(Map.of(), new Mod.Struct(new ModuleEnv()));
          scope.bind(s.name(), sig);
          env.sigs().put(s.name(), sig);
        }
      }
      case Dec.Open o -> {
        try {
          ModuleEnv opened = struct(eval(o.mod(), scope), o.loc());
          scope.open(opened);
          env.addAll(opened);
        } catch (DiagnosticException x) {
          cx.diagnostics.report(x);
        }
      }
      case Dec.Import i -> {
        try {
          scope.open(importer.load(i.path(), i.loc()));
        } catch (DiagnosticException x) {
          cx.diagnostics.report(x);
        }
      }
      case Dec.Local l -> dec(l.dec(), scope, new ModuleEnv(), top);
    }
  }

  private void value(Dec.Val v, LexicalScope scope, ModuleEnv env, boolean top) {
    if (v.name().equals("&&") || v.name().equals("||")) {
      cx.error("E0305", v.nameLoc(), "The operator \"" + v.name() + "\" may not be redefined.");
    }
    if (v.entry() && !top) {
      cx.error("E0806", v.loc(), "Entry points may not be declared inside modules.");
    }
    DefChecker.Checked c = defs.value(v, scope);
    Entity e = new Entity.Broken();
    if (c != null) {
      emit(c.def());
      if (cx.observer != null && cx.applications == 0) {
        cx.observer.accept(c.def());
      }
      e = new Entity.Value(c.def().name(), c.scheme(), v.loc());
      if (top && listener != null) {
        listener.defined(v, c.def());
      }
    }
    scope.bind(v.name(), e);
    env.values().put(v.name(), e);
  }

  private TypeBinding broken(Dec.Type t) {
    Name n = cx.names.fresh(t.name());
    cx.liftedness.put(n, t.liftedness());
    cx.broken.add(n);
    return TypeBinding.abstractType(n, t.liftedness(), defs.params(t.params()), t.loc());
  }

  private static ModuleEnv struct(Mod m, Loc loc) {
    return switch (m) {
      case Mod.Struct s -> s.env();
      case Mod.Functor f ->
          throw new DiagnosticException(
              Diagnostic.error("E0701", loc, "A parametric module cannot be opened.")
                  .see("module-is-parametric"));
    };
  }

  // Module expressions

  private Mod module(Dec.Mod m, LexicalScope scope) {
    ModExp body = m.sig() == null ? m.body() : new ModExp.Ascript(m.body(), m.sig(), m.loc());
    for (int i = m.params().size() - 1; i >= 0; i--) {
      body = new ModExp.Lambda(m.params().get(i), null, body, m.loc());
    }
    return eval(body, scope);
  }

  private static List<String> path(QualName q) {
    List<String> path = new ArrayList<>(q.qualifiers());
    path.add(q.name());
    return path;
  }

  Mod eval(ModExp e, LexicalScope scope) {
    return switch (e) {
      case ModExp.Var v -> {
        if (v.name().name().equals(Intrinsics.MODULE) && v.name().qualifiers().isEmpty()) {
          throw error(
              "E0704", v.loc(), "The 'intrinsics' module may not be used in module expressions.");
        }
        Locals names = new Locals(scope);
        if (names.value(path(v.name()).get(0)) instanceof Entity.Broken) {
          throw silent();
        }
        Mod m = names.module(path(v.name()));
        if (m == null) {
          if (scope.value(v.name().name()) instanceof Entity.Broken) {
            throw silent();
          }
          throw error(
              "E0301", v.loc(), "Unknown name \"" + v.name() + "\": there is no such module.");
        }
        yield m;
      }
      case ModExp.Import i -> new Mod.Struct(importer.load(i.path(), i.loc()));
      case ModExp.Decs d -> new Mod.Struct(decs(d.decs(), new LexicalScope(scope), false));
      case ModExp.Apply a -> {
        Mod f = eval(a.functor(), scope);
        Mod arg = eval(a.arg(), scope);
        yield switch (f) {
          case Mod.Functor functor -> functor.body().apply(arg, a.loc());
          case Mod.Struct s ->
              throw error("E0705", a.functor().loc(), "Cannot apply non-parametric module.");
        };
      }
      case ModExp.Ascript a ->
          matching.ascribe(eval(a.mod(), scope), sig(a.sig(), scope), a.loc()).mod();
      case ModExp.Lambda l -> functor(l, scope);
    };
  }

  /** Returns an exception that stops the evaluation of a module after a reported error. */
  private static DiagnosticException silent() {
    return new DiagnosticException(List.of());
  }

  /**
   * Returns a parametric module. Its body is checked here once, and again at each application that
   * makes definitions. An application without definitions only substitutes in the checked body's
   * types, so that the time to check modules is not exponential in their nesting. A parametric
   * module in the body of an applied module was already checked with the outer body.
   */
  private Mod functor(ModExp.Lambda l, LexicalScope scope) {
    LexicalScope closure = scope.snapshot();
    Sig param = sig(l.param().sig(), closure);
    if (cx.applications > 0) {
      return new Mod.Functor(
          param,
          new Sig(Map.of(), new Mod.Struct(new ModuleEnv())),
          (arg, loc) -> instance(l, matching.argument(arg, param, loc), closure));
    }
    int errors = cx.diagnostics.errors().size();
    int before = cx.names.next();
    Mod result = generically(() -> body(l, param.mod(), closure));
    boolean failed = cx.diagnostics.errors().size() != errors;
    boolean substitutable = !containsFunctor(result);
    Map<Name, TypeBinding> made = new LinkedHashMap<>();
    collectAbstractTypes(result, before, made);
    Map<Name, String> paths = new HashMap<>();
    made.keySet().forEach(n -> paths.put(n, cx.paths.getOrDefault(n, n.base())));
    return new Mod.Functor(
        param,
        new Sig(Map.of(), result),
        (arg, loc) -> {
          if (failed) {
            throw silent();
          }
          Matching.Ascribed a = matching.argument(arg, param, loc);
          if ((isGeneric() || cx.typesOnly)
              && substitutable
              && !hasSelfAliased(a.mod())
              && a.hidden().keySet().containsAll(param.abs().keySet())) {
            Subst s = new Subst(cx.names);
            a.hidden().forEach(s::type);
            substituteValues(param.mod(), a.mod(), s);
            keepOuterValues(result, before, s);
            return typesOfInstance(result, made, paths, s);
          }
          return instance(l, a, closure);
        });
  }

  /** Returns the result of an application, with definitions of its own. */
  private Mod instance(ModExp.Lambda l, Matching.Ascribed arg, LexicalScope closure) {
    Subst back = new Subst(cx.names);
    arg.hidden().forEach(back::type);
    cx.applications++;
    try {
      return rename.mod(body(l, arg.mod(), closure), back, false);
    } finally {
      cx.applications--;
    }
  }

  /**
   * Returns the result of an application without its definitions: the result of the checked body
   * with fresh values and fresh abstract types.
   *
   * @param made the abstract types that the checked body created
   * @param paths the paths of these types in the body
   * @param s a substitution of the argument's types and values
   */
  private Mod typesOfInstance(
      Mod result, Map<Name, TypeBinding> made, Map<Name, String> paths, Subst s) {
    Iterator<Name> fresh = rename.freshTypes(made, s).keySet().iterator();
    for (Name old : made.keySet()) {
      Name n = fresh.next();
      cx.paths.put(n, requireNonNull(paths.get(old)));
      Program.TypeDef def = cx.typeDefs.get(old);
      if (def != null) {
        cx.typeDefs.put(n, new Program.TypeDef(n, def.params(), s.result(def.type())));
      }
    }
    return rename.mod(result, s, true);
  }

  /** Tests whether a module has a function whose result shares memory with itself. */
  private boolean hasSelfAliased(Mod m) {
    return !cx.selfAliased.isEmpty()
        && m instanceof Mod.Struct s
        && s.env().values().values().stream()
            .anyMatch(
                e ->
                    e instanceof Entity.Value v && cx.selfAliased.contains(v.name())
                        || e instanceof Entity.Module n && hasSelfAliased(n.mod()));
  }

  private static boolean containsFunctor(Mod m) {
    return switch (m) {
      case Mod.Functor _ -> true;
      case Mod.Struct s ->
          s.env().values().values().stream()
              .anyMatch(e -> e instanceof Entity.Module n && containsFunctor(n.mod()));
    };
  }

  /** Maps the values of a module type to the values of a module that matches the type. */
  private static void substituteValues(Mod spec, Mod impl, Subst s) {
    if (!(spec instanceof Mod.Struct from) || !(impl instanceof Mod.Struct to)) {
      return;
    }
    from.env()
        .values()
        .forEach(
            (name, e) -> {
              Entity by = to.env().values().get(name);
              if (e instanceof Entity.Value v && by instanceof Entity.Value w) {
                s.value(v.name(), w.name());
              } else if (e instanceof Entity.Module m && by instanceof Entity.Module n) {
                substituteValues(m.mod(), n.mod(), s);
              }
            });
  }

  /** Maps the values that existed before a checked body to themselves. */
  private static void keepOuterValues(Mod result, int before, Subst s) {
    if (!(result instanceof Mod.Struct st)) {
      return;
    }
    for (Entity e : st.env().values().values()) {
      if (e instanceof Entity.Value v && v.name().tag() < before && !s.mapsValue(v.name())) {
        s.value(v.name(), v.name());
      } else if (e instanceof Entity.Module m) {
        keepOuterValues(m.mod(), before, s);
      }
    }
  }

  /** Collects the abstract types that a checked body created. */
  private static void collectAbstractTypes(Mod result, int before, Map<Name, TypeBinding> made) {
    if (!(result instanceof Mod.Struct st)) {
      return;
    }
    for (TypeBinding t : st.env().types().values()) {
      if (t.isAbstract() && t.name().tag() >= before) {
        made.put(t.name(), t);
      }
    }
    for (Entity e : st.env().values().values()) {
      if (e instanceof Entity.Module m) {
        collectAbstractTypes(m.mod(), before, made);
      }
    }
  }

  private Mod body(ModExp.Lambda l, Mod param, LexicalScope closure) {
    LexicalScope inner = new LexicalScope(closure);
    inner.bind(l.param().name(), new Entity.Module(param));
    ModExp body = l.result() == null ? l.body() : new ModExp.Ascript(l.body(), l.result(), l.loc());
    return eval(body, inner);
  }

  // Module types

  Sig sig(SigExp e, LexicalScope scope) {
    return switch (e) {
      case SigExp.Var v -> {
        Sig s;
        if (v.name().qualifiers().isEmpty()) {
          s = scope.sig(v.name().name());
        } else {
          Mod m = new Locals(scope).module(v.name().qualifiers());
          s = m instanceof Mod.Struct st ? st.env().sigs().get(v.name().name()) : null;
        }
        if (s == null) {
          throw error("E0302", v.loc(), "Unknown module type \"" + v.name() + "\".");
        }
        yield rename.fresh(s);
      }
      case SigExp.Specs s -> specs(s, scope);
      case SigExp.With w -> with(w, scope);
      case SigExp.Arrow a -> {
        Sig from = sig(a.from(), scope);
        LexicalScope inner = new LexicalScope(scope);
        if (a.param() != null) {
          inner.bind(a.param(), new Entity.Module(from.mod()));
        }
        Sig to = sig(a.to(), inner);
        yield new Sig(Map.of(), new Mod.Functor(from, to, abstractBody(from, to)));
      }
    };
  }

  /** Returns the body of a parametric module of which only the type is known. */
  private Mod.Body abstractBody(Sig from, Sig to) {
    return (arg, loc) -> {
      Matching.Ascribed a = matching.ascribe(arg, from, loc);
      Subst s = new Subst(cx.names);
      int i = 0;
      List<TypeBinding> hidden = new ArrayList<>(a.hidden().values());
      for (Name n : from.abs().keySet()) {
        s.type(n, hidden.get(i++));
      }
      rename.freshTypes(to.abs(), s);
      return rename.mod(to.mod(), s, true);
    };
  }

  private Sig specs(SigExp.Specs specs, LexicalScope scope) {
    LexicalScope inner = new LexicalScope(scope);
    ModuleEnv env = new ModuleEnv();
    Map<Name, TypeBinding> abs = new LinkedHashMap<>();
    Map<String, Loc> values = new HashMap<>();
    Map<String, Loc> types = new HashMap<>();
    for (SigExp.Spec spec : specs.specs()) {
      switch (spec) {
        case SigExp.Spec.Val v -> {
          duplicate(values, "value", v.name(), v.loc());
          Scheme s = defs.spec(v.typeParams(), v.type(), inner);
          Entity e =
              s == null
                  ? new Entity.Broken()
                  : new Entity.Value(cx.names.fresh(v.name()), s, v.loc());
          inner.bind(v.name(), e);
          env.values().put(v.name(), e);
        }
        case SigExp.Spec.AbstractType t -> {
          duplicate(types, "type", t.name(), t.loc());
          Name n = cx.names.fresh(t.name());
          cx.liftedness.put(n, t.liftedness());
          TypeBinding b =
              TypeBinding.abstractType(n, t.liftedness(), defs.params(t.params()), t.loc());
          abs.put(n, b);
          inner.bind(t.name(), b);
          env.types().put(t.name(), b);
        }
        case SigExp.Spec.TypeAbbr t -> {
          Dec.Type d = t.dec();
          duplicate(types, "type", d.name(), d.loc());
          TypeBinding b = defs.type(d.liftedness(), d.name(), d.params(), d.type(), d.loc(), inner);
          if (b == null) {
            b = broken(d);
          }
          inner.bind(d.name(), b);
          env.types().put(d.name(), b);
        }
        case SigExp.Spec.Mod m -> {
          duplicate(values, "module", m.name(), m.loc());
          Sig s = sig(m.sig(), inner);
          for (Name n : s.abs().keySet()) {
            cx.paths.put(n, m.name() + "." + cx.paths.getOrDefault(n, n.base()));
          }
          abs.putAll(s.abs());
          inner.bind(m.name(), new Entity.Module(s.mod()));
          env.values().put(m.name(), new Entity.Module(s.mod()));
        }
        case SigExp.Spec.Include i -> {
          Sig s = sig(i.sig(), inner);
          ModuleEnv included = struct(s.mod(), i.loc());
          for (String n : included.types().keySet()) {
            TypeBinding shadowed = env.types().get(n);
            if (shadowed != null && !included.types().get(n).rhs().equals(shadowed.rhs())) {
              cx.report(
                  Diagnostic.warning("W0701", i.loc(), "Inclusion shadows type \"" + n + "\"."));
            }
          }
          abs.putAll(s.abs());
          inner.open(included);
          env.addAll(included);
        }
      }
    }
    return new Sig(abs, new Mod.Struct(env));
  }

  private static @Nullable TypeBinding find(Mod m, List<String> path) {
    for (int i = 0; i < path.size(); i++) {
      if (!(m instanceof Mod.Struct s)) {
        return null;
      }
      if (i == path.size() - 1) {
        return s.env().types().get(path.get(i));
      }
      if (!(s.env().values().get(path.get(i)) instanceof Entity.Module n)) {
        return null;
      }
      m = n.mod();
    }
    return null;
  }

  private Sig with(SigExp.With w, LexicalScope scope) {
    Sig sig = sig(w.sig(), scope);
    TypeBinding old = find(sig.mod(), path(w.name()));
    if (old == null) {
      throw error(
          "E0302", w.loc(), "Unknown type \"" + w.name() + "\": the module type has no such type.");
    }
    if (!sig.abs().containsKey(old.name())
        && old.params().isEmpty()
        && old.rhs().type() instanceof Type.Named n
        && n.args().isEmpty()
        && sig.abs().containsKey(n.name())) {
      old = requireNonNull(sig.abs().get(n.name()));
    }
    if (!sig.abs().containsKey(old.name())) {
      throw error(
          "E0706", w.loc(), "\"" + w.name() + "\" is not an abstract type in the module type.");
    }
    TypeBinding by =
        defs.type(
            TypeParam.Liftedness.LIFTED, w.name().name(), w.params(), w.type(), w.loc(), scope);
    if (by == null) {
      throw silent();
    }
    if (by.params().size() != old.params().size()) {
      throw cannotRefine(w, by, old);
    }
    for (int i = 0; i < by.params().size(); i++) {
      TypeBinding.Param p = by.params().get(i);
      TypeBinding.Param q = old.params().get(i);
      if (p.size() != q.size() || p.liftedness().compareTo(q.liftedness()) < 0) {
        throw cannotRefine(w, by, old);
      }
    }
    TypeBinding refined =
        new TypeBinding(old.name(), old.liftedness(), by.params(), by.rhs(), w.loc());
    Subst s = new Subst(cx.names).type(old.name(), refined);
    Map<Name, TypeBinding> abs = new LinkedHashMap<>(sig.abs());
    abs.remove(old.name());
    return new Sig(abs, rename.mod(sig.mod(), s, false));
  }

  private static DiagnosticException cannotRefine(SigExp.With w, TypeBinding by, TypeBinding old) {
    return error(
        "E0706",
        w.loc(),
        "Cannot refine a type with "
            + old.params().size()
            + " parameters by one with "
            + by.params().size()
            + " parameters, or with other kinds of them.");
  }
}
