package futharkc.harness;

import futharkc.harness.testing.TestSpecException;
import futharkc.harness.testing.TestSpecParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A set of programs and the units to run on each. */
public final class TestSuite {
  private final TestSettings settings;
  private final Map<String, Map<String, TestUnits.Unit>> programs = new LinkedHashMap<>();
  private final List<Finished> results = new ArrayList<>();

  /** A unit of a program and its outcome. */
  public record Finished(String program, Outcome outcome) {}

  /**
   * A selection of units.
   *
   * @param only if not empty: tags or substrings of {@code program: unit}, at least one of which
   *     must match
   * @param exclude tags or substrings of {@code program: unit}, none of which may match
   * @param entryPoint if not empty: the only entry point whose runs are selected
   */
  public record Selection(List<String> only, List<String> exclude, String entryPoint) {
    /** Copies the lists. */
    public Selection {
      only = List.copyOf(only);
      exclude = List.copyOf(exclude);
    }

    boolean selects(String program, String key, TestUnits.Unit unit) {
      String name = program + ": " + key;
      Predicate<String> fits = word -> unit.tags().contains(word) || name.contains(word);
      boolean wantedEntry =
          entryPoint.isEmpty()
              || unit.check() instanceof TestUnits.Check.Run r && r.entryPoint().equals(entryPoint)
              || unit.check() instanceof TestUnits.Check.Property p && p.name().equals(entryPoint);
      return wantedEntry
          && (only.isEmpty() || only.stream().anyMatch(fits))
          && exclude.stream().noneMatch(fits);
    }
  }

  /**
   * Collects the programs in files and folders.
   *
   * @param ignored a predicate for files to skip
   * @throws IOException if a file or folder cannot be read
   */
  public TestSuite(
      List<Path> paths, Predicate<Path> ignored, Selection selection, TestSettings settings)
      throws IOException {
    this.settings = settings;
    for (Path path : paths) {
      for (Path file : programs(path)) {
        if (!ignored.test(file)) {
          addProgram(file.toString(), selection);
        }
      }
    }
  }

  private static List<Path> programs(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.walk(path)) {
      return files
          .filter(f -> f.toString().endsWith(".fut") && Files.isRegularFile(f))
          .sorted()
          .toList();
    }
  }

  private void addProgram(String program, Selection selection) throws IOException {
    Map<String, TestUnits.Unit> selected = new LinkedHashMap<>();
    try {
      String text = new String(Files.readAllBytes(Path.of(program)), StandardCharsets.UTF_8);
      TestUnits.of(TestSpecParser.parse(settings.specText(text)), text, settings)
          .forEach(
              (key, unit) -> {
                if (selection.selects(program, key, unit)) {
                  selected.put(key, unit);
                }
              });
    } catch (TestSpecException e) {
      results.add(
          new Finished(
              program, Outcome.failed("test block", "line " + e.line() + ": " + e.getMessage())));
    }
    if (!selected.isEmpty()) {
      programs.put(program, selected);
    }
  }

  /** Returns the number of units. */
  public int size() {
    return results.size() + programs.values().stream().mapToInt(Map::size).sum();
  }

  /**
   * Runs all units.
   *
   * @param progress the consumer of each program and finished unit
   * @return the outcome of every unit, in the order of programs and units
   */
  public List<Finished> run(WorkerPool pool, BiConsumer<String, Outcome> progress)
      throws InterruptedException {
    Map<String, Map<String, Outcome>> outcomes = new LinkedHashMap<>();
    List<Job> jobs = new ArrayList<>();
    results.forEach(f -> progress.accept(f.program(), f.outcome()));
    programs.forEach(
        (program, units) -> {
          Map<String, Outcome> known = new LinkedHashMap<>();
          List<String> toDo = new ArrayList<>();
          units.forEach(
              (key, unit) -> {
                if (unit.skip().isEmpty()) {
                  toDo.add(key);
                } else {
                  Outcome skipped = Outcome.skipped(key, unit.skip());
                  known.put(key, skipped);
                  progress.accept(program, skipped);
                }
              });
          outcomes.put(program, known);
          if (!toDo.isEmpty()) {
            jobs.add(new Job(WorkerMain.PROGRAM, program, settings.toFields(), toDo));
          }
        });
    pool.run(
        jobs,
        (job, outcome) -> {
          outcomes.getOrDefault(job.subject(), Map.of()).put(outcome.key(), outcome);
          progress.accept(job.subject(), outcome);
        });
    List<Finished> all = new ArrayList<>(results);
    programs.forEach(
        (program, units) -> {
          Map<String, Outcome> found = outcomes.getOrDefault(program, Map.of());
          for (String key : units.keySet()) {
            Outcome outcome = found.get(key);
            all.add(
                new Finished(program, outcome == null ? Outcome.failed(key, "not run") : outcome));
          }
        });
    return all;
  }
}
