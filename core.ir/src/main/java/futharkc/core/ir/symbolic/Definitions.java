package futharkc.core.ir.symbolic;

import futharkc.core.ir.Body;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statements that bind names, at any depth. What a name stands for never changes, so a
 * statement that was replaced meanwhile still says the truth of what it bound.
 */
public final class Definitions {
  private record Definition(Stm stm, int position) {}

  private final Map<Name, Definition> all = new HashMap<>();
  private final Map<Soac.Screma, Interior> interiors = new IdentityHashMap<>();

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
    int position = 0;
    for (Name n : s.names()) all.put(n, new Definition(s, position++));
  }

  /** The statement that binds a name; null for parameters. */
  public @Nullable Stm of(Name name) {
    Definition d = all.get(name);
    return d == null ? null : d.stm;
  }

  /** Which of its results a name is that a statement binds. */
  int position(Name name) {
    return Objects.requireNonNull(all.get(name)).position;
  }

  /** What an operation binds inside; found once for each, by its identity. */
  Interior interior(Soac.Screma operation) {
    return interiors.computeIfAbsent(operation, Interior::new);
  }
}
