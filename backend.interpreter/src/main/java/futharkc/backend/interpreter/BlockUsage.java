package futharkc.backend.interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A record of the time during which a run uses the blocks that it allocates. A block is in use from
 * its first to its last access, independent of the program's allocations and releases. Time is the
 * number of accesses so far.
 */
public final class BlockUsage {
  private final List<Use> uses = new ArrayList<>();
  private long now;

  /** Creates a record without blocks. */
  public BlockUsage() {}

  /** The first and the last access of one block. */
  final class Use {
    private final long bytes;
    private long first;
    private long last;

    private Use(long bytes) {
      this.bytes = bytes;
    }

    void access() {
      last = ++now;
      if (first == 0) {
        first = last;
      }
    }
  }

  Use block(long bytes) {
    Use u = new Use(bytes);
    uses.add(u);
    return u;
  }

  /**
   * Returns the largest number of bytes that were in use at the same time: a lower bound for any
   * allocator.
   */
  public long peak() {
    Map<Long, Long> changes = new TreeMap<>();
    for (Use u : uses) {
      if (u.first == 0) {
        continue;
      }
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
