package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;
import java.util.HashSet;
import java.util.Set;

/**
 * What a pass decides about one function: remarks, each of those on what was not done once only,
 * and a limit on how much is done, to find the decision that goes wrong.
 */
public final class Decisions {
  private final PassContext context;
  private final String function;
  private final Set<String> said = new HashSet<>();
  private long left;

  /**
   * For one function.
   *
   * @param limit how many changes are allowed; negative for any number
   */
  public Decisions(PassContext context, String function, long limit) {
    this.context = context;
    this.function = function;
    this.left = limit;
  }

  /** Whether the limit allows another change. */
  public boolean mayGoOn() {
    context.checkCancelled();
    return left != 0;
  }

  /** Counts a change. */
  public void count() {
    if (left > 0) left--;
  }

  /** Says what was done, or, once, anything else. */
  public void say(Remark.Kind kind, Loc loc, String message) {
    if (kind == Remark.Kind.APPLIED || said.add(message)) {
      context.remark(kind, function, loc, message);
    }
  }
}
