package futharkc.tests.kit;

import futharkc.core.ir.Machine;
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
 * A pass context without a driver that records the remarks of one pass.
 *
 * @param options option values by name; other options have the defaults that the pass declares
 * @param left the number of changes that the pass may still make; negative for no limit
 */
public record RecordingContext(
    Pass pass,
    Map<String, String> options,
    AnalysisCache analyses,
    List<Remark> remarks,
    AtomicLong left)
    implements PassContext {
  /** Creates a context without remarks and without a limit on changes. */
  public RecordingContext(Pass pass, Map<String, String> options) {
    this(pass, options, new AnalysisCache(), new CopyOnWriteArrayList<>(), new AtomicLong(-1));
  }

  /** Returns this context with a limit on the number of changes; negative for no limit. */
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
    if (left.get() > 0) {
      left.decrementAndGet();
    }
  }

  @Override
  public Machine machine() {
    return TestMachine.WITH_DEVICE;
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
      if (o.name().equals(option)) {
        return options.getOrDefault(option, o.defaultValue(machine()));
      }
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
