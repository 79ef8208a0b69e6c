package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceChoice;
import futharkc.core.runtime.device.DeviceProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The main class of an executable on a device. It runs a program as {@link ExecutableMain} does,
 * and opens the device while other work is prepared.
 */
public final class DeviceMain extends ExecutableMain {
  private final DeviceProgram program;

  /** True if a device was requested. */
  private boolean opened;

  DeviceMain(
      DeviceProgram program, InputStream in, OutputStream out, PrintStream err, boolean alone) {
    super(program, in, out, err, alone);
    this.program = program;
  }

  /** Runs a generated program; called by its main method: see {@link ExecutableMain#main}. */
  public static void main(DeviceProgram program, String[] args) {
    if (AotCache.isBeingMade()) {
      JitWarmUp.load(program);
      System.exit(0);
    }
    DeviceMain main = new DeviceMain(program, standardInput(), standardOutput(), System.err, true);
    int status = main.status(args);
    if (main.opened) {
      AotCache.train(AsyncDeviceOpen.PROCESSORS, new String[0], null);
    }
    System.exit(status);
  }

  /**
   * Runs a program with the given command line and streams.
   *
   * @return the exit status: see {@link ExecutableMain#run}
   */
  public static int run(
      DeviceProgram program, String[] args, InputStream in, OutputStream out, PrintStream err) {
    return execute(program, args, in, out, err) == Outcome.DONE ? 0 : 1;
  }

  /** Runs a program as {@link #run} does, and returns the outcome. */
  public static Outcome execute(
      DeviceProgram program, String[] args, InputStream in, OutputStream out, PrintStream err) {
    return new DeviceMain(program, in, out, err, false).execute(args);
  }

  @Override
  boolean isOnDevice() {
    return true;
  }

  @Override
  Outcome start(RunOptions options) throws RunOptions.BadOption, Failure, IOException {
    if (options.listDevices) {
      print(DeviceChoice.list(program.api()));
      return Outcome.DONE;
    }
    if (options.sourceDump != null) {
      write(options.sourceDump, program.kernels().signed());
      if (options.binaryDump == null) {
        return Outcome.DONE;
      }
    }
    opened = true;
    List<String> names = options.devices;
    if (names != null && options.binaryDump == null) {
      return runOnDevices(options, names);
    }
    try (AsyncDeviceOpen opening =
        AsyncDeviceOpen.begin(program, DeviceSettings.of(options, alone, null), alone)) {
      if (alone && options.server) {
        var unused = JitWarmUp.serve();
      }
      return run(options, opening);
    }
  }

  /** Runs the program on several devices. */
  private Outcome runOnDevices(RunOptions options, List<String> names)
      throws RunOptions.BadOption, Failure, IOException {
    EntryPoint entry = options.server ? null : entryPoint(options);
    SplitEntry split = entry == null ? null : split(entry);
    Value[] arguments = entry == null ? new Value[0] : readArguments(entry);
    try (DeviceGroup group =
        DeviceGroup.open(
            program,
            names,
            name -> DeviceSettings.of(options, alone, name),
            instance -> context(options, instance))) {
      if (split == null) {
        FutharkProgram first = group.firstProgram();
        serve(first, group.contexts().getFirst(), new ServedGroup(first, group));
      } else {
        run(options, split, group, arguments);
      }
      return Outcome.DONE;
    }
  }

  private SplitEntry split(EntryPoint entry) throws Failure {
    try {
      return SplitEntry.of(program, entry);
    } catch (IllegalArgumentException e) {
      throw new Failure("option --devices cannot be used: " + e.getMessage());
    }
  }

  private void run(RunOptions options, SplitEntry split, DeviceGroup group, Value[] arguments)
      throws Failure, IOException {
    DeviceGroup.Placed placed;
    try {
      placed = group.place(split, arguments);
    } catch (IllegalArgumentException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
    try (PrintStream times = timesFile(options.runtimeFile)) {
      if (options.runs > 0) {
        group.drop(group.call(split, placed));
        for (Context ctx : group.contexts()) {
          ctx.resetPeaks();
          ctx.resetActivity();
          ctx.profile().clear();
        }
      }
      for (int run = 1; run < options.runs; run++) {
        group.drop(timed(split, group, placed, times));
      }
      DeviceGroup.Placed result = timed(split, group, placed, times);
      if (times != null && times.checkError()) {
        throw new Failure("cannot write to " + options.runtimeFile);
      }
      if (options.printResult) {
        printResult(options, group.gather(result));
      }
    }
    for (int i = 0; i < group.names().size(); i++) {
      if (options.log || options.debugging || options.profile) {
        message("Device " + group.names().get(i) + ":");
      }
      report(group.contexts().get(i), options);
    }
  }

  private static DeviceGroup.Placed timed(
      SplitEntry split,
      DeviceGroup group,
      DeviceGroup.Placed arguments,
      @Nullable PrintStream times) {
    long start = System.nanoTime();
    DeviceGroup.Placed result = group.call(split, arguments);
    if (times != null) {
      times.println((System.nanoTime() - start) / 1000);
    }
    return result;
  }

  @Override
  void dump(Context ctx, Path file) throws Failure {
    Device device = DeviceProgram.device(ctx);
    write(file, device.portable(program.kernels(), program.macros(ctx, device)));
  }
}
