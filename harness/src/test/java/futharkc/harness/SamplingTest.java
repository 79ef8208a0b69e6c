package futharkc.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.harness.Outcome.Status;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

final class SamplingTest {
  private long nanos;
  private int runs;

  /** Measures a program whose {@code i}-th run takes a number of microseconds, on a fake clock. */
  private Measurement measure(TestSettings.BenchSettings settings, IntToLongFunction micros) {
    return new Sampling(
            () -> {
              long time = micros.applyAsLong(runs++);
              nanos += time * 1000;
              return time;
            },
            () -> nanos)
        .measure(settings);
  }

  @Test
  void runsDuringCompilationAreNotMeasured() {
    Measurement measured =
        measure(TestSettings.BenchSettings.DEFAULT, i -> i < 100 ? 2000 : i < 1500 ? 250 : 26);
    assertEquals(26, measured.median().median());
    assertTrue(
        List.of(26L).containsAll(java.util.Arrays.stream(measured.times()).boxed().toList()));
    assertTrue(measured.warmUp().steady());
    assertTrue(measured.warmUp().runs() >= 1500);
    assertEquals(2000, measured.warmUp().first());
  }

  @Test
  void theNumberOfRunsIsBoundedEvenIfTimesNeverConverge() {
    Random random = new Random(1);
    Measurement measured =
        measure(TestSettings.BenchSettings.DEFAULT, i -> 1 + (random.nextBoolean() ? 0 : 40));
    assertTrue(measured.times().length <= Sampling.MOST_RUNS);
    assertTrue(runs <= Sampling.MOST_RUNS + Sampling.MOST_WARM_UP_RUNS);
    assertTrue(measured.toValues().size() < 10);
  }

  @Test
  void outliersDoNotProlongTheMeasurement() {
    Measurement measured =
        measure(TestSettings.BenchSettings.DEFAULT, i -> i % 50 == 49 ? 500_000 : 5_000);
    assertEquals(5_000, measured.median().median());
    assertTrue(measured.times().length < 1000, () -> measured.times().length + " runs");
  }

  @Test
  void aSlowProgramHasFewRuns() {
    Measurement measured = measure(new TestSettings.BenchSettings(3, true, 300), i -> 20_000_000);
    assertEquals(3, measured.times().length);
    assertEquals(new Measurement.WarmUp(1, 20_000_000, false), measured.warmUp());
  }

  @Test
  void theUserCanRequestMoreRuns() {
    int n = 2 * Sampling.MOST_RUNS;
    Measurement measured = measure(new TestSettings.BenchSettings(n, true, 300), i -> 7);
    assertEquals(n, measured.times().length);
  }

  @Test
  void theIntervalOfTheMedianIsNarrowWithoutRegardToOutliers() {
    Measurement.Median one = Measurement.Median.of(9);
    assertEquals(new Measurement.Median(9, 9, 9), one);
    assertEquals(new Measurement.Median(2.5, 1, 4), Measurement.Median.of(4, 1, 3, 2));
    long[] times = new long[101];
    for (int i = 0; i < times.length; i++) {
      times[i] = i == 100 ? 1_000_000 : 100 + i;
    }
    Measurement.Median many = Measurement.Median.of(times);
    assertEquals(150, many.median());
    // The 95 % interval of 101 times has the ranks 40 to 62 (binomial distribution).
    assertTrue(many.lower() >= 137 && many.lower() <= 141, many::toString);
    assertTrue(many.upper() >= 159 && many.upper() <= 163, many::toString);
  }

  @Test
  void anOutcomeCarriesAMeasurement() {
    Measurement measured =
        new Measurement(
            Map.of("default", 80L), new Measurement.WarmUp(3, 17, false), new long[] {1, 22, 333});
    Measurement back =
        Measurement.of(new Outcome("main: #0", Status.PASSED, "", measured.toValues()));
    assertEquals(measured.toValues(), back.toValues());
    assertEquals(Map.of("default", 80L), back.peaks());
    assertEquals(333, back.times()[2]);
    assertFalse(back.warmUp().steady());
  }
}
