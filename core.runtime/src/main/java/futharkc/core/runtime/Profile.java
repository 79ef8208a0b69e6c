package futharkc.core.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The times of the regions of a running program: single events, and totals by region. */
public final class Profile {
  private static final int MAX_EVENTS = 1_000_000;

  private final List<Event> events = new ArrayList<>();
  private final Map<String, Region> regions = new LinkedHashMap<>();
  private boolean paused;

  /**
   * One run of a region.
   *
   * @param name the name of the region, such as {@code segmap_1234}
   * @param provenance the source position of the region, or {@code unknown}
   * @param start the start, on the clock of {@link System#nanoTime}
   * @param nanos the duration in nanoseconds
   * @param bytes the memory traffic in bytes, 0 if unknown
   * @param details further facts, such as the grid size of a kernel, or the number of tasks of a
   *     parallel region
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
   * @param name the name of the region
   * @param runs the number of runs
   * @param nanos the total duration in nanoseconds
   * @param bytes the total of the known memory traffic in bytes
   */
  public record Region(String name, long runs, long nanos, long bytes) {}

  /** Creates an empty profile. */
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

  /** Stops or resumes recording. */
  public synchronized void pause(boolean pause) {
    paused = pause;
  }

  /** Deletes all records. */
  public synchronized void clear() {
    events.clear();
    regions.clear();
  }

  /** Returns the recorded events, oldest first; at most a million. */
  public synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** Returns the totals, in order of the regions' first runs. */
  public synchronized List<Region> regions() {
    return List.copyOf(regions.values());
  }
}
