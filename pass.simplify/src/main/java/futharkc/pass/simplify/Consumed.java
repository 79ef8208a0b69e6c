package futharkc.pass.simplify;

import futharkc.core.ir.Body;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The arrays that a function consumes, computed on demand. */
final class Consumed {
  private final Body body;
  private @Nullable Known all;
  private @Nullable Known iterations;

  private record Known(Aliases aliases, NameSet roots) {
    boolean has(Name array) {
      return roots.meets(aliases.roots(array));
    }
  }

  Consumed(Body body) {
    this.body = body;
  }

  /** Tests whether the function consumes an array or an alias of it. */
  boolean anywhere(Name array) {
    Known known = all;
    if (known == null) {
      known = known(Aliases::of);
      all = known;
    }
    return known.has(array);
  }

  /**
   * Tests whether an array or an alias is consumed during the iteration that uses it. The next
   * value of a unique parameter is consumed at the end of the iteration: it can be read until then,
   * but must have no second name.
   */
  boolean meanwhile(Name array) {
    Known known = iterations;
    if (known == null) {
      known = known(Aliases::ofIterations);
      iterations = known;
    }
    return known.has(array);
  }

  private Known known(Function<List<Stm>, Aliases> analysis) {
    Aliases aliases = analysis.apply(body.stms());
    return new Known(aliases, Consumption.of(body, aliases));
  }
}
