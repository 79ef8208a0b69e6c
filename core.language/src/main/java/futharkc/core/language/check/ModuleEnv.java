package futharkc.core.language.check;

import java.util.LinkedHashMap;
import java.util.Map;

/** The names that a module defines, in order of definition. */
record ModuleEnv(
    Map<String, Entity> values, Map<String, TypeBinding> types, Map<String, Sig> sigs) {
  ModuleEnv() {
    this(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
  }

  void addAll(ModuleEnv other) {
    values.putAll(other.values);
    types.putAll(other.types);
    sigs.putAll(other.sigs);
  }
}
