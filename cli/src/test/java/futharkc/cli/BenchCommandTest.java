package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import futharkc.harness.Outcome;
import futharkc.harness.TestSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of the JSON of {@code futharkc bench}. {@code futhark benchcmp} reads a map from programs
 * to {@code datasets}, which maps a name to an error message or to an object whose {@code runtimes}
 * are integers and whose {@code bytes} map names to integers.
 */
final class BenchCommandTest {
  @TempDir private Path folder;

  private static TestSuite.Finished passed(String program, String key, String... values) {
    return new TestSuite.Finished(
        program, new Outcome(key, Outcome.Status.PASSED, "", List.of(values)));
  }

  @Test
  void benchcmpReadsTheJson() throws IOException {
    Path file = folder.resolve("times.json");
    BenchCommand.write(
        file,
        List.of(
            passed("a.fut", "main: #0", "7 2000 true", "26 27 25", "", "", "80 default"),
            passed("a.fut", "f: x: y", "1 9 false", "30", "", "", "8 default", "16 device"),
            new TestSuite.Finished("a.fut", Outcome.failed("main: #1", "too slow")),
            new TestSuite.Finished("a.fut", Outcome.skipped("main: #2", "tagged nobench"))));
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put(
        "a.fut",
        Map.of(
            "datasets",
            Map.of(
                "#0",
                dataset(List.of(26L, 27L, 25L), Map.of("default", 80L), 7L, 2000L, true),
                "#1",
                "too slow")));
    expected.put(
        "a.fut:f",
        Map.of(
            "datasets",
            Map.of(
                "x: y",
                dataset(List.of(30L), Map.of("default", 8L, "device", 16L), 1L, 9L, false))));
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      json.nextToken();
      assertEquals(expected, value(json));
    }
  }

  private static Map<String, Object> dataset(
      List<Long> times, Map<String, Long> bytes, long runs, long first, boolean steady) {
    return Map.of(
        "runtimes",
        times,
        "bytes",
        bytes,
        "warmup",
        Map.of("runs", runs, "first", first, "steady", steady));
  }

  private static Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
          String name = json.currentName();
          json.nextToken();
          object.put(name, value(json));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(json));
        }
        yield array;
      }
      case VALUE_NUMBER_INT -> json.getLongValue();
      case VALUE_TRUE, VALUE_FALSE -> json.getBooleanValue();
      case VALUE_STRING -> json.getText();
      default -> throw new AssertionError(json.currentToken());
    };
  }
}
