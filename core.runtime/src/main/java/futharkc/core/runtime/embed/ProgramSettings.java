package futharkc.core.runtime.embed;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.device.DeviceOptions;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a program in this JVM.
 *
 * @param target the target, one of those that the library was compiled for; null selects the first
 *     target, in the order of the library, that this machine can run
 * @param device the selection of the device, for targets with devices
 * @param calls the largest number of calls that run at a time. Each of them has its own worker
 *     threads and top-level constants. Calls on one device always take turns.
 * @param messages the stream for traces and logs
 * @param context a function that amends the settings of each context: threads, tuning parameters
 */
public record ProgramSettings(
    @Nullable String target,
    DeviceOptions device,
    int calls,
    PrintStream messages,
    Consumer<Context.Builder> context) {

  /** The first usable target, its default device, two calls at a time, and no messages. */
  public static final ProgramSettings DEFAULT =
      new ProgramSettings(
          null,
          DeviceOptions.DEFAULT,
          2,
          new PrintStream(OutputStream.nullOutputStream()),
          settings -> {});

  /** Checks the number of calls. */
  public ProgramSettings {
    if (calls < 1) {
      throw new IllegalArgumentException("number of calls at a time: " + calls);
    }
  }

  /** Returns these settings with a target. */
  public ProgramSettings withTarget(String name) {
    return new ProgramSettings(name, device, calls, messages, context);
  }

  /** Returns these settings with the selection of a device. */
  public ProgramSettings withDevice(DeviceOptions options) {
    return new ProgramSettings(target, options, calls, messages, context);
  }

  /** Returns these settings with a number of calls that run at a time. */
  public ProgramSettings withCalls(int number) {
    return new ProgramSettings(target, device, number, messages, context);
  }

  /** Returns these settings with a stream for traces and logs. */
  public ProgramSettings withMessages(PrintStream stream) {
    return new ProgramSettings(target, device, calls, stream, context);
  }

  /** Returns these settings with a function that amends the settings of each context. */
  public ProgramSettings withContext(Consumer<Context.Builder> settings) {
    return new ProgramSettings(target, device, calls, messages, settings);
  }
}
