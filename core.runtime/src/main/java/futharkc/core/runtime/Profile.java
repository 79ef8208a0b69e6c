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
   * @param nanos how long it ran
   */
  public record Event(String name, String provenance, long nanos) {}

  /**
   * The sum over all runs of a region.
   *
   * @param runs how often it ran
   * @param nanos how long it ran in all
   */
  public record Region(String name, long runs, long nanos) {}

  Profile() {}

  /** Records one run of a region; called through {@link Context#endRegion}. */
  synchronized void record(String name, String provenance, long nanos) {
    if (paused) {
      return;
    }
    if (events.size() < MAX_EVENTS) {
      events.add(new Event(name, provenance, nanos));
    }
    Region old = regions.get(name);
    regions.put(
        name,
        old == null
            ? new Region(name, 1, nanos)
            : new Region(name, old.runs + 1, old.nanos + nanos));
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
