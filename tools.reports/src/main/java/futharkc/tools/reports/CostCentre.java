package futharkc.tools.reports;

import futharkc.tools.reports.BenchmarkResults.Event;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of one name and source position.
 *
 * @param name the name of the events
 * @param positions the source positions, sorted
 * @param count the number of events
 * @param sum the total duration in microseconds
 * @param least the least duration in microseconds
 * @param most the greatest duration in microseconds
 */
record CostCentre(
    String name, List<String> positions, long count, double sum, double least, double most) {
  /** Returns the cost centres of events, that of the greatest total first. */
  static List<CostCentre> of(List<Event> events) {
    Map<String, CostCentre> centres = new LinkedHashMap<>();
    for (Event event : events) {
      List<String> positions = new ArrayList<>(Arrays.asList(event.provenance().split("->")));
      positions.sort(Comparator.naturalOrder());
      double time = event.micros();
      centres.merge(
          event.name() + "\n" + event.provenance(),
          new CostCentre(event.name(), positions, 1, time, time, time),
          (a, b) ->
              new CostCentre(
                  a.name,
                  a.positions,
                  a.count + 1,
                  a.sum + time,
                  Math.min(a.least, time),
                  Math.max(a.most, time)));
    }
    return centres.values().stream()
        .sorted(Comparator.comparingDouble((CostCentre c) -> -c.sum).thenComparing(c -> c.name))
        .toList();
  }

  static double total(List<CostCentre> centres) {
    return centres.stream().mapToDouble(CostCentre::sum).sum();
  }

  static int longestName(List<CostCentre> centres) {
    return centres.stream().mapToInt(c -> c.name.length()).max().orElse(0);
  }
}
