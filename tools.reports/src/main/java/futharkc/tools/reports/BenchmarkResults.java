package futharkc.tools.reports;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of benchmarks in the JSON format of {@code futhark bench}.
 *
 * @param programs the results, by {@code program:entry} and by data set
 */
public record BenchmarkResults(Map<String, Map<String, Result>> programs) {
  /** The result of one data set. */
  public sealed interface Result {}

  /** A failed run. */
  public record Failure(String message) implements Result {}

  /**
   * Measured runs.
   *
   * @param runtimes the time of each run in microseconds
   * @param bytes the peak memory by memory space
   * @param report the profile of a further run; null if there is none
   * @param log the log of a further run; empty if there is none
   */
  public record Runs(
      List<Double> runtimes, Map<String, Double> bytes, @Nullable Profile report, String log)
      implements Result {
    /** Returns the mean time in microseconds. */
    double mean() {
      return runtimes.stream().mapToDouble(t -> t).average().orElse(0);
    }

    /** Returns the standard deviation of the times, estimated without bias. */
    double deviation() {
      double mean = mean();
      double squares = runtimes.stream().mapToDouble(t -> (t - mean) * (t - mean)).sum();
      return runtimes.size() < 2 ? 0 : Math.sqrt(squares / (runtimes.size() - 1));
    }
  }

  /**
   * The profile of a run.
   *
   * @param memory the peak memory in bytes, by memory space
   * @param events the events, in order
   */
  public record Profile(Map<String, Double> memory, List<Event> events) {}

  /**
   * An event of a profile.
   *
   * @param name the cost centre, such as the name of a kernel
   * @param micros the duration in microseconds
   * @param provenance the source positions of the cost centre, or {@code unknown}
   */
  public record Event(String name, double micros, String provenance) {}

  /**
   * Reads a file of {@code bench --json}.
   *
   * @throws IOException if the file cannot be read or has another format
   */
  public static BenchmarkResults read(Path file) throws IOException {
    Map<String, Map<String, Result>> programs = new LinkedHashMap<>();
    for (var program : object(file, tree(file)).entrySet()) {
      Map<String, Result> results = new LinkedHashMap<>();
      Object datasets = object(file, program.getValue()).get("datasets");
      for (var dataset : object(file, datasets).entrySet()) {
        results.put(dataset.getKey(), result(file, dataset.getValue()));
      }
      programs.put(program.getKey(), results);
    }
    return new BenchmarkResults(programs);
  }

  /**
   * Reads a raw report of a program, as the server protocol's command {@code report} gives it.
   *
   * @return the profile, or null if the file has another format
   * @throws IOException if the file cannot be read
   */
  public static @Nullable Profile readReport(Path file) throws IOException {
    Map<String, Object> tree = object(file, tree(file));
    return tree.containsKey("events") && tree.containsKey("memory") ? profile(file, tree) : null;
  }

  private static Result result(Path file, @Nullable Object tree) throws IOException {
    if (tree == null || tree instanceof String) {
      return new Failure(String.valueOf(tree));
    }
    Map<String, Object> fields = object(file, tree);
    List<Double> runtimes = new ArrayList<>();
    if (!(fields.get("runtimes") instanceof List<?> times)) {
      throw unreadable(file);
    }
    for (Object time : times) {
      runtimes.add(number(file, time));
    }
    Object report = fields.get("report");
    Object log = fields.get("stderr");
    return new Runs(
        runtimes,
        numbers(file, fields.getOrDefault("bytes", Map.of())),
        report == null ? null : profile(file, object(file, report)),
        log instanceof String s ? s : "");
  }

  private static Profile profile(Path file, Map<String, Object> fields) throws IOException {
    List<Event> events = new ArrayList<>();
    if (!(fields.get("events") instanceof List<?> trees)) {
      throw unreadable(file);
    }
    for (Object tree : trees) {
      Map<String, Object> event = object(file, tree);
      events.add(
          new Event(
              String.valueOf(event.get("name")),
              number(file, event.get("duration")),
              String.valueOf(event.getOrDefault("provenance", "unknown"))));
    }
    return new Profile(numbers(file, fields.getOrDefault("memory", Map.of())), events);
  }

  private static Map<String, Double> numbers(Path file, @Nullable Object tree) throws IOException {
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (var entry : object(file, tree).entrySet()) {
      numbers.put(entry.getKey(), number(file, entry.getValue()));
    }
    return numbers;
  }

  private static double number(Path file, @Nullable Object tree) throws IOException {
    if (tree instanceof Double d) {
      return d;
    }
    throw unreadable(file);
  }

  @SuppressWarnings("unchecked") // The parser makes maps with strings as keys only.
  private static Map<String, Object> object(Path file, @Nullable Object tree) throws IOException {
    if (tree instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw unreadable(file);
  }

  private static IOException unreadable(Path file) {
    return new IOException(file + ": the file has no results of benchmarks in JSON.");
  }

  private static @Nullable Object tree(Path file) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(file.toFile())) {
      parser.nextToken();
      return value(parser);
    } catch (JsonProcessingException e) {
      throw new IOException(file + ": " + e.getOriginalMessage(), e);
    }
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          map.put(name, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_STRING -> parser.getText();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case null, default -> null;
    };
  }
}
