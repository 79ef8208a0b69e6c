package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Target;
import futharkc.core.ir.analysis.AnalysisCache;

/** What the driver provides to a running pass. Safe to use from several threads. */
public interface PassContext {
  /** The value of a boolean option that the pass declares. */
  boolean flag(String option);

  /** The value of an integer option that the pass declares. */
  long integer(String option);

  /** The value of a text option that the pass declares. */
  String text(String option);

  /** The machine that programs are made for. */
  Target target();

  /** Answers of analyses about functions, shared with the passes before and after. */
  AnalysisCache analyses();

  /** Reports what the pass did, or why it did not. */
  void remark(Remark remark);

  /** Shorthand: a remark at a place. */
  default void remark(Remark.Kind kind, String function, Loc loc, String message) {
    remark(new Remark(kind, function, loc, message));
  }

  /**
   * Whether another change may be made: the driver may allow a number of them only, to find the one
   * that goes wrong. A pass need not ask; then all that it makes of a function counts as a change,
   * and the driver leaves it out.
   */
  default boolean mayChange() {
    return true;
  }

  /** Counts a change, after {@link #mayChange} has been asked. */
  default void countChange() {}

  /**
   * Stops the pass if the compilation was cancelled: long-running passes call it now and then.
   *
   * @throws java.util.concurrent.CancellationException if so
   */
  void checkCancelled();
}
