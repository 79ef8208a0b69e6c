package futharkc.core.language.check;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The names visible at module level: the names of a structure, then the names of the enclosing
 * structures.
 */
final class LexicalScope {
  private final @Nullable LexicalScope parent;
  private final Map<String, Entity> values;
  private final Map<String, TypeBinding> types;
  private final Map<String, Sig> sigs;

  LexicalScope(@Nullable LexicalScope parent) {
    this(parent, new HashMap<>(), new HashMap<>(), new HashMap<>());
  }

  private LexicalScope(
      @Nullable LexicalScope parent,
      Map<String, Entity> values,
      Map<String, TypeBinding> types,
      Map<String, Sig> sigs) {
    this.parent = parent;
    this.values = values;
    this.types = types;
    this.sigs = sigs;
  }

  /** Returns a copy of the current scope. Later additions to this scope do not change the copy. */
  LexicalScope snapshot() {
    return new LexicalScope(
        parent == null || parent.parent == null ? parent : parent.snapshot(),
        new HashMap<>(values),
        new HashMap<>(types),
        new HashMap<>(sigs));
  }

  /** Returns the names bound in this scope, without those of the enclosing scopes. */
  ModuleEnv own() {
    return new ModuleEnv(values, types, sigs);
  }

  @Nullable Entity value(String name) {
    for (LexicalScope s = this; s != null; s = s.parent) {
      Entity e = s.values.get(name);
      if (e != null) {
        return e;
      }
    }
    return null;
  }

  @Nullable TypeBinding type(String name) {
    for (LexicalScope s = this; s != null; s = s.parent) {
      TypeBinding t = s.types.get(name);
      if (t != null) {
        return t;
      }
    }
    return null;
  }

  @Nullable Sig sig(String name) {
    for (LexicalScope s = this; s != null; s = s.parent) {
      Sig t = s.sigs.get(name);
      if (t != null) {
        return t;
      }
    }
    return null;
  }

  /** Calls the consumer with every visible name of a value or module. */
  void eachValue(Consumer<String> f) {
    for (LexicalScope s = this; s != null; s = s.parent) {
      s.values.keySet().forEach(f);
    }
  }

  void bind(String name, Entity entity) {
    values.put(name, entity);
  }

  void bind(String name, TypeBinding type) {
    types.put(name, type);
  }

  void bind(String name, Sig sig) {
    sigs.put(name, sig);
  }

  void open(ModuleEnv env) {
    values.putAll(env.values());
    types.putAll(env.types());
    sigs.putAll(env.sigs());
  }
}
