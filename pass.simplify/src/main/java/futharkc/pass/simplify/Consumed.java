package futharkc.pass.simplify;

import futharkc.core.ir.Body;
import futharkc.core.ir.Name;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which arrays are consumed at some place in a function; found when it is asked for. */
final class Consumed {
  private final Body body;
  private @Nullable Aliases aliases;
  private Set<Name> roots = Set.of();

  Consumed(Body body) {
    this.body = body;
  }

  /** Whether an array, or one that shares elements with it, is consumed anywhere. */
  boolean anywhere(Name array) {
    Aliases known = aliases;
    if (known == null) {
      known = Aliases.of(body.stms());
      roots = Consumption.of(body, known);
      aliases = known;
    }
    return known.roots(array).stream().anyMatch(roots::contains);
  }
}
