package futharkc.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of tests and benchmarks. The parent sends them to its workers.
 *
 * @param backend the target, or {@code interpreter}
 * @param mode the kind of checks
 * @param passes the value of {@code --passes}; null: the default passes
 * @param plan the value of {@code --plan}; null: no exact plan
 * @param threads the number of threads that programs use; 0: one per processor
 * @param tuning the extension of tuning files; empty: no tuning files
 * @param device the device that programs run on, in the syntax of an executable's {@code --device};
 *     empty: the default device
 * @param pluginPath the folders of plugins
 * @param bench the settings of benchmarks
 * @param properties the settings of property tests
 * @param programOptions the options of programs, in the syntax of an executable's command line
 * @param specFile the file whose test blocks all programs have; empty: each program has its own
 */
public record TestSettings(
    String backend,
    Mode mode,
    @Nullable String passes,
    @Nullable String plan,
    int threads,
    String tuning,
    String device,
    List<String> pluginPath,
    BenchSettings bench,
    PropertySettings properties,
    List<String> programOptions,
    String specFile) {
  /** The kinds of checks. */
  public enum Mode {
    /** All checks of the test blocks. */
    ALL,
    /** All checks except those of the structure of programs. */
    NO_STRUCTURE,
    /** Only the structure of programs. */
    STRUCTURE,
    /** Only whether programs compile or are rejected as expected. */
    COMPILE,
    /** Only whether programs can be lowered to the first representation, or are rejected. */
    INTERNALISE,
    /** Only whether programs type check or are rejected as expected. */
    CHECK,
    /** No checks: runs are timed. */
    BENCH
  }

  /**
   * The settings of benchmarks.
   *
   * @param runs the least number of measured runs
   * @param converge true to continue until the median is precise
   * @param maxSeconds the time limit of the continuation, in seconds
   * @param profile whether a further run is profiled after the measured runs
   */
  public record BenchSettings(int runs, boolean converge, int maxSeconds, boolean profile) {
    /** The defaults of {@code futhark bench}. */
    public static final BenchSettings DEFAULT = new BenchSettings(10, true, 300, false);

    /** Creates settings without a profile. */
    public BenchSettings(int runs, boolean converge, int maxSeconds) {
      this(runs, converge, maxSeconds, false);
    }
  }

  /**
   * The settings of property tests.
   *
   * @param tests the number of random values for each property
   * @param size the size of generated values, unless the property sets a size
   * @param seed the seed of all random numbers
   * @param tries the number of calls of a shrinker without success that end the search for smaller
   *     counterexamples
   */
  public record PropertySettings(int tests, long size, long seed, int tries) {
    /** The defaults of {@code futhark test}, with a constant seed. */
    public static final PropertySettings DEFAULT = new PropertySettings(100, 50, 0, 5);
  }

  /** Copies the lists. */
  public TestSettings {
    pluginPath = List.copyOf(pluginPath);
    programOptions = List.copyOf(programOptions);
  }

  /** Creates settings with the default settings of property tests. */
  public TestSettings(
      String backend,
      Mode mode,
      @Nullable String passes,
      @Nullable String plan,
      int threads,
      String tuning,
      String device,
      List<String> pluginPath,
      BenchSettings bench) {
    this(
        backend,
        mode,
        passes,
        plan,
        threads,
        tuning,
        device,
        pluginPath,
        bench,
        PropertySettings.DEFAULT,
        List.of(),
        "");
  }

  /** Returns these settings with other settings of property tests. */
  public TestSettings withProperties(PropertySettings properties) {
    return new TestSettings(
        backend,
        mode,
        passes,
        plan,
        threads,
        tuning,
        device,
        pluginPath,
        bench,
        properties,
        programOptions,
        specFile);
  }

  /** Returns these settings with options for programs. */
  public TestSettings withProgramOptions(List<String> options) {
    return new TestSettings(
        backend,
        mode,
        passes,
        plan,
        threads,
        tuning,
        device,
        pluginPath,
        bench,
        properties,
        options,
        specFile);
  }

  /** Returns these settings with a file whose test blocks all programs have. */
  public TestSettings withSpecFile(String file) {
    return new TestSettings(
        backend,
        mode,
        passes,
        plan,
        threads,
        tuning,
        device,
        pluginPath,
        bench,
        properties,
        programOptions,
        file);
  }

  /**
   * Returns the text with the test blocks of a program.
   *
   * @param program the text of the program
   * @throws IOException if the file with the test blocks cannot be read
   */
  String specText(String program) throws IOException {
    return specFile.isEmpty() ? program : Files.readString(Path.of(specFile));
  }

  /** Tests whether programs are interpreted. */
  public boolean interpreted() {
    return backend.equals("interpreter");
  }

  List<String> toFields() {
    List<String> fields =
        new ArrayList<>(
            List.of(
                backend,
                mode.name(),
                passes == null ? "" : "=" + passes,
                plan == null ? "" : "=" + plan,
                Integer.toString(threads),
                Integer.toString(bench.runs),
                Boolean.toString(bench.converge),
                Integer.toString(bench.maxSeconds) + (bench.profile ? " profile" : ""),
                tuning,
                device,
                Integer.toString(properties.tests),
                Long.toString(properties.size),
                Long.toString(properties.seed),
                Integer.toString(properties.tries),
                specFile,
                Integer.toString(pluginPath.size())));
    fields.addAll(pluginPath);
    fields.addAll(programOptions);
    return fields;
  }

  static TestSettings ofFields(List<String> fields) {
    int plugins = 16;
    int options = plugins + Integer.parseInt(fields.get(15));
    return new TestSettings(
        fields.get(0),
        Mode.valueOf(fields.get(1)),
        optional(fields.get(2)),
        optional(fields.get(3)),
        Integer.parseInt(fields.get(4)),
        fields.get(8),
        fields.get(9),
        fields.subList(plugins, options),
        new BenchSettings(
            Integer.parseInt(fields.get(5)),
            Boolean.parseBoolean(fields.get(6)),
            Integer.parseInt(fields.get(7).split(" ", 2)[0]),
            fields.get(7).endsWith(" profile")),
        new PropertySettings(
            Integer.parseInt(fields.get(10)),
            Long.parseLong(fields.get(11)),
            Long.parseLong(fields.get(12)),
            Integer.parseInt(fields.get(13))),
        fields.subList(options, fields.size()),
        fields.get(14));
  }

  private static @Nullable String optional(String field) {
    return field.isEmpty() ? null : field.substring(1);
  }
}
