package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;
import java.util.HashSet;
import java.util.Set;

/**
 * What a pass decides about one function: remarks, each of those on what was not done once only,
 * and changes, of which the driver may allow some only.
 */
public final class Decisions {
  private final PassContext context;
  private final String function;
  private final Set<String> said = new HashSet<>();

  /** For one function. */
  public Decisions(PassContext context, String function) {
    this.context = context;
    this.function = function;
  }

  /** Whether another change is allowed. */
  public boolean mayGoOn() {
    context.checkCancelled();
    return context.mayChange();
  }

  /** Counts a change. */
  public void count() {
    context.countChange();
  }

  /** Says what was done, or, once, anything else. */
  public void say(Remark.Kind kind, Loc loc, String message) {
    if (kind == Remark.Kind.APPLIED || said.add(message)) {
      context.remark(kind, function, loc, message);
    }
  }
}
