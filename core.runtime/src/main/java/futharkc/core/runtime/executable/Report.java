package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.Memory;
import futharkc.core.runtime.Profile;
import java.io.PrintStream;
import java.util.List;

/** What a context has measured, for people and for tools. */
final class Report {
  private Report() {}

  /**
   * Prints the peak memory; with debugging also what was allocated and copied; with profiling also
   * the time of each region.
   */
  static void print(Context ctx, PrintStream out) {
    Memory memory = ctx.memory();
    if (ctx.logging()) {
      out.println(
          "Peak memory usage for " + memory.space() + " space: " + memory.peakBytes() + " bytes");
    }
    if (ctx.debugging()) {
      out.println(
          "Allocated in "
              + memory.space()
              + " space: "
              + memory.bytesAllocated()
              + " bytes in "
              + memory.allocations()
              + " allocations, of which "
              + memory.recycled()
              + " reused a block");
      out.println("Freed in " + memory.space() + " space: " + memory.bytesFreed() + " bytes");
      out.println("Copied: " + memory.bytesCopied() + " bytes in " + memory.copies() + " copies");
    }
    if (ctx.profiling()) {
      for (Profile.Region region : ctx.profile().regions()) {
        out.println(
            "Region "
                + region.name()
                + ": "
                + region.runs()
                + " runs, "
                + region.nanos() / 1000
                + " microseconds");
      }
    }
  }

  /** The report as JSON, on one line. */
  static String json(Context ctx) {
    StringBuilder json = new StringBuilder("{\"memory\":{");
    string(json, ctx.memory().space());
    json.append(':').append(ctx.memory().peakBytes()).append("},\"events\":[");
    List<Profile.Event> events = ctx.profile().events();
    for (int i = 0; i < events.size(); i++) {
      Profile.Event event = events.get(i);
      json.append(i == 0 ? "{\"name\":" : ",{\"name\":");
      string(json, event.name());
      json.append(",\"duration\":").append(event.nanos() / 1000.0).append(",\"provenance\":");
      string(json, event.provenance());
      json.append(",\"details\":{}}");
    }
    return json.append("]}").toString();
  }

  private static void string(StringBuilder json, String s) {
    json.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u00").append(c < 16 ? "0" : "1").append("0123456789abcdef".charAt(c % 16));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
