package futharkc.backend.interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * When a run used the blocks that it allocated: from the first access to the last, whatever the
 * program says about them. Accesses are numbered in the order in which the interpreter does them.
 */
public final class BlockUses {
  private final List<Use> uses = new ArrayList<>();
  private long now;

  /** Of no block yet. */
  public BlockUses() {}

  /** The use of one block. */
  final class Use {
    private final long bytes;
    private long first;
    private long last;

    private Use(long bytes) {
      this.bytes = bytes;
    }

    void access() {
      last = ++now;
      if (first == 0) first = last;
    }
  }

  Use block(long bytes) {
    Use u = new Use(bytes);
    uses.add(u);
    return u;
  }

  /** The most bytes of blocks that were in use at a time: what they take with no room to spare. */
  public long peak() {
    Map<Long, Long> changes = new TreeMap<>();
    for (Use u : uses) {
      if (u.first == 0) continue;
      changes.merge(u.first, u.bytes, Long::sum);
      changes.merge(u.last + 1, -u.bytes, Long::sum);
    }
    long live = 0;
    long most = 0;
    for (long change : changes.values()) {
      live += change;
      most = Math.max(most, live);
    }
    return most;
  }
}
