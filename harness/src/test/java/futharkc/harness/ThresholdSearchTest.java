package futharkc.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.harness.ThresholdSearch.Measured;
import futharkc.harness.ThresholdSearch.Threshold;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests of the search for thresholds on programs with simulated times. */
final class ThresholdSearchTest {
  /** A case whose time is a function of the thresholds. */
  private abstract static class Program {
    final Map<String, NavigableSet<Long>> compared = new HashMap<>();
    Map<String, Long> values = Map.of();

    abstract double run();

    /**
     * Tests whether a threshold is at most a value, and records the comparison. The default
     * threshold is 32768.
     */
    boolean reached(String name, long value) {
      compared.computeIfAbsent(name, n -> new TreeSet<>()).add(value);
      return values.getOrDefault(name, 32_768L) <= value;
    }
  }

  private final List<String> log = new ArrayList<>();
  private int runs;

  private Map<String, Long> search(List<Threshold> thresholds, Program... programs) {
    return new ThresholdSearch(
            new ThresholdSearch.Cases() {
              @Override
              public int count() {
                return programs.length;
              }

              @Override
              public Measured run(int i, Map<String, Long> values, double limit) {
                runs++;
                programs[i].values = values;
                programs[i].compared.clear();
                return new Measured(programs[i].run(), new HashMap<>(programs[i].compared));
              }
            },
            log::add)
        .search(thresholds);
  }

  private static Threshold threshold(String name, String path) {
    return Threshold.of(name, "threshold(def, " + path + ")");
  }

  /**
   * Returns a case with an outer version that is slow for few elements and an inner version with
   * constant launch cost.
   */
  private static Program sized(long n) {
    return new Program() {
      @Override
      double run() {
        return reached("a", n) ? 1e6 / n : 1000;
      }
    };
  }

  @Test
  void theValueLiesBetweenWhatIsWorthItAndWhatIsNot() {
    Map<String, Long> found =
        search(List.of(threshold("a", "")), sized(10), sized(500), sized(5000), sized(100_000));
    assertEquals(Map.of("a", 5000L), found);
  }

  @Test
  void whatIsAlwaysOrNeverWorthItIsAlwaysOrNeverReached() {
    assertEquals(Map.of("a", 1L << 20), search(List.of(threshold("a", "")), sized(1L << 20)));
    assertEquals(
        Map.of("a", ThresholdSearch.NEVER), search(List.of(threshold("a", "")), sized(10)));
  }

  @Test
  void thoseAboveAreSetSoThatTheDeeperOnesAreCompared() {
    Program nested =
        new Program() {
          @Override
          double run() {
            if (reached("a", 100)) {
              return 50;
            }
            if (reached("b", 200)) {
              return 10;
            }
            return reached("c", 300) ? 30 : 5;
          }
        };
    List<Threshold> tree =
        List.of(threshold("a", ""), threshold("b", "!a"), threshold("c", "!a !b"));
    Map<String, Long> found = search(tree, nested);
    assertEquals(
        Map.of("a", ThresholdSearch.NEVER, "b", ThresholdSearch.NEVER, "c", ThresholdSearch.NEVER),
        found);
    nested.values = found;
    assertEquals(5, nested.run());
  }

  @Test
  void oneCaseDoesNotOutweighTheOthersBecauseItIsLong() {
    Program longer =
        new Program() {
          @Override
          double run() {
            return reached("a", 100) ? 1_000_000 : 1_100_000;
          }
        };
    Program shorter =
        new Program() {
          @Override
          double run() {
            return reached("a", 100) ? 30 : 10;
          }
        };
    assertEquals(
        Map.of("a", ThresholdSearch.NEVER), search(List.of(threshold("a", "")), longer, shorter));
  }

  @Test
  void manyComparisonsTakeFewRuns() {
    Program loop =
        new Program() {
          @Override
          double run() {
            double sum = 0;
            for (long n = 1; n <= 1000; n++) {
              sum += reached("a", n) ? 1.0 / n : 0.002;
            }
            return sum;
          }
        };
    long value = search(List.of(threshold("a", "")), loop).get("a");
    assertEquals(true, value > 300 && value < 700, "got " + value);
    assertEquals(7, runs);
  }

  @Test
  void whatNoCaseComparesIsLeftAlone() {
    assertEquals(Map.of(), search(List.of(threshold("x", "")), sized(10)));
    assertEquals(List.of("x: no case compares it"), log);
    assertNull(Threshold.of("x", "thread_block_size"));
    assertEquals(Map.of("a", true, "b", false), threshold("x", "a !b").path());
  }
}
