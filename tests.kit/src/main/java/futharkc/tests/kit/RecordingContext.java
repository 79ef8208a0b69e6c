package futharkc.tests.kit;

import futharkc.core.ir.Target;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A context without a driver: it keeps the remarks of one pass.
 *
 * @param options values by name; those of other options are as the pass declares them
 * @param left how many changes are allowed; negative for any number
 */
public record RecordingContext(
    Pass pass,
    Map<String, String> options,
    AnalysisCache analyses,
    List<Remark> remarks,
    AtomicLong left)
    implements PassContext {
  /** With nothing remarked yet, and any number of changes allowed. */
  public RecordingContext(Pass pass, Map<String, String> options) {
    this(pass, options, new AnalysisCache(), new CopyOnWriteArrayList<>(), new AtomicLong(-1));
  }

  /** The context with so many changes allowed; negative for any number. */
  public RecordingContext limitedTo(long changes) {
    left.set(changes);
    return this;
  }

  @Override
  public boolean mayChange() {
    return left.get() != 0;
  }

  @Override
  public void countChange() {
    if (left.get() > 0) left.decrementAndGet();
  }

  @Override
  public Target target() {
    return Target.CPU;
  }

  @Override
  public boolean flag(String option) {
    return Boolean.parseBoolean(text(option));
  }

  @Override
  public long integer(String option) {
    return Long.parseLong(text(option));
  }

  @Override
  public String text(String option) {
    for (Option o : pass.info().options()) {
      if (o.name().equals(option)) return options.getOrDefault(option, o.defaultValue());
    }
    throw new IllegalArgumentException(
        "pass " + pass.info().name() + " declares no option " + option);
  }

  @Override
  public void remark(Remark remark) {
    remarks.add(remark);
  }

  @Override
  public void checkCancelled() {}
}
