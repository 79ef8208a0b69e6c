package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.Shrinking;
import futharkc.tests.kit.source.SmoothPrograms;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of the derivatives of random programs. The properties {@code -Dderivatives.first=SEED},
 * {@code -Dderivatives.programs=N} and {@code -Dderivatives.size=STATEMENTS} select programs. The
 * property {@code -Dderivatives.plan=LIST} sets the sequence of passes. The test ends with the
 * first failure, or with the Nth one under {@code -Dderivatives.failures=N}.
 */
final class RandomDerivativesTest {
  private static final long FIRST = Long.getLong("derivatives.first", 0);
  private static final long PROGRAMS = Long.getLong("derivatives.programs", 60);
  private static final int SIZE = Integer.getInteger("derivatives.size", 5);
  private static final int FAILURES = Integer.getInteger("derivatives.failures", 1);
  private static final int SHRINKING = Integer.getInteger("derivatives.shrinking", 1500);

  @Test
  void derivativesAgree() {
    DerivativeTrial trial = new DerivativeTrial();
    String plan = System.getProperty("derivatives.plan", trial.plan());
    List<String> failures = new ArrayList<>();
    for (long seed = FIRST; failures.size() < FAILURES && seed < FIRST + PROGRAMS; seed++) {
      RandomProgram program = SmoothPrograms.of(seed, SIZE);
      Trial.Failure failure = trial.run(program, seed, plan);
      if (failure != null) {
        failures.add(smallest(trial, program, seed, plan, failure));
      }
    }
    if (!failures.isEmpty()) {
      fail(String.join("\n\n", failures));
    }
    long compared = trial.compared;
    assertTrue(compared >= 150 * PROGRAMS, () -> "only " + compared + " numbers were compared");
  }

  private static String smallest(
      DerivativeTrial trial,
      RandomProgram program,
      long seed,
      @Nullable String plan,
      Trial.Failure failure) {
    RandomProgram small =
        Shrinking.shrink(
            program,
            p -> {
              Trial.Failure again = trial.run(p, seed, plan);
              return again != null && again.kind().equals(failure.kind());
            },
            SHRINKING);
    return "seed " + seed + "\n" + small.text() + "\n" + trial.run(small, seed, plan);
  }
}
