package futharkc.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * How a unit of a job ended.
 *
 * @param key the unit, as the job names it
 * @param status what became of it
 * @param detail why it failed or was skipped; empty for one that passed
 * @param values what was measured, in the unit's own terms
 */
public record Outcome(String key, Status status, String detail, List<String> values) {
  /** What can become of a unit. */
  public enum Status {
    /** It did what was expected. */
    PASSED,
    /** It did not, or its worker did not survive it. */
    FAILED,
    /** It was not tried. */
    SKIPPED
  }

  /** Makes an unmodifiable copy. */
  public Outcome {
    values = List.copyOf(values);
  }

  /** A unit that did what was expected. */
  public static Outcome passed(String key) {
    return new Outcome(key, Status.PASSED, "", List.of());
  }

  /** A unit that did not. */
  public static Outcome failed(String key, String detail) {
    return new Outcome(key, Status.FAILED, detail, List.of());
  }

  /** A unit that was not tried. */
  public static Outcome skipped(String key, String why) {
    return new Outcome(key, Status.SKIPPED, why, List.of());
  }

  Message toMessage() {
    List<String> fields = new ArrayList<>(List.of(key, status.name(), detail));
    fields.addAll(values);
    return new Message(Message.OUTCOME, fields);
  }

  static Outcome ofMessage(Message m) {
    return new Outcome(
        m.field(0),
        Status.valueOf(m.field(1)),
        m.field(2),
        m.fields().subList(3, m.fields().size()));
  }
}
