package futharkc.tools.reports;

import futharkc.tools.reports.BenchmarkResults.Event;
import futharkc.tools.reports.BenchmarkResults.Profile;
import futharkc.tools.reports.BenchmarkResults.Result;
import futharkc.tools.reports.BenchmarkResults.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A writer of the profiles in a file of {@code bench --profile --json}. */
public final class ProfileReport {
  private static final int COLUMN = 15;

  private final Path folder;
  private final List<String> remarks = new ArrayList<>();

  private ProfileReport(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes the profiles of a file into the folder {@code NAME.prof} beside the file. An old folder
   * is replaced.
   *
   * @param json results of benchmarks, or a raw report of a program
   * @return remarks about data sets without a profile
   * @throws IOException if a file cannot be read or written
   */
  public static List<String> write(Path json) throws IOException {
    String name = json.getFileName().toString().replaceFirst("\\.[^.]*$", "");
    ProfileReport report = new ProfileReport(json.resolveSibling(name + ".prof"));
    Profile raw = BenchmarkResults.readReport(json);
    Map<String, Map<String, Result>> programs =
        raw == null ? BenchmarkResults.read(json).programs() : Map.of();
    delete(report.folder);
    Files.createDirectories(report.folder);
    if (raw != null) {
      report.write(report.folder, name, raw, "");
    }
    for (var program : programs.entrySet()) {
      report.program(program.getKey(), program.getValue(), programs.size() > 1);
    }
    return report.remarks;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> files = Files.walk(folder)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  private void program(String program, Map<String, Result> datasets, boolean several)
      throws IOException {
    Path place = several ? folder.resolve(fileName(program)) : folder;
    Files.createDirectories(place);
    for (var dataset : datasets.entrySet()) {
      Profile profile = dataset.getValue() instanceof Runs r ? r.report() : null;
      if (profile == null) {
        remarks.add(
            program + ": " + dataset.getKey() + ": there is no profile; use bench --profile.");
      } else {
        String log = dataset.getValue() instanceof Runs r ? r.log() : "";
        write(place, fileName(dataset.getKey()), profile, log);
      }
    }
  }

  private static String fileName(String name) {
    return name.replaceAll("[^A-Za-z0-9._-]+", "_");
  }

  private static void write(Path place, String name, Profile profile, String log)
      throws IOException {
    List<CostCentre> centres = CostCentre.of(profile.events());
    Files.writeString(place.resolve(name + ".summary"), summary(profile, centres));
    Files.writeString(place.resolve(name + ".timeline"), timeline(profile.events()));
    Files.writeString(
        place.resolve(name + "-index.html"), new ProfilePage(name, profile, centres).html());
    if (!log.isEmpty()) {
      Files.writeString(place.resolve(name + ".log"), log);
    }
  }

  /** Returns the peak memory and a table of cost centres with their source positions. */
  private static String summary(Profile profile, List<CostCentre> centres) {
    StringBuilder text = new StringBuilder("Peak memory usage in bytes\n");
    profile
        .memory()
        .forEach(
            (space, bytes) ->
                text.append(space).append(": ").append(bytes.longValue()).append('\n'));
    int width = Math.max(COLUMN, CostCentre.longestName(centres));
    String header =
        row(width, "Cost centre", "count", "sum", "avg", "min", "max", "fraction").stripTrailing();
    text.append("\n\n").append(header).append('\n');
    text.append("-".repeat(header.length())).append('\n');
    double total = CostCentre.total(centres);
    long count = 0;
    for (CostCentre c : centres) {
      count += c.count();
      text.append(
          row(
              width,
              c.name(),
              Long.toString(c.count()),
              micros(c.sum()),
              micros(c.sum() / c.count()),
              micros(c.least()),
              micros(c.most()),
              String.format(Locale.ROOT, "%.4f", total == 0 ? 0 : c.sum() / total)));
    }
    text.append("-".repeat(header.length())).append('\n');
    text.append(count).append(" events with a total run time of ").append(micros(total));
    text.append("\n\nSource positions\n\n");
    for (CostCentre c : centres) {
      text.append(c.name()).append('\n');
      for (String position : c.positions()) {
        text.append("- ").append(position).append('\n');
      }
    }
    return text.toString();
  }

  private static String row(int width, String name, String... cells) {
    StringBuilder row = new StringBuilder(name);
    row.append(" ".repeat(Math.max(0, width - name.length())));
    for (String cell : cells) {
      row.append(' ').append(" ".repeat(Math.max(0, COLUMN - cell.length()))).append(cell);
    }
    return row.append('\n').toString();
  }

  static String micros(double micros) {
    return String.format(Locale.ROOT, "%.2fμs", micros);
  }

  private static String timeline(List<Event> events) {
    StringBuilder text = new StringBuilder();
    for (Event event : events) {
      text.append(text.isEmpty() ? "" : "\n").append(event.name()).append('\n');
      text.append("Duration: ").append(event.micros()).append(" μs\n");
      text.append("At: ").append(event.provenance()).append('\n');
    }
    return text.toString();
  }

  /** Returns the text of a source file, or null if it cannot be read. */
  static @Nullable String source(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }
}
