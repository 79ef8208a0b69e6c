package futharkc.core.language.check;

import futharkc.core.language.syntax.QualName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names visible within a definition: the local names, then the names of the enclosing scope.
 */
final class Locals {
  private final LexicalScope outer;
  private final Map<String, Entity> values = new HashMap<>();
  private final Map<String, TypeBinding> types = new HashMap<>();
  private final List<Runnable> trail = new ArrayList<>();

  Locals(LexicalScope outer) {
    this.outer = outer;
  }

  /** Returns the current state for {@link #reset}. */
  int mark() {
    return trail.size();
  }

  /** Unbinds all names bound since a mark. */
  void reset(int mark) {
    while (trail.size() > mark) {
      trail.remove(trail.size() - 1).run();
    }
  }

  void bind(String name, Entity e) {
    Entity old = values.put(name, e);
    trail.add(() -> restore(values, name, old));
  }

  void bind(String name, TypeBinding t) {
    TypeBinding old = types.put(name, t);
    trail.add(() -> restore(types, name, old));
  }

  private static <T> void restore(Map<String, T> map, String name, @Nullable T old) {
    if (old == null) {
      map.remove(name);
    } else {
      map.put(name, old);
    }
  }

  void open(ModuleEnv env) {
    env.values().forEach(this::bind);
    env.types().forEach(this::bind);
  }

  @Nullable Entity value(String name) {
    Entity e = values.get(name);
    return e != null ? e : outer.value(name);
  }

  /** Returns the only visible name with a spelling similar to a name, or null. */
  @Nullable String similar(String name) {
    Set<String> candidates = new HashSet<>();
    for (String n : values.keySet()) {
      if (Spelling.isNear(n, name)) {
        candidates.add(n);
      }
    }
    outer.eachValue(
        n -> {
          if (Spelling.isNear(n, name)) {
            candidates.add(n);
          }
        });
    return candidates.size() == 1 ? candidates.iterator().next() : null;
  }

  @Nullable TypeBinding type(String name) {
    TypeBinding t = types.get(name);
    return t != null ? t : outer.type(name);
  }

  /** Returns the module of a qualified path, or null. */
  @Nullable Mod module(List<String> path) {
    Entity e = value(path.get(0));
    for (int i = 1; i < path.size(); i++) {
      if (!(e instanceof Entity.Module m) || !(m.mod() instanceof Mod.Struct s)) {
        return null;
      }
      e = s.env().values().get(path.get(i));
    }
    return e instanceof Entity.Module m ? m.mod() : null;
  }

  @Nullable TypeBinding type(QualName name) {
    if (name.qualifiers().isEmpty()) {
      return type(name.name());
    }
    return module(name.qualifiers()) instanceof Mod.Struct s
        ? s.env().types().get(name.name())
        : null;
  }
}
