package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.MemoryUse;
import futharkc.core.runtime.Profile;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** The report of a context's measurements, for people and for tools. */
public final class Report {
  private Report() {}

  /**
   * Prints the peak memory. With debugging, prints also allocations and copies; with profiling,
   * also the operations on the device and the time of each region.
   *
   * @param ctx the context
   * @param out the stream
   * @param regions true to print the regions
   */
  public static void print(Context ctx, PrintStream out, boolean regions) {
    if (ctx.logging()) {
      for (MemoryUse use : ctx.memoryUse()) {
        out.println("Peak memory usage for " + use.space() + ": " + use.peakBytes() + " bytes");
      }
    }
    if (ctx.debugging()) {
      for (MemoryUse use : ctx.memoryUse()) {
        out.println(
            "Allocated in "
                + use.space()
                + ": "
                + use.allocatedBytes()
                + " bytes in "
                + use.allocations()
                + " allocations, of which "
                + use.recycled()
                + " reused a block");
        out.println("Freed in " + use.space() + ": " + use.freedBytes() + " bytes");
        out.println(
            "Copied in "
                + use.space()
                + ": "
                + use.copiedBytes()
                + " bytes in "
                + use.copies()
                + " copies");
      }
    }
    if (regions) {
      activity(ctx, out);
      for (Profile.Region region : ctx.profile().regions()) {
        out.println(
            "Region "
                + region.name()
                + ": "
                + region.runs()
                + " runs, "
                + region.nanos() / 1000
                + " microseconds"
                + traffic(region));
      }
    }
  }

  private static void activity(Context ctx, PrintStream out) {
    if (ctx.accelerator() == null) {
      return;
    }
    DeviceActivity a = ctx.activity();
    out.println("Kernel launches: " + a.launches());
    out.println("Host waits for the device: " + a.waits());
    out.println(
        "Host reads: "
            + a.elements()
            + " elements in "
            + a.reads()
            + " transfers of "
            + a.bytesRead()
            + " bytes");
    out.println("Host writes: " + a.writes() + " of " + a.bytesWritten() + " bytes");
  }

  private static String traffic(Profile.Region region) {
    if (region.bytes() == 0 || region.nanos() == 0) {
      return "";
    }
    // Bytes per nanosecond are gigabytes per second.
    double speed = (double) region.bytes() / region.nanos();
    return ", " + region.bytes() + " bytes, " + Math.round(speed * 10) / 10.0 + " GB/s";
  }

  /** Returns the report as JSON, on one line. */
  public static String json(Context ctx) {
    StringBuilder json = new StringBuilder("{\"memory\":{");
    for (MemoryUse use : ctx.memoryUse()) {
      json.append(json.charAt(json.length() - 1) == '{' ? "" : ",");
      Json.string(json, use.space().equals("default space") ? "default" : use.space());
      json.append(':').append(use.peakBytes());
    }
    json.append('}');
    if (ctx.accelerator() != null) {
      DeviceActivity a = ctx.activity();
      json.append(",\"device\":{\"launches\":").append(a.launches());
      json.append(",\"waits\":").append(a.waits());
      json.append(",\"elements_read\":").append(a.elements());
      json.append(",\"reads\":").append(a.reads());
      json.append(",\"bytes_read\":").append(a.bytesRead());
      json.append(",\"writes\":").append(a.writes());
      json.append(",\"bytes_written\":").append(a.bytesWritten());
      json.append(",\"copies\":").append(a.copies()).append('}');
    }
    json.append(",\"events\":[");
    List<Profile.Event> events = ctx.profile().events();
    for (int i = 0; i < events.size(); i++) {
      Profile.Event event = events.get(i);
      json.append(i == 0 ? "{\"name\":" : ",{\"name\":");
      Json.string(json, event.name());
      json.append(",\"duration\":").append(event.nanos() / 1000.0).append(",\"provenance\":");
      Json.string(json, event.provenance());
      json.append(",\"details\":{");
      for (Map.Entry<String, String> detail : event.details().entrySet()) {
        json.append(json.charAt(json.length() - 1) == '{' ? "" : ",");
        Json.string(json, detail.getKey());
        json.append(':');
        Json.string(json, detail.getValue());
      }
      if (event.bytes() > 0) {
        json.append(event.details().isEmpty() ? "" : ",").append("\"bytes\":\"");
        json.append(event.bytes()).append('"');
      }
      json.append("}}");
    }
    return json.append("]}").toString();
  }
}
