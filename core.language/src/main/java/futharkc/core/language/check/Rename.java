package futharkc.core.language.check;

import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.LinkedHashMap;
import java.util.Map;

/** Substitution in modules and module types. */
final class Rename {
  private final CheckContext cx;

  Rename(CheckContext cx) {
    this.cx = cx;
  }

  /** Returns a module type with fresh abstract types and values. */
  Sig fresh(Sig sig) {
    Subst s = new Subst(cx.names);
    Map<Name, TypeBinding> abs = freshTypes(sig.abs(), s);
    return new Sig(abs, mod(sig.mod(), s, true));
  }

  /** Returns fresh abstract types and adds them to the substitution. */
  Map<Name, TypeBinding> freshTypes(Map<Name, TypeBinding> abs, Subst s) {
    Map<Name, TypeBinding> result = new LinkedHashMap<>();
    for (TypeBinding t : abs.values()) {
      Name n = cx.names.fresh(t.name().base());
      cx.liftedness.put(n, t.liftedness());
      cx.paths.put(n, cx.paths.getOrDefault(t.name(), n.base()));
      TypeBinding b = TypeBinding.abstractType(n, t.liftedness(), t.params(), t.loc());
      s.type(t.name(), b);
      result.put(n, b);
    }
    return result;
  }

  TypeBinding type(TypeBinding t, Subst s) {
    TypeBinding by = t.isAbstract() ? s.typeOf(t.name()) : null;
    if (by != null) {
      return by.isAbstract()
          ? by
          : new TypeBinding(t.name(), by.liftedness(), by.params(), by.rhs(), t.loc());
    }
    Type.Result r = s.result(t.rhs());
    return r == t.rhs() ? t : new TypeBinding(t.name(), t.liftedness(), t.params(), r, t.loc());
  }

  Mod mod(Mod m, Subst s, boolean freshValues) {
    return switch (m) {
      case Mod.Struct st -> new Mod.Struct(env(st.env(), s, freshValues));
      case Mod.Functor f ->
          new Mod.Functor(
              new Sig(f.param().abs(), mod(f.param().mod(), s, false)),
              new Sig(f.result().abs(), mod(f.result().mod(), s, false)),
              (arg, loc) -> mod(f.body().apply(arg, loc), s, false));
    };
  }

  ModuleEnv env(ModuleEnv env, Subst s, boolean freshValues) {
    if (freshValues) {
      for (Entity e : env.values().values()) {
        if (e instanceof Entity.Value v && !s.mapsValue(v.name())) {
          s.value(v.name(), cx.names.fresh(v.name().base()));
        }
      }
    }
    ModuleEnv result = new ModuleEnv();
    env.types().forEach((n, t) -> result.types().put(n, type(t, s)));
    env.sigs().forEach((n, g) -> result.sigs().put(n, new Sig(g.abs(), mod(g.mod(), s, false))));
    env.values()
        .forEach(
            (n, e) ->
                result
                    .values()
                    .put(
                        n,
                        switch (e) {
                          case Entity.Value v -> value(v, s);
                          case Entity.Module sub ->
                              new Entity.Module(mod(sub.mod(), s, freshValues));
                          case Entity.Operator o -> o;
                          case Entity.Broken b -> b;
                          case LocalVar l -> l;
                        }));
    return result;
  }

  private Entity.Value value(Entity.Value v, Subst s) {
    Scheme scheme = s.scheme(v.scheme());
    Type.Size name = s.sizeVar(new Type.Size.Var(v.name()));
    Name n = name instanceof Type.Size.Var w ? w.name() : v.name();
    cx.sharedResults.copy(v.name(), n);
    return n.equals(v.name()) && scheme == v.scheme() ? v : new Entity.Value(n, scheme, v.loc());
  }
}
