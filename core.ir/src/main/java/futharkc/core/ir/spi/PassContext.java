package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Machine;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.imperative.CostModel;

/** The services of the driver for a running pass. Implementations are thread-safe. */
public interface PassContext {
  /** Returns the value of a boolean option that the pass declares. */
  boolean flag(String option);

  /** Returns the value of an integer option that the pass declares. */
  long integer(String option);

  /** Returns the value of a text option that the pass declares. */
  String text(String option);

  /** Returns the value of an integer option that the pass declares, as an {@code int}. */
  default int number(Option option) {
    return Math.toIntExact(integer(option.name()));
  }

  /** Returns the machine for which the program is compiled. */
  Machine machine();

  /** Returns the cost model of the machine. */
  default CostModel costs() {
    return new CostModel(machine());
  }

  /** Returns the cache of analysis results, which all passes share. */
  AnalysisCache analyses();

  /** Reports a change or the reason why the pass omitted one. */
  void remark(Remark remark);

  /** Reports a remark with the given fields. */
  default void remark(Remark.Kind kind, String function, Loc loc, String message) {
    remark(new Remark(kind, function, loc, message));
  }

  /**
   * Tests whether another change is allowed. The driver may limit the number of changes in order to
   * find a faulty one. For a pass that never calls this method, each transformed function counts as
   * one change.
   */
  default boolean mayChange() {
    return true;
  }

  /** Counts a change, after {@link #mayChange} returned true. */
  default void countChange() {}

  /**
   * Stops the pass if the compilation has been cancelled. Long-running passes call this method
   * regularly.
   *
   * @throws java.util.concurrent.CancellationException if the compilation has been cancelled
   */
  void checkCancelled();
}
