package futharkc.core.runtime.executable;

import futharkc.core.runtime.Context;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceChoice;
import futharkc.core.runtime.device.DeviceProgram;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;

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
    try (AsyncDeviceOpen opening = AsyncDeviceOpen.begin(program, options.device(alone), alone)) {
      if (alone && options.server) {
        var unused = JitWarmUp.serve();
      }
      return run(options, opening);
    }
  }

  @Override
  void dump(Context ctx, Path file) throws Failure {
    Device device = DeviceProgram.device(ctx);
    write(file, device.portable(program.kernels(), program.macros(ctx, device)));
  }
}
