package futharkc.core.driver.pipeline;

import futharkc.core.driver.plan.PassOptions;
import futharkc.core.ir.Machine;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The context of one pass on one function or on the whole program. */
final class RunContext implements PassContext {
  private final PassOptions options;
  private final Machine machine;
  private final AnalysisCache analyses;
  private final BooleanSupplier cancelled;
  private final Changes changes;
  private final List<Remark> remarks = new ArrayList<>();

  /** The values of integer options that the pass has read; passes read some for each node. */
  private final Map<String, Long> integers = new ConcurrentHashMap<>();

  private boolean counts;

  RunContext(
      PassOptions options,
      Machine machine,
      AnalysisCache analyses,
      BooleanSupplier cancelled,
      Changes changes) {
    this.changes = changes;
    this.options = options;
    this.machine = machine;
    this.analyses = analyses;
    this.cancelled = cancelled;
  }

  @Override
  public boolean flag(String option) {
    return options.get(option, Option.Kind.BOOLEAN, machine).equals("true");
  }

  @Override
  public long integer(String option) {
    return integers.computeIfAbsent(
        option, name -> Long.parseLong(options.get(name, Option.Kind.INTEGER, machine)));
  }

  @Override
  public String text(String option) {
    return options.get(option, Option.Kind.TEXT, machine);
  }

  @Override
  public Machine machine() {
    return machine;
  }

  @Override
  public AnalysisCache analyses() {
    return analyses;
  }

  @Override
  public synchronized void remark(Remark remark) {
    remarks.add(remark);
  }

  synchronized List<Remark> remarks() {
    return List.copyOf(remarks);
  }

  @Override
  public boolean mayChange() {
    counts = true;
    return changes.mayGoOn();
  }

  @Override
  public void countChange() {
    changes.count();
  }

  /**
   * Tests whether the pass has called {@link #mayChange}, so that the pass itself counts its
   * changes.
   */
  boolean counts() {
    return counts;
  }

  @Override
  public void checkCancelled() {
    if (cancelled.getAsBoolean()) {
      throw new CancellationException("the compilation has been cancelled");
    }
  }
}
