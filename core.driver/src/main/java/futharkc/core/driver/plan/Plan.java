package futharkc.core.driver.plan;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A valid sequence of passes.
 *
 * @param steps the passes, in order
 * @param notes remarks about the plan, such as enabled passes that cannot run
 */
public record Plan(List<Step> steps, List<String> notes) {
  /** Copies the lists. */
  public Plan {
    steps = List.copyOf(steps);
    notes = List.copyOf(notes);
  }

  /**
   * One run of a pass.
   *
   * @param before the state of the program before the pass
   * @param after the state of the program after the pass
   * @param reason the reason for the step
   */
  public record Step(PassRequest pass, State before, State after, String reason) {}

  /** Returns the plan in the syntax of {@code --plan}. */
  public String text() {
    return steps.stream().map(s -> s.pass().toString()).collect(Collectors.joining(","));
  }
}
