package futharkc.core.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Times of the regions of a running program: single events, and totals by region. */
public final class Profile {
  private static final int MAX_EVENTS = 1_000_000;

  private final List<Event> events = new ArrayList<>();
  private final Map<String, Region> regions = new LinkedHashMap<>();
  private boolean paused;

  /**
   * One run of a region.
   *
   * @param name of the region, such as {@code segmap_1234}
   * @param provenance where the region comes from in the source, or {@code unknown}
   * @param start when it began, on the clock of {@link System#nanoTime}
   * @param nanos how long it ran
   * @param bytes how much it moved to and from memory, 0 if that is not known
   * @param details what else there is to say, such as the size of a kernel's grid, or the number of
   *     tasks of a parallel region
   */
  public record Event(
      String name,
      String provenance,
      long start,
      long nanos,
      long bytes,
      Map<String, String> details) {}

  /**
   * The sum over all runs of a region.
   *
   * @param runs how often it ran
   * @param nanos how long it ran in all
   * @param bytes how much it moved in all, as far as that is known
   */
  public record Region(String name, long runs, long nanos, long bytes) {}

  /** An empty one. */
  public Profile() {}

  /** Records one run of a region. */
  public synchronized void record(Event event) {
    if (paused) {
      return;
    }
    if (events.size() < MAX_EVENTS) {
      events.add(event);
    }
    Region old = regions.getOrDefault(event.name, new Region(event.name, 0, 0, 0));
    regions.put(
        event.name,
        new Region(event.name, old.runs + 1, old.nanos + event.nanos, old.bytes + event.bytes));
  }

  /** Stops or starts recording. */
  public synchronized void pause(boolean pause) {
    paused = pause;
  }

  /** Forgets what has been recorded. */
  public synchronized void clear() {
    events.clear();
    regions.clear();
  }

  /** The events recorded, oldest first; at most a million. */
  public synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** The totals, in order of the regions' first runs. */
  public synchronized List<Region> regions() {
    return List.copyOf(regions.values());
  }
}
