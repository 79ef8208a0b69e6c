package futharkc.harness;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueDisplay;
import futharkc.harness.RunningProgram.CaseException;
import futharkc.harness.testing.PropertyDeclaration;
import futharkc.harness.testing.RandomCandidates;
import futharkc.harness.testing.SeedSequence;
import org.jspecify.annotations.Nullable;

/**
 * A test of a property on random values. A counterexample is replaced by smaller ones: by those of
 * the property's shrinker, or by values of the same seed and smaller sizes.
 */
final class PropertyTest {
  private final RunningProgram program;
  private final TestSettings.PropertySettings settings;
  private final PropertyDeclaration declaration;
  private final String name;
  private final long size;
  private final SeedSequence seeds;

  private PropertyTest(
      RunningProgram program,
      PropertyDeclaration declaration,
      TestSettings.PropertySettings settings) {
    this.program = program;
    this.settings = settings;
    this.declaration = declaration;
    name = declaration.property().name();
    size = declaration.size() < 0 ? settings.size() : declaration.size();
    seeds = new SeedSequence(settings.seed());
  }

  /** An exception for a generator or shrinker that fails; the message is for users. */
  private static final class FailedException extends Exception {
    private static final long serialVersionUID = 1;

    FailedException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Tests a property.
   *
   * @return a report about a counterexample or a run-time error, or null if the property holds for
   *     all generated values
   * @throws CaseException if the property is declared wrongly
   */
  static @Nullable String failure(
      RunningProgram program, String property, TestSettings.PropertySettings settings)
      throws CaseException {
    try {
      PropertyDeclaration declaration =
          PropertyDeclaration.of(program.context().program(), property);
      return new PropertyTest(program, declaration, settings).failure();
    } catch (PropertyDeclaration.MalformedException e) {
      throw new CaseException(e.getMessage());
    }
  }

  private @Nullable String failure() throws CaseException {
    try {
      for (int test = 1; test <= settings.tests(); test++) {
        long seed = seeds.next();
        Value candidate = candidate(size, seed);
        String report = report(test, seed, candidate);
        if (report != null) {
          return report;
        }
      }
      return null;
    } catch (FailedException e) {
      return e.getMessage();
    }
  }

  /** Returns a report if the property does not hold for a value, which this method drops. */
  private @Nullable String report(int test, long seed, Value candidate) throws CaseException {
    try {
      if (holds(candidate)) {
        program.drop(candidate);
        return null;
      }
    } catch (FutharkError e) {
      String report =
          "Property "
              + name
              + " failed with candidate="
              + ValueDisplay.withSuffixes(candidate)
              + " with error: "
              + e.report();
      program.drop(candidate);
      return report;
    }
    String header =
        "Property "
            + name
            + " (size="
            + size
            + ", seed="
            + Long.toUnsignedString(settings.seed())
            + ") failed after "
            + test
            + " tests:\n";
    Counterexample smallest = new Counterexample(candidate);
    String note = shrink(smallest, seed);
    String report =
        header
            + note
            + "Counterexample: "
            + ValueDisplay.withSuffixes(smallest.value)
            + again(smallest);
    program.drop(smallest.value);
    return report;
  }

  /** Returns a remark if the property holds for a counterexample in a further run. */
  private String again(Counterexample smallest) throws CaseException {
    try {
      return holds(smallest.value)
          ? "\nThe property holds for this value in a further run: its result is not deterministic."
          : "";
    } catch (FutharkError e) {
      return "\nA further run fails: " + e.report();
    }
  }

  /** A value for which the property does not hold. */
  private static final class Counterexample {
    private Value value;

    Counterexample(Value value) {
      this.value = value;
    }
  }

  /** Runs an entry point and keeps its arguments, also those that the run consumes. */
  private Value call(EntryPoint entry, Value... args) throws CaseException {
    Value[] copies = program.forRun(entry, args);
    Value result = program.call(entry, copies);
    // A failed run has freed the arguments that it consumes.
    program.afterRun(args, copies);
    return result;
  }

  private boolean holds(Value candidate) throws CaseException {
    return call(declaration.property(), candidate) instanceof Scalar s && s.bits() != 0;
  }

  /**
   * Returns a candidate, which the caller must drop.
   *
   * @throws FailedException if the generator fails, or the type has no generator
   */
  private Value candidate(long candidateSize, long seed) throws CaseException, FailedException {
    ValueType type = declaration.type();
    EntryPoint generator = declaration.generator();
    ValueType obstacle = generator == null ? RandomCandidates.obstacle(type) : null;
    if (generator == null && obstacle == null) {
      return program.adopt(RandomCandidates.generate(type, candidateSize, seed));
    }
    if (generator == null) {
      throw new FailedException(
          "No values of type "
              + obstacle
              + " can be generated. The attribute #[prop(gen(f))] of "
              + name
              + " must name a generator f, of type i64 -> u64 -> "
              + type.name()
              + ".");
    }
    try {
      return call(generator, Scalar.i64(candidateSize), Scalar.u64(seed));
    } catch (FutharkError e) {
      throw new FailedException(
          "Generator "
              + generator.name()
              + " failed with size="
              + candidateSize
              + " and seed="
              + Long.toUnsignedString(seed)
              + " with error: "
              + e.report());
    }
  }

  /** Makes a counterexample smaller. Returns a remark about a failure of the shrinker, or "". */
  private String shrink(Counterexample smallest, long seed) throws CaseException {
    EntryPoint shrinker = declaration.shrinker();
    String note = "";
    if (shrinker != null) {
      try {
        shrinkBy(shrinker, smallest);
        return "";
      } catch (FailedException e) {
        note = "Shrinking note: " + e.getMessage() + "\nSmaller sizes were tried instead.\n";
      }
    }
    try {
      shrinkBySize(smallest, seed);
    } catch (FailedException e) {
      note += "Shrinking failed: " + e.getMessage() + "\n";
    }
    return note;
  }

  private void shrinkBy(EntryPoint shrinker, Counterexample smallest)
      throws CaseException, FailedException {
    int tries = 0;
    while (tries < settings.tries()) {
      long random = seeds.next();
      try {
        Value smaller = call(shrinker, smallest.value, Scalar.u64(random));
        tries = accept(smallest, smaller) ? 0 : tries + 1;
      } catch (FutharkError e) {
        throw new FailedException(
            "Shrinker "
                + shrinker.name()
                + " failed with random="
                + Long.toUnsignedString(random)
                + " with error: "
                + e.report());
      }
    }
  }

  private void shrinkBySize(Counterexample smallest, long seed)
      throws CaseException, FailedException {
    for (long smaller = size - 1; smaller >= 1; smaller--) {
      try {
        var unused = accept(smallest, candidate(smaller, seed));
      } catch (FutharkError e) {
        throw new FailedException(
            "Property " + name + " failed with size=" + smaller + " with error: " + e.report());
      }
    }
  }

  /** Replaces a counterexample by a value if the property does not hold for the value either. */
  private boolean accept(Counterexample smallest, Value smaller) throws CaseException {
    boolean holds = true;
    try {
      holds = holds(smaller);
    } finally {
      program.drop(holds ? smaller : smallest.value);
    }
    if (!holds) {
      smallest.value = smaller;
    }
    return !holds;
  }
}
