package futharkc.harness;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How programs are tested or timed; travels to the workers.
 *
 * @param backend the target, or {@code interpreter}
 * @param mode what is checked
 * @param passes as {@code --passes}; null: the default
 * @param plan as {@code --plan}; null: none
 * @param threads how many threads programs use; 0: as many as there are processors
 * @param tuning the extension of tuning files beside the programs; empty: none are used
 * @param device the device that programs run on, as an executable's {@code --device} names it;
 *     empty: the default
 * @param pluginPath folders of plugins
 * @param bench how programs are timed
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
    BenchSettings bench) {
  /** What is checked. */
  public enum Mode {
    /** Everything that the test blocks say. */
    ALL,
    /** Everything but the structure of programs. */
    NO_STRUCTURE,
    /** Only the structure of programs. */
    STRUCTURE,
    /** Only that programs compile, or are rejected. */
    COMPILE,
    /** Only that programs type check, or do not. */
    CHECK,
    /** Nothing: runs are timed. */
    BENCH
  }

  /**
   * How programs are timed.
   *
   * @param runs least number of runs
   * @param converge whether to go on until the times are steady
   * @param maxSeconds how long to go on at most
   */
  public record BenchSettings(int runs, boolean converge, int maxSeconds) {
    /** As the public benchmark tool does it. */
    public static final BenchSettings DEFAULT = new BenchSettings(10, true, 300);
  }

  /** Makes an unmodifiable copy. */
  public TestSettings {
    pluginPath = List.copyOf(pluginPath);
  }

  /** Whether programs are interpreted. */
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
                Integer.toString(bench.maxSeconds),
                tuning,
                device));
    fields.addAll(pluginPath);
    return fields;
  }

  static TestSettings ofFields(List<String> fields) {
    return new TestSettings(
        fields.get(0),
        Mode.valueOf(fields.get(1)),
        optional(fields.get(2)),
        optional(fields.get(3)),
        Integer.parseInt(fields.get(4)),
        fields.get(8),
        fields.get(9),
        fields.subList(10, fields.size()),
        new BenchSettings(
            Integer.parseInt(fields.get(5)),
            Boolean.parseBoolean(fields.get(6)),
            Integer.parseInt(fields.get(7))));
  }

  private static @Nullable String optional(String field) {
    return field.isEmpty() ? null : field.substring(1);
  }
}
