package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertNull;

import futharkc.tests.kit.source.RandomProgram;
import org.junit.jupiter.api.Test;

/** A few of the programs that {@link FuzzPrograms} tries by the thousand. */
final class RandomProgramsTest {
  private static final int PROGRAMS = 300;
  private static final int EVERY = 25;

  @Test
  void passesKeepResults() {
    Trial trial = new Trial();
    for (int seed = 0; seed < PROGRAMS; seed++) {
      RandomProgram program = RandomProgram.of(seed, 10);
      Trial.Failure failure =
          trial.run(program, seed, new Trial.Settings(1, seed % EVERY == EVERY - 1));
      assertNull(failure, "seed " + seed + "\n" + program.text() + "\n" + failure);
    }
  }
}
