package futharkc.core.language.index;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The names visible in a part of a file: its own names, then the names of the enclosing scopes. */
final class Scope {
  private final @Nullable Scope parent;
  private final Members own = new Members();

  Scope(@Nullable Scope parent) {
    this.parent = parent;
  }

  @Nullable Symbol find(Members.Space space, String name) {
    for (Scope s = this; s != null; s = s.parent) {
      Symbol found = s.own.get(space, name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  void bind(Symbol symbol) {
    own.add(symbol);
  }

  void open(Members members) {
    own.addAll(members);
  }

  /** Visits all names, the names of the innermost scope first. */
  void each(Consumer<Symbol> visitor) {
    for (Scope s = this; s != null; s = s.parent) {
      for (Members.Space space : Members.Space.values()) {
        s.own.all(space).values().forEach(visitor);
      }
    }
  }
}
