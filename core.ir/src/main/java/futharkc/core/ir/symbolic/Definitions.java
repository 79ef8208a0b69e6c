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
 * The statements that bind names, at any depth. The value of a name never changes, so the entry of
 * a statement that has been replaced since remains correct.
 */
public final class Definitions {
  private record Definition(Stm stm, int position) {}

  private final Map<Name, Definition> all = new HashMap<>();
  private final Map<Soac.Screma, LambdaBindings> lambdaBindings = new IdentityHashMap<>();

  /** Makes an empty collection. */
  public Definitions() {}

  /** Adds the statements of a body, at any depth. */
  public void addAll(Body b) {
    new Mapper() {
      @Override
      public Body body(Body inner) {
        for (Stm s : inner.stms()) {
          add(s);
        }
        return super.body(inner);
      }
    }.body(b);
  }

  /** Adds a single statement, without nested ones. */
  public void add(Stm s) {
    int position = 0;
    for (Name n : s.names()) {
      all.put(n, new Definition(s, position++));
    }
  }

  /** Returns the statement that binds a name, or null for parameters. */
  public @Nullable Stm of(Name name) {
    Definition d = all.get(name);
    return d == null ? null : d.stm;
  }

  /** Returns the position of a name in the pattern of its statement. */
  int position(Name name) {
    return Objects.requireNonNull(all.get(name)).position;
  }

  /** Returns the names bound inside an operation, cached by the operation's identity. */
  LambdaBindings lambdaBindings(Soac.Screma operation) {
    return lambdaBindings.computeIfAbsent(operation, LambdaBindings::new);
  }
}
