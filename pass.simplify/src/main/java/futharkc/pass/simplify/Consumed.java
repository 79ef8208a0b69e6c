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

/** Which arrays are consumed at some place in a function; found when it is asked for. */
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

  /** Whether an array, or one that shares elements with it, is consumed anywhere. */
  boolean anywhere(Name array) {
    Known known = all;
    if (known == null) {
      known = known(Aliases::of);
      all = known;
    }
    return known.has(array);
  }

  /**
   * Whether an array, or one that shares elements with it, is consumed while the iterations of
   * loops around last that it is there in. What they pass on for a unique parameter is consumed at
   * their end: it can be read until then, but there must be no second name for it.
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
