package futharkc.core.driver.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A sequence of passes that has been found to be legal.
 *
 * @param steps the passes, in order
 * @param notes what a reader of the plan may wonder about, such as passes left out
 */
public record Plan(List<Step> steps, List<String> notes) {
  /** Makes unmodifiable copies. */
  public Plan {
    steps = List.copyOf(steps);
    notes = List.copyOf(notes);
  }

  /**
   * One run of a pass.
   *
   * @param before what holds for the program that it gets
   * @param after what holds for the program that it makes
   * @param reason why it is there
   */
  public record Step(PassRequest pass, State before, State after, String reason) {}

  /** In the form that {@code --plan} takes. */
  public String text() {
    return steps.stream().map(s -> s.pass().toString()).collect(Collectors.joining(","));
  }
}
