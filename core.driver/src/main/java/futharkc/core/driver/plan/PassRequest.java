package futharkc.core.driver.plan;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A pass and its options as the command line names them: {@code fuse{gas=50}}.
 *
 * @param name the pass's name
 * @param options the values as written, keyed by option, in the order of writing
 */
public record PassRequest(String name, Map<String, String> options) {
  /** Copies the options and keeps their order. */
  public PassRequest {
    options = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** Creates a request of a pass with its default options. */
  public PassRequest(String name) {
    this(name, Map.of());
  }

  /** Returns the request in the syntax that {@link PassListParser} reads. */
  @Override
  public String toString() {
    return options.isEmpty()
        ? name
        : options.entrySet().stream()
            .map(e -> e.getKey() + "=" + quoted(e.getValue()))
            .collect(Collectors.joining(",", name + "{", "}"));
  }

  private static String quoted(String value) {
    boolean plain = !value.isEmpty() && value.chars().noneMatch(c -> ",{}\"\\ ".indexOf(c) >= 0);
    return plain ? value : '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
