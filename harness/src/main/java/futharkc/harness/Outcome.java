package futharkc.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of a unit of a job.
 *
 * @param key the unit, as the job names it
 * @param status the status of the unit
 * @param detail the reason for a failure or a skip; empty for a passed unit
 * @param values the measurements, in the unit's own encoding
 */
public record Outcome(String key, Status status, String detail, List<String> values) {
  /** The statuses of a unit. */
  public enum Status {
    /** The unit met its expectation. */
    PASSED,
    /** The unit did not meet its expectation, or its worker died. */
    FAILED,
    /** The unit was not run. */
    SKIPPED
  }

  /** Copies the list. */
  public Outcome {
    values = List.copyOf(values);
  }

  /** Returns the outcome of a unit that met its expectation. */
  public static Outcome passed(String key) {
    return new Outcome(key, Status.PASSED, "", List.of());
  }

  /** Returns the outcome of a unit that did not meet its expectation. */
  public static Outcome failed(String key, String detail) {
    return new Outcome(key, Status.FAILED, detail, List.of());
  }

  /** Returns the outcome of a unit that was not run. */
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
