package futharkc.harness.testing;

import futharkc.core.runtime.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the test blocks of a program say.
 *
 * @param tags the program's tags, such as {@code disable} or {@code no_cuda}
 * @param action what is to be checked
 */
public record TestSpec(List<String> tags, Action action) {
  /** That of a program without test blocks: it must compile. */
  public static final TestSpec NONE = new TestSpec(List.of(), new Runs());

  /** What is to be checked. */
  public sealed interface Action {}

  /** The program must be rejected. */
  public record Rejection(ExpectedError error) implements Action {}

  /**
   * The program must compile, give what is expected, and so on for the other checks.
   *
   * @param entryPoints the cases of each entry point; one may occur several times
   * @param properties entry points that are properties, to be checked with generated values
   */
  public record Runs(
      List<EntryPointCases> entryPoints,
      List<Structure> structures,
      List<TextPattern> warnings,
      List<String> properties)
      implements Action {
    /** No checks but that it compiles. */
    public Runs() {
      this(List.of(), List.of(), List.of(), List.of());
    }
  }

  /** The cases of an entry point. */
  public record EntryPointCases(String entryPoint, List<Case> cases) {}

  /**
   * One run.
   *
   * @param name the data set's name: given, or made from the input
   * @param tags such as {@code compiled} or {@code nobench}
   */
  public record Case(String name, List<String> tags, Input input, Expected expected) {
    /** Whether the case has a tag. */
    public boolean hasTag(String tag) {
      return tags.contains(tag);
    }
  }

  /** Where the arguments come from. */
  public sealed interface Input {}

  /**
   * Values written down in the test block; also as an expected result.
   *
   * @param text what is between the braces
   * @param values what that means where nobody says which types the values have
   */
  public record Literals(String text, List<Value> values) implements Input, Result {}

  /**
   * Values in a file, possibly compressed; also as an expected result.
   *
   * @param path relative to the program's folder
   */
  public record DataFile(String path) implements Input, Result {}

  /** Values to generate. */
  public record RandomInput(List<RandomValue> values) implements Input {}

  /** A FutharkScript expression. */
  public record Script(ScriptExp expression) implements Input {}

  /**
   * A FutharkScript expression in a file.
   *
   * @param path relative to the program's folder
   */
  public record ScriptFile(String path) implements Input {}

  /** How a run should end. */
  public sealed interface Expected {}

  /** It ends well; with this result, if there is one. */
  public record Success(@Nullable Result result) implements Expected {}

  /** It ends with a run-time error. */
  public record RunTimeError(ExpectedError error) implements Expected {}

  /** The values that a run should give. */
  public sealed interface Result {}

  /** What the reference gives for the same input. */
  public record ReferenceResult() implements Result {}

  /**
   * The error that is expected.
   *
   * @param pattern what the message must contain, or null for any error
   */
  public record ExpectedError(@Nullable TextPattern pattern) {
    /** Whether that is the error expected. */
    public boolean accepts(String message) {
      return pattern == null || pattern.occursIn(message);
    }
  }

  /**
   * How often nodes must occur in the program after a pipeline.
   *
   * @param counts by name, or by path as in {@code /Loop/Screma}
   */
  public record Structure(Pipeline pipeline, Map<String, Integer> counts) {}

  /** The pipelines that structure checks name. */
  public enum Pipeline {
    GPU("gpu"),
    GPU_MEM("gpu-mem"),
    MC("mc"),
    MC_MEM("mc-mem"),
    SEQ_MEM("seq-mem"),
    /** The program as it leaves the front end. */
    INTERNALISED("internalised"),
    /** What no name means: the standard passes. */
    SOACS("");

    private final String text;

    Pipeline(String text) {
      this.text = text;
    }

    /** The name in a test block. */
    public String text() {
      return text;
    }
  }
}
