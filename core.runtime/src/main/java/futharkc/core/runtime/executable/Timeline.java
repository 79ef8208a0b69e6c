package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A timeline of calls of entry points, and below them of parallel regions, or of a device's kernels
 * and copies. The file has the trace event format of Chrome's profiler, which Perfetto also reads.
 */
final class Timeline {
  private static final int CALLS = 1;
  private static final int REGIONS = 2;

  private final Path file;
  private final List<Profile.Event> calls = new ArrayList<>();

  /**
   * Creates a timeline.
   *
   * @param file the file for {@link #write}
   */
  Timeline(Path file) {
    this.file = file;
  }

  /**
   * Records a call.
   *
   * @param entryPoint the name of the entry point
   * @param start the start, on the clock of {@link System#nanoTime}
   * @param nanos the duration in nanoseconds
   */
  void call(String entryPoint, long start, long nanos) {
    calls.add(new Profile.Event(entryPoint, "", start, nanos, 0, Map.of()));
  }

  /**
   * Writes the recorded calls and the context's profile.
   *
   * @throws IOException if the file cannot be written
   */
  void write(Context ctx) throws IOException {
    List<Profile.Event> events = ctx.profile().events();
    long zero = Long.MAX_VALUE;
    for (Profile.Event call : calls) {
      zero = Math.min(zero, call.start());
    }
    for (Profile.Event event : events) {
      zero = Math.min(zero, event.start());
    }
    StringBuilder json = new StringBuilder("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    name(json, "process_name", 0, ctx.program().name());
    name(json, "thread_name", CALLS, "calls");
    name(json, "thread_name", REGIONS, ctx.accelerator() == null ? "regions" : "device");
    for (Profile.Event call : calls) {
      event(json, call, CALLS, zero);
    }
    for (Profile.Event event : events) {
      event(json, event, REGIONS, zero);
    }
    json.setLength(json.length() - 2);
    Files.writeString(file, json.append("\n]}\n"));
  }

  private static void name(StringBuilder json, String what, int row, String name) {
    json.append("{\"ph\":\"M\",\"pid\":1,\"tid\":").append(row).append(",\"name\":\"").append(what);
    json.append("\",\"args\":{\"name\":");
    Json.string(json, name);
    json.append("}},\n");
  }

  private static void event(StringBuilder json, Profile.Event event, int row, long zero) {
    json.append("{\"ph\":\"X\",\"pid\":1,\"tid\":").append(row).append(",\"name\":");
    Json.string(json, event.name());
    json.append(",\"ts\":").append((event.start() - zero) / 1000.0);
    json.append(",\"dur\":").append(event.nanos() / 1000.0).append(",\"args\":{\"provenance\":");
    Json.string(json, event.provenance());
    if (event.bytes() > 0) {
      json.append(",\"bytes\":").append(event.bytes());
    }
    event
        .details()
        .forEach(
            (name, value) -> {
              json.append(',');
              Json.string(json, name);
              json.append(':');
              Json.string(json, value);
            });
    json.append("}},\n");
  }
}
