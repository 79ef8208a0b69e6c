package futharkc.core.runtime.executable;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.device.Buffer;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceApi;
import futharkc.core.runtime.device.DeviceArray;
import futharkc.core.runtime.device.DeviceInfo;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.device.Driver;
import futharkc.core.runtime.device.DriverException;
import futharkc.core.runtime.device.Kernel;
import futharkc.core.runtime.device.KernelArguments;
import futharkc.core.runtime.device.KernelProgram;
import futharkc.core.runtime.device.KernelSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Calls of a program like any other on a device that does nothing, so that the JVM compiles what
 * all calls go through before there is one. A JVM interprets code until it has run some hundred
 * times; for the host's part of a call that makes 100 to 200 microseconds in place of 10, and a
 * program that is started for a few calls never gets beyond that.
 */
final class Rehearsal {
  /** After 200 times the JVM has code compiled, or some more if much waits for its compiler. */
  static final int TIMES = 1200;

  /** Where nobody has time for it, there is no point in going on. */
  private static final long MOST_NANOS = 500_000_000;

  private Rehearsal() {}

  /**
   * Calls the program {@link #TIMES} times, or for half a second.
   *
   * @return whether no call failed: if one did, calls take longer at first, and no more
   */
  static boolean run() {
    Program program = new Program();
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    long begin = System.nanoTime();
    DeviceOptions options = new DeviceOptions.Builder().caching(false).build();
    try (Context ctx =
        Context.of(program, nowhere)
            .accelerator(() -> Device.open(program.api(), options))
            .build()) {
      ArrayValue xs = ctx.values().adopt(ArrayValue.vector(ElemType.I32, new int[1]));
      for (int i = 0; i < TIMES && System.nanoTime() - begin < MOST_NANOS; i++) {
        ctx.settle();
        ctx.run(program.entry, xs);
      }
      return true;
    } catch (FutharkError | DriverException e) {
      return false;
    }
  }

  /**
   * Has a server start on the device that does nothing, so that there is nothing to load when the
   * real one is open.
   *
   * @return whether it worked: if not, the start takes longer, and no more
   */
  static boolean serve() {
    Program program = new Program();
    byte[] commands = "inputs main\noutputs main\n".getBytes(StandardCharsets.UTF_8);
    DeviceMain main =
        new DeviceMain(
            program,
            new ByteArrayInputStream(commands),
            OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            true);
    DeviceOptions options = new DeviceOptions.Builder().caching(false).build();
    try (Opening opening = Opening.begin(program, options, false)) {
      Options server = Options.parse(program, true, new String[] {"--server"});
      return main.run(server, opening) == ExecutableMain.Outcome.DONE;
    } catch (FutharkError
        | DriverException
        | IOException
        | Options.BadOption
        | ExecutableMain.Failure e) {
      return false;
    }
  }

  /** Launches two kernels, and reads their results. */
  private static final class Program extends DeviceProgram {
    private static final ValueType NUMBER = new ValueType.Prim(ElemType.I32);
    private static final ValueType NUMBERS = new ValueType.Array(ElemType.I32, 1);

    final EntryPoint entry =
        new EntryPoint(
            "main",
            new EntryPoint.Parameter[] {new EntryPoint.Parameter("xs", NUMBERS, false)},
            NUMBER,
            true,
            new String[0],
            new String[0]) {
          @Override
          public Value[] call(Context ctx, Value[] args) {
            return new Value[] {Scalar.i32(sum(DeviceProgram.device(ctx), args))};
          }
        };

    private Kernel[] kernels = {};

    @Override
    public String name() {
      return "rehearsal";
    }

    @Override
    public String backend() {
      return "none";
    }

    @Override
    public EntryPoint[] entryPoints() {
      return new EntryPoint[] {entry};
    }

    @Override
    public DeviceApi api() {
      return new NoApi();
    }

    @Override
    public KernelSource kernels() {
      int[] parameters = {8, 8, 4, 1, 2, 4, 8};
      return new KernelSource(
          "",
          List.of(),
          List.of(
              new KernelSource.KernelDeclaration("a", "", parameters, false),
              new KernelSource.KernelDeclaration("b", "", parameters, true)),
          List.of(),
          null);
    }

    @Override
    public void initialise(Context ctx) {
      KernelProgram program = load(ctx);
      kernels = new Kernel[] {program.kernel("a"), program.kernel("b")};
    }

    private int sum(Device device, Value[] args) {
      Buffer xs = ((DeviceArray) ((ArrayValue) args[0]).store()).buffer();
      Buffer partial = device.allocate(1024, "partial results", "");
      Buffer sum = device.allocate(4, "the result", "");
      Buffer count = device.allocate(4, "the count", "");
      device.fill(count, 0, 4, 0, 1);
      for (Kernel kernel : kernels) {
        KernelArguments arguments = kernel.arguments();
        arguments.set(0, xs);
        arguments.set(1, 1L);
        arguments.set(2, 1);
        arguments.set(3, true);
        arguments.set(4, (short) 1);
        arguments.set(5, 1f);
        arguments.set(6, 1.0);
        device.launch(kernel, 0, 1, 32, xs.asked() + partial.asked());
      }
      device.copy(partial, 0, sum, 0, 4);
      partial.release();
      int first = device.fetch(sum, 0, 4);
      int second = device.fetch(count, 0, 4);
      device.awaitFetched();
      sum.release();
      count.release();
      return (int) (device.fetched(first) + device.fetched(second));
    }
  }

  /** Of one device, on which nothing is done. */
  private static final class NoApi implements DeviceApi {
    @Override
    public String name() {
      return "none";
    }

    @Override
    public List<DeviceInfo> devices() {
      return List.of(
          new DeviceInfo(
              "none",
              "",
              "",
              "",
              "",
              DeviceInfo.Kind.GPU,
              new DeviceInfo.Limits(
                  1 << 20, 1 << 20, 1, 1024, 1024, 1, 1, 1024, 0, 0, 32, true, true),
              0,
              0));
    }

    @Override
    public void prepare(int times) {}

    @Override
    public int preferred(List<DeviceInfo> devices) {
      return 0;
    }

    @Override
    public Driver open(DeviceInfo device, DeviceOptions options) {
      return new NoDriver();
    }
  }

  private static final class NoDriver implements Driver {
    private final ByteBuffer staging =
        ByteBuffer.allocateDirect(1024).order(ByteOrder.nativeOrder());
    private long allocated;

    @Override
    public long allocate(long bytes) {
      allocated += bytes;
      return allocated;
    }

    @Override
    public boolean blocksAreAddresses() {
      return true;
    }

    @Override
    public void free(long block) {}

    @Override
    public long freeMemory() {
      return -1;
    }

    @Override
    public void write(long block, long offset, java.nio.Buffer source, long at, long bytes) {}

    @Override
    public void read(long block, long offset, java.nio.Buffer target, long at, long bytes) {}

    @Override
    public ByteBuffer staging() {
      return staging;
    }

    @Override
    public void readLater(long block, long offset, long at, long bytes) {}

    @Override
    public void copy(long to, long toOffset, long from, long fromOffset, long bytes) {}

    @Override
    public void fill(long block, long offset, int width, long bits, long count) {}

    @Override
    public void synchronise() {}

    @Override
    public byte[] compile(String source, List<String> options) {
      return new byte[0];
    }

    @Override
    public boolean compilesConcurrently() {
      return false;
    }

    @Override
    public boolean checksPortable() {
      return true;
    }

    @Override
    public byte[] portable(String source, List<String> options) {
      return new byte[0];
    }

    @Override
    public long load(byte[] binary) {
      return 1;
    }

    @Override
    public void unload(long module) {}

    @Override
    public NativeKernel kernel(long module, String name) {
      return new NativeKernel(1, 1024, 0, 0);
    }

    @Override
    public void launch(
        long kernel,
        KernelArguments arguments,
        int shared,
        int gridX,
        int gridY,
        int gridZ,
        int blockX,
        int blockY,
        int blockZ) {}

    @Override
    public void beginTiming() {}

    @Override
    public long endTiming() {
      return 1;
    }

    @Override
    public Timing timing(long timing) {
      return new Timing(0, 0);
    }

    @Override
    public void close() {}
  }
}
