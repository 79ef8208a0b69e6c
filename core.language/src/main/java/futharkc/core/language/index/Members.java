package futharkc.core.language.index;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names that a file or module defines, in order of definition. */
final class Members {
  /** The name spaces. Modules are in the name space of values. */
  enum Space {
    VALUES,
    TYPES,
    MODULE_TYPES;

    /** Returns the name space of a symbol. */
    static Space of(Symbol symbol) {
      return switch (symbol.kind()) {
        case VALUE, SPECIFICATION, LOCAL, SIZE, MODULE, MODULE_PARAMETER -> VALUES;
        case TYPE, TYPE_PARAMETER -> TYPES;
        case MODULE_TYPE -> MODULE_TYPES;
      };
    }
  }

  private final Map<String, Symbol> values = new LinkedHashMap<>();
  private final Map<String, Symbol> types = new LinkedHashMap<>();
  private final Map<String, Symbol> moduleTypes = new LinkedHashMap<>();

  private Map<String, Symbol> map(Space space) {
    return switch (space) {
      case VALUES -> values;
      case TYPES -> types;
      case MODULE_TYPES -> moduleTypes;
    };
  }

  @Nullable Symbol get(Space space, String name) {
    return map(space).get(name);
  }

  Map<String, Symbol> all(Space space) {
    return Collections.unmodifiableMap(map(space));
  }

  void add(Symbol symbol) {
    map(Space.of(symbol)).put(symbol.name(), symbol);
  }

  /** Adds a symbol under the name of a symbol that it implements. */
  void add(Space space, String name, Symbol symbol) {
    map(space).put(name, symbol);
  }

  void addAll(Members other) {
    values.putAll(other.values);
    types.putAll(other.types);
    moduleTypes.putAll(other.moduleTypes);
  }
}
