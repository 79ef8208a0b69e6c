package futharkc.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A job for one worker: units that share an expensive resource, usually one compiled program.
 *
 * @param kind the {@link JobRunner} that runs the job
 * @param subject the path of the program
 * @param settings the settings of the runner, in its own encoding
 * @param units the keys of the units to run, in order
 */
public record Job(String kind, String subject, List<String> settings, List<String> units) {
  /** Copies the lists. */
  public Job {
    settings = List.copyOf(settings);
    units = List.copyOf(units);
  }

  /** Returns this job without its finished units. */
  Job without(Set<String> finished) {
    return new Job(
        kind, subject, settings, units.stream().filter(u -> !finished.contains(u)).toList());
  }

  Message toMessage() {
    List<String> fields = new ArrayList<>(List.of(kind, subject, "" + settings.size()));
    fields.addAll(settings);
    fields.addAll(units);
    return new Message(Message.JOB, fields);
  }

  static Job ofMessage(Message m) {
    int settings = Integer.parseInt(m.field(2));
    return new Job(
        m.field(0),
        m.field(1),
        m.fields().subList(3, 3 + settings),
        m.fields().subList(3 + settings, m.fields().size()));
  }
}
