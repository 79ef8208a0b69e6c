package futharkc.core.driver.plan;

import futharkc.core.ir.Rep;
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
   * @param before the representation that it gets
   * @param after the representation that it makes
   * @param reason why it is there
   */
  public record Step(PassRequest pass, Rep before, Rep after, String reason) {}

  /** In the form that {@code --plan} takes. */
  public String text() {
    return steps.stream().map(s -> s.pass().toString()).collect(Collectors.joining(","));
  }
}
