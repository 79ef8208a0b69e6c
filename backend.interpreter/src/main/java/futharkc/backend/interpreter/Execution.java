package futharkc.backend.interpreter;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the evaluation of an imperative program is, and what it has made so far. */
final class Execution {
  /** Who runs the code. */
  Access access = Access.ALONE;

  /** Why the scalar that is being computed has no value; null as long as it has one. */
  @Nullable Undefined undefined;

  private final Set<CheckedBlock> live = Collections.newSetFromMap(new IdentityHashMap<>());

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
    access = Access.ALONE;
    undefined = null;
  }
}
