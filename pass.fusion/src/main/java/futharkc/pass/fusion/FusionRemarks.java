package futharkc.pass.fusion;

import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports the decision for each pair of operations in a function as a remark, and counts fusions.
 */
final class FusionRemarks {
  private static final int SHOWN = 4;

  /** The reported decisions; null during a trial. */
  private final @Nullable Decisions decisions;

  /** Creates the remarks of one function. */
  FusionRemarks(PassContext context, String function) {
    decisions = new Decisions(context, function);
  }

  private FusionRemarks() {
    decisions = null;
  }

  /** Returns remarks for a trial, which report and count nothing. */
  static FusionRemarks silent() {
    return new FusionRemarks();
  }

  /** Tests whether the limit on fusions permits another one. */
  boolean mayGoOn() {
    return decisions == null || decisions.mayGoOn();
  }

  void fused(Stm first, Stm second) {
    applied(first, second, "fused " + names(first) + " into " + names(second));
  }

  /** Reports that an operation has moved into the branches of its inputs. */
  void moved(Stm branches, Stm operation) {
    applied(
        branches, operation, "moved " + names(operation) + " into branches of " + names(branches));
  }

  private void applied(Stm first, Stm second, String message) {
    if (decisions != null) {
      decisions.count();
    }
    report(Remark.Kind.APPLIED, first, second, message);
  }

  void missed(Stm first, Stm second, String reason) {
    String message = names(first) + " and " + names(second) + " not fused: " + reason;
    report(Remark.Kind.MISSED, first, second, message);
  }

  /** Returns the names of the first few results. */
  private static String names(Stm s) {
    return s.pat().stream()
        .limit(SHOWN)
        .map(p -> p.name().toString())
        .collect(Collectors.joining(", ", "[", s.pat().size() > SHOWN ? ", ...]" : "]"));
  }

  private void report(Remark.Kind kind, Stm first, Stm second, String message) {
    if (decisions == null) {
      return;
    }
    decisions.say(kind, second.aux().loc(), message + " (from " + first.aux().loc() + ")");
  }
}
