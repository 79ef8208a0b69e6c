package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the evaluation of an imperative program: the running accessor, live blocks, and
 * failures.
 */
final class Execution {
  /** The accessor that is running. */
  Accessor access = Accessor.ALONE;

  /** The reason why the scalar under computation has no value; null if it has one. */
  @Nullable Undefined undefined;

  private final Set<CheckedBlock> live = Collections.newSetFromMap(new IdentityHashMap<>());

  /**
   * The failure that a kernel has recorded; null if none. Kernels that are launched later do
   * nothing.
   */
  @Nullable FutharkError failure;

  /** A callback by which a failing thread informs the other threads of its block. */
  Runnable team = () -> {};

  /** The counters of device operations. */
  final DeviceCounters counters = new DeviceCounters();

  /** The number of kernel launches so far. */
  long launches;

  /**
   * Waits for the device.
   *
   * @throws FutharkError if a kernel has failed
   */
  void checkDevice() {
    FutharkError e = failure;
    if (e != null) {
      throw e;
    }
  }

  /** Registers a block that the program must release. */
  CheckedBlock made(CheckedBlock b) {
    if (b.length() > 0) {
      live.add(b);
    }
    return b;
  }

  void release(CheckedBlock b) {
    if (b.release()) {
      live.remove(b);
    }
  }

  /**
   * Ends a call.
   *
   * @throws Fault if a block is alive that the call neither returns nor has pinned
   */
  void end(Collection<CheckedBlock> returned) {
    live.removeAll(returned);
    live.removeIf(CheckedBlock::isPinned);
    for (CheckedBlock b : live) {
      throw new Fault(b + ", is never released");
    }
  }

  /** Resets the state after a failed call. */
  void abandon() {
    live.clear();
    access = Accessor.ALONE;
    undefined = null;
    failure = null;
  }
}
