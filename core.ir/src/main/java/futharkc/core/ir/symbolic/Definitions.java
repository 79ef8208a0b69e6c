package futharkc.core.ir.symbolic;

import futharkc.core.ir.Body;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statements that bind names, at any depth. What a name stands for never changes, so a
 * statement that was replaced meanwhile still says the truth of what it bound.
 */
public final class Definitions {
  private final Map<Name, Stm> statements = new HashMap<>();

  /** None yet. */
  public Definitions() {}

  /** Learns what a body binds, at any depth. */
  public void addAll(Body b) {
    new Mapper() {
      @Override
      public Body body(Body inner) {
        for (Stm s : inner.stms()) add(s);
        return super.body(inner);
      }
    }.body(b);
  }

  /** Learns what a statement binds itself. */
  public void add(Stm s) {
    for (Name n : s.names()) statements.put(n, s);
  }

  /** The statement that binds a name; null for parameters. */
  public @Nullable Stm of(Name name) {
    return statements.get(name);
  }
}
