package futharkc.core.language.check;

import futharkc.core.language.typed.Name;
import futharkc.core.language.typed.Type;
import java.util.List;

/** A type scheme: the type of a definition over its size and type parameters. */
record Scheme(List<Name> sizes, List<TypeParamInfo> types, Type type) {
  static Scheme of(Type type) {
    return new Scheme(List.of(), List.of(), type);
  }

  boolean isMonomorphic() {
    return sizes.isEmpty() && types.isEmpty();
  }
}
