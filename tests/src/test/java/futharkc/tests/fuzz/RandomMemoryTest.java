package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of memory merging on random array programs. The properties {@code -Dfuzz.first=SEED} and
 * {@code -Dfuzz.programs=N} select programs.
 */
final class RandomMemoryTest {
  private static final long FIRST = Long.getLong("fuzz.first", 0);
  private static final long PROGRAMS = Long.getLong("fuzz.programs", 300);

  /** The maximal number of reported failures. */
  private static final int MOST = 5;

  @Test
  void mergedMemoryKeepsResults() {
    MemoryTrial trial = new MemoryTrial();
    List<String> failures = new ArrayList<>();
    for (long i = 0; i < PROGRAMS && failures.size() < MOST; i++) {
      String wrong = trial.run(FIRST + i, 4 + (int) ((FIRST + i) / 3 % 12));
      if (wrong == null) {
        continue;
      }
      failures.add("seed " + (FIRST + i) + ": " + wrong.lines().limit(3).toList());
      System.out.println("seed " + (FIRST + i) + "\n" + wrong);
    }
    String counts =
        ("%d programs, %d with %d blocks less in all; %d of %d functions at the lower bound, %d"
                + " where it matters who takes which room; the peak after %d passes %.2f %% less,"
                + " after %d of them higher, by %.1f %%; layouts changed %d times")
            .formatted(
                PROGRAMS,
                trial.merged,
                trial.blocks,
                trial.atLeast,
                trial.reused,
                trial.choices,
                trial.measured,
                100 * trial.less / Math.max(1, trial.measured),
                trial.raised,
                100 * trial.raise / Math.max(1, trial.raised),
                trial.layouts);
    if (PROGRAMS > 300) {
      System.out.println("programs: " + counts);
    }
    assertTrue(failures.isEmpty(), () -> String.join("\n", failures));
    assertTrue(3L * trial.merged > PROGRAMS, counts);
    assertTrue(30L * trial.raised < 30 + trial.measured, counts);
  }
}
