package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the evaluation of an imperative program is, and what it has made so far. */
final class Execution {
  /** Who runs the code. */
  Accessor access = Accessor.ALONE;

  /** Why the scalar that is being computed has no value; null as long as it has one. */
  @Nullable Undefined undefined;

  private final Set<CheckedBlock> live = Collections.newSetFromMap(new IdentityHashMap<>());

  /** What a kernel has recorded; nothing that is launched after it runs. */
  @Nullable FutharkError failure;

  /** Tells the threads of a block that one of them has failed. */
  Runnable team = () -> {};

  /** How many kernels have been launched. */
  long launches;

  /** Waits for the device, which may have failed. */
  void checkDevice() {
    FutharkError e = failure;
    if (e != null) throw e;
  }

  /** Takes a block into account that is to be released. */
  CheckedBlock made(CheckedBlock b) {
    if (b.length() > 0) live.add(b);
    return b;
  }

  void release(CheckedBlock b) {
    if (b.release()) live.remove(b);
  }

  /** The end of a call: all blocks but those that it returns have been released. */
  void end(Collection<CheckedBlock> returned) {
    live.removeAll(returned);
    live.removeIf(CheckedBlock::isPinned);
    for (CheckedBlock b : live) throw new Fault(b + ", is never released");
  }

  /** The end of a call that has failed. */
  void abandon() {
    live.clear();
    access = Accessor.ALONE;
    undefined = null;
    failure = null;
  }
}
