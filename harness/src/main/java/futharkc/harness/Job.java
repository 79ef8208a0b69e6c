package futharkc.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Work for one worker: units that share something costly, usually one compiled program.
 *
 * @param kind which {@link JobRunner} method of the worker runs it
 * @param subject what it is about: the program's path
 * @param settings what the runner needs to know, in its own terms
 * @param units keys of the units to run, in order
 */
public record Job(String kind, String subject, List<String> settings, List<String> units) {
  /** Makes unmodifiable copies. */
  public Job {
    settings = List.copyOf(settings);
    units = List.copyOf(units);
  }

  /** The same, without units that are over. */
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
