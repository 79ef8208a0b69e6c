package futharkc.pass.fusion;

import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says of each pair of operations in a function what was done, and counts. */
final class Remarks {
  private static final int SHOWN = 4;

  /** None while something is only tried. */
  private final @Nullable Decisions decisions;

  /** For one function. */
  Remarks(PassContext context, String function) {
    decisions = new Decisions(context, function);
  }

  private Remarks() {
    decisions = null;
  }

  /** For a trial: nothing is said or counted. */
  static Remarks silent() {
    return new Remarks();
  }

  /** Whether another fusion is allowed. */
  boolean mayGoOn() {
    return decisions == null || decisions.mayGoOn();
  }

  void fused(Stm first, Stm second) {
    applied(first, second, "fused " + names(first) + " into " + names(second));
  }

  /** An operation has moved into the branches that make its inputs. */
  void moved(Stm branches, Stm operation) {
    applied(
        branches, operation, "moved " + names(operation) + " into branches of " + names(branches));
  }

  private void applied(Stm first, Stm second, String message) {
    if (decisions != null) decisions.count();
    report(Remark.Kind.APPLIED, first, second, message);
  }

  void missed(Stm first, Stm second, String reason) {
    String message = names(first) + " and " + names(second) + " not fused: " + reason;
    report(Remark.Kind.MISSED, first, second, message);
  }

  /** The first few results. */
  private static String names(Stm s) {
    return s.pat().stream()
        .limit(SHOWN)
        .map(p -> p.name().toString())
        .collect(Collectors.joining(", ", "[", s.pat().size() > SHOWN ? ", ...]" : "]"));
  }

  private void report(Remark.Kind kind, Stm first, Stm second, String message) {
    if (decisions == null) return;
    decisions.say(kind, second.aux().loc(), message + " (from " + first.aux().loc() + ")");
  }
}
