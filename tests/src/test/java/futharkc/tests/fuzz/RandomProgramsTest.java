package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.Shrinking;
import org.junit.jupiter.api.Test;

/**
 * Tests of a few programs of {@link FuzzPrograms}. The properties {@code -Dfuzz.first=SEED} and
 * {@code -Dfuzz.programs=N} select programs, and {@code -Dfuzz.every=N} runs the multicore code of
 * every Nth program.
 */
final class RandomProgramsTest {
  private static final long FIRST = Long.getLong("fuzz.first", 0);
  private static final long PROGRAMS = Long.getLong("fuzz.programs", 300);
  private static final int EVERY = Integer.getInteger("fuzz.every", 25);
  private static final int SHRINKING = 1500;

  @Test
  void passesKeepResults() {
    Trial trial = new Trial();
    for (long i = 0; i < PROGRAMS; i++) {
      long seed = FIRST + i;
      RandomProgram program = RandomProgram.of(seed, 10);
      Trial.Settings settings = new Trial.Settings(1, i % EVERY == EVERY - 1);
      Trial.Failure failure = trial.run(program, seed, settings);
      if (failure != null) {
        fail("seed " + seed + "\n" + smallest(trial, program, seed, settings, failure.kind()));
      }
    }
    Trial.Counts counts = trial.counts;
    assertTrue(3 * counts.results >= 2 * counts.inputs, counts::toString);
    assertTrue(2 * counts.cut > counts.compiled, counts::toString);
  }

  private static String smallest(
      Trial trial, RandomProgram program, long seed, Trial.Settings settings, String kind) {
    RandomProgram small =
        Shrinking.shrink(
            program,
            p -> {
              Trial.Failure again = trial.run(p, seed, settings);
              return again != null && again.kind().equals(kind);
            },
            SHRINKING);
    return small.text() + "\n" + trial.run(small, seed, settings);
  }
}
