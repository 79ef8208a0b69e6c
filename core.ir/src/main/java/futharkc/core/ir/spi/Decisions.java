package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;
import java.util.HashSet;
import java.util.Set;

/**
 * The remarks and changes of a pass in one function. Remarks on omitted changes are reported once
 * each. The driver may limit the number of changes.
 */
public final class Decisions {
  private final PassContext context;
  private final String function;
  private final Set<String> said = new HashSet<>();

  /** Makes an empty record for a function. */
  public Decisions(PassContext context, String function) {
    this.context = context;
    this.function = function;
  }

  /** Tests whether another change is allowed. */
  public boolean mayGoOn() {
    context.checkCancelled();
    return context.mayChange();
  }

  /** Counts a change. */
  public void count() {
    context.countChange();
  }

  /** Reports a remark, except a repeated one on an omitted change. */
  public void say(Remark.Kind kind, Loc loc, String message) {
    if (kind == Remark.Kind.APPLIED || said.add(message)) {
      context.remark(kind, function, loc, message);
    }
  }
}
