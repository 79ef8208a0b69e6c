package futharkc.harness.testing;

import futharkc.core.runtime.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The test specification of a program, parsed from its test blocks.
 *
 * @param tags the program's tags, such as {@code disable} or {@code no_cuda}
 * @param action the checks
 */
public record TestSpec(List<String> tags, Action action) {
  /** The specification of a program without test blocks: the program must compile. */
  public static final TestSpec NONE = new TestSpec(List.of(), new Runs());

  /** The checks of a program. */
  public sealed interface Action {}

  /** A check that the program is rejected. */
  public record Rejection(ExpectedError error) implements Action {}

  /**
   * Checks of a program that must compile.
   *
   * @param entryPoints the cases of each entry point; an entry point may occur several times
   * @param structures the expected counts of nodes
   * @param warnings the expected warnings
   * @param properties the entry points that are properties, to check with generated values
   */
  public record Runs(
      List<EntryPointCases> entryPoints,
      List<Structure> structures,
      List<TextPattern> warnings,
      List<String> properties)
      implements Action {
    /** Creates the check that the program compiles. */
    public Runs() {
      this(List.of(), List.of(), List.of(), List.of());
    }
  }

  /** The cases of an entry point. */
  public record EntryPointCases(String entryPoint, List<Case> cases) {}

  /**
   * A run of an entry point.
   *
   * @param name the name of the data set, given or derived from the input
   * @param tags tags of the case, such as {@code compiled} or {@code nobench}
   */
  public record Case(String name, List<String> tags, Input input, Expected expected) {
    /** Tests whether the case has a tag. */
    public boolean hasTag(String tag) {
      return tags.contains(tag);
    }
  }

  /** The source of the arguments. */
  public sealed interface Input {}

  /**
   * Literal values in the test block, as input or expected result.
   *
   * @param text the text between the braces
   * @param values the parsed values, each with the type of its literal
   */
  public record Literals(String text, List<Value> values) implements Input, Result {}

  /**
   * Values in a file, possibly compressed, as input or expected result.
   *
   * @param path the path relative to the program's folder
   */
  public record DataFile(String path) implements Input, Result {}

  /** Generated values. */
  public record RandomInput(List<RandomValue> values) implements Input {}

  /** A FutharkScript expression. */
  public record Script(ScriptExp expression) implements Input {}

  /**
   * A FutharkScript expression in a file.
   *
   * @param path the path relative to the program's folder
   */
  public record ScriptFile(String path) implements Input {}

  /** The expected end of a run. */
  public sealed interface Expected {}

  /** A normal end, with an expected result unless the result is null. */
  public record Success(@Nullable Result result) implements Expected {}

  /** A run-time error. */
  public record RunTimeError(ExpectedError error) implements Expected {}

  /** The expected result of a run. */
  public sealed interface Result {}

  /** The result of the reference on the same input. */
  public record ReferenceResult() implements Result {}

  /**
   * An expected error.
   *
   * @param pattern a pattern that the message must contain, or null for any error
   */
  public record ExpectedError(@Nullable TextPattern pattern) {
    /** Tests whether a message matches the expected error. */
    public boolean accepts(String message) {
      return pattern == null || pattern.occursIn(message);
    }
  }

  /**
   * The expected counts of nodes in the program after a pipeline.
   *
   * @param counts the counts, keyed by name or by path such as {@code /Loop/Screma}
   */
  public record Structure(Pipeline pipeline, Map<String, Integer> counts) {}

  /** The pipelines that structure checks name. */
  public enum Pipeline {
    GPU("gpu"),
    GPU_MEM("gpu-mem"),
    MC("mc"),
    MC_MEM("mc-mem"),
    SEQ_MEM("seq-mem"),
    /** The front end alone. */
    INTERNALISED("internalised"),
    /** The standard passes, the default of a structure check without a pipeline name. */
    SOACS("");

    private final String text;

    Pipeline(String text) {
      this.text = text;
    }

    /** Returns the name in a test block. */
    public String text() {
      return text;
    }
  }
}
