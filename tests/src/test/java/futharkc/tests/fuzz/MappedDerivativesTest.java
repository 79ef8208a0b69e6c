package futharkc.tests.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import futharkc.tests.device.Devices;
import futharkc.tests.kit.source.MappedDerivatives;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.Shrinking;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Derivatives under maps of random programs, on multicore and on devices. {@code
 * -Dmapped.first=SEED}, {@code -Dmapped.programs=N} and {@code -Dmapped.size=STATEMENTS} select
 * other programs. {@code -Dmapped.failures=N} goes on up to N failures of different kinds.
 */
final class MappedDerivativesTest {
  private static final long FIRST = Long.getLong("mapped.first", 0);
  private static final long PROGRAMS = Long.getLong("mapped.programs", 8);
  private static final int SIZE = Integer.getInteger("mapped.size", 2);
  private static final int FAILURES = Integer.getInteger("mapped.failures", 1);
  private static final int SHRINKING = Integer.getInteger("mapped.shrinking", 200);

  @Test
  void compiledDerivativesAreThoseOfTheInterpreter() {
    List<String> targets = new ArrayList<>(List.of("multicore"));
    targets.addAll(Devices.targets());
    MappedDerivativeTrial trial = new MappedDerivativeTrial(targets);
    List<String> failures = new ArrayList<>();
    Set<String> kinds = new LinkedHashSet<>();
    for (long seed = FIRST; failures.size() < FAILURES && seed < FIRST + PROGRAMS; seed++) {
      RandomProgram program = MappedDerivatives.of(seed, SIZE);
      Trial.Failure failure = trial.run(program, seed);
      if (failure != null && kinds.add(failure.kind())) {
        failures.add(smallest(trial, program, seed, failure));
        if (FAILURES > 1) {
          System.out.println(failures.getLast());
        }
      }
    }
    if (!failures.isEmpty()) {
      fail(String.join("\n\n", failures));
    }
    long compared = trial.compared;
    assertTrue(compared >= 20 * PROGRAMS, () -> "only " + compared + " numbers were compared");
  }

  private static String smallest(
      MappedDerivativeTrial trial, RandomProgram program, long seed, Trial.Failure failure) {
    RandomProgram small =
        Shrinking.shrink(
            program,
            p -> {
              Trial.Failure again = trial.run(p, seed);
              return again != null && again.kind().equals(failure.kind());
            },
            SHRINKING);
    return "seed " + seed + "\n" + small.text() + "\n" + trial.run(small, seed);
  }
}
