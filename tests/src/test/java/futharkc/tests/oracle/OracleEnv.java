package futharkc.tests.oracle;

import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The environment of one activation of a function, one iteration or one case: values and types by
 * name.
 */
final class OracleEnv {
  /** A type with the environment of its names. */
  record TypeIn(Type type, OracleEnv env) {}

  private final @Nullable OracleEnv parent;
  private final Map<Name, Val> values = new HashMap<>();
  private final Map<Name, TypeIn> types = new HashMap<>();
  private final Set<Name> pending = new HashSet<>();

  OracleEnv(@Nullable OracleEnv parent) {
    this.parent = parent;
  }

  void put(Name name, Val value) {
    values.put(name, value);
    pending.remove(name);
  }

  @Nullable Val value(Name name) {
    for (OracleEnv e = this; e != null; e = e.parent) {
      Val v = e.values.get(name);
      if (v != null || e.pending.contains(name)) {
        return v;
      }
    }
    return null;
  }

  void putType(Name name, TypeIn type) {
    types.put(name, type);
  }

  @Nullable TypeIn type(Name name) {
    for (OracleEnv e = this; e != null; e = e.parent) {
      TypeIn t = e.types.get(name);
      if (t != null) {
        return t;
      }
    }
    return null;
  }

  /** Adds sizes that the next matched value determines. */
  void await(Collection<Name> sizes) {
    for (Name size : sizes) {
      values.remove(size);
      pending.add(size);
    }
  }

  /** Assigns a value to a pending size; returns false if the size is not pending. */
  boolean tell(Name size, long value) {
    for (OracleEnv e = this; e != null; e = e.parent) {
      if (e.pending.contains(size)) {
        e.put(size, Val.i64(value));
        return true;
      }
      if (e.values.containsKey(size)) {
        return false;
      }
    }
    return false;
  }

  boolean awaits(Name size) {
    return pending.contains(size);
  }
}
