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
import futharkc.core.runtime.device.FailureWord;
import futharkc.core.runtime.device.Kernel;
import futharkc.core.runtime.device.KernelArguments;
import futharkc.core.runtime.device.KernelProgram;
import futharkc.core.runtime.device.KernelSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a program like any other on devices that do nothing, so that the JVM compiles what all
 * calls go through before there is one. A JVM interprets code until it has run some hundred times;
 * for the host's part of a call that makes 100 to 200 microseconds in place of 10, and a program
 * that is started for a few calls never gets beyond that.
 *
 * <p>What has never happened the JVM's compiler takes to be impossible, and what happens for the
 * first time sends it back to interpreting: so there are several kinds of driver, kernels are
 * loaded now and then, some may fail, blocks have many sizes, and sometimes none is kept.
 */
final class JitWarmUp {
  /** After 200 times the JVM has code compiled, or some more if much waits for its compiler. */
  static final int TIMES = 1200;

  /** Of two kinds, C2 would assume that there is no third. */
  private static final int DRIVERS = 3;

  /** So often a call launches a kernel that no other has launched. */
  private static final int EVERY = 24;

  /** Where nobody has time for it, there is no point in going on. */
  private static final long MOST_NANOS = 500_000_000;

  private JitWarmUp() {}

  /**
   * Calls the program {@link #TIMES} times, or for half a second.
   *
   * @return whether no call failed: if one did, calls take longer at first, and no more
   */
  static boolean run() {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    DeviceOptions options = new DeviceOptions.Builder().caching(false).build();
    long begin = System.nanoTime();
    List<Context> contexts = new ArrayList<>();
    List<ArrayValue> arguments = new ArrayList<>();
    try {
      for (int kind = 0; kind < DRIVERS; kind++) {
        Program program = new Program(kind);
        Context ctx =
            Context.of(program, nowhere)
                .accelerator(() -> Device.open(program.api(), options))
                .build();
        contexts.add(ctx);
        arguments.add(ctx.values().adopt(ArrayValue.vector(ElemType.I32, new int[1])));
      }
      for (int i = 0; i < TIMES && System.nanoTime() - begin < MOST_NANOS; i++) {
        Context ctx = contexts.get(i % DRIVERS);
        ctx.settle();
        Value result =
            ctx.run(ctx.program().entryPoints()[0], arguments.get(i % DRIVERS), Scalar.i64(i));
        ctx.values().release(((ArrayValue) result).store());
        if (i % EVERY == 0) {
          ctx.trim();
        }
      }
      return true;
    } catch (FutharkError | DriverException e) {
      return false;
    } finally {
      contexts.forEach(Context::close);
    }
  }

  /**
   * Has a server start on the device that does nothing, so that there is nothing to load when the
   * real one is open.
   *
   * @return whether it worked: if not, the start takes longer, and no more
   */
  static boolean serve() {
    Program program = new Program(0);
    byte[] commands = "inputs main\noutputs main\n".getBytes(StandardCharsets.UTF_8);
    DeviceMain main =
        new DeviceMain(
            program,
            new ByteArrayInputStream(commands),
            OutputStream.nullOutputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            true);
    DeviceOptions options = new DeviceOptions.Builder().caching(false).build();
    try (AsyncDeviceOpen opening = AsyncDeviceOpen.begin(program, options, false)) {
      RunOptions server = RunOptions.parse(program, true, new String[] {"--server"});
      return main.run(server, opening) == ExecutableMain.Outcome.DONE;
    } catch (FutharkError
        | DriverException
        | IOException
        | RunOptions.BadOption
        | ExecutableMain.Failure e) {
      return false;
    }
  }

  /** Launches kernels, and reads what two of them have written. */
  private static final class Program extends DeviceProgram {
    private static final ValueType NUMBER = new ValueType.Prim(ElemType.I64);
    private static final ValueType NUMBERS = new ValueType.Array(ElemType.I32, 1);
    private static final int[] WORDS = new int[30];

    private final int kind;

    private final EntryPoint entry =
        new EntryPoint(
            "main",
            new EntryPoint.Parameter[] {
              new EntryPoint.Parameter("xs", NUMBERS, false),
              new EntryPoint.Parameter("i", NUMBER, false)
            },
            NUMBERS,
            true,
            new String[0],
            new String[0]) {
          @Override
          public Value[] call(Context ctx, Value[] args) {
            return new Value[] {sums(DeviceProgram.device(ctx), args)};
          }
        };

    private Kernel[] kernels = {};
    private @Nullable FailureWord failures;

    Program(int kind) {
      this.kind = kind;
    }

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
      return new NoApi(kind);
    }

    @Override
    public KernelSource kernels() {
      int[] parameters = {8, 8, 4, 1, 2, 4, 8, 8, 4};
      List<KernelSource.KernelDeclaration> kernels = new ArrayList<>();
      List<int[]> modules = new ArrayList<>();
      for (int i = 0; i <= TIMES / EVERY / DRIVERS; i++) {
        kernels.add(new KernelSource.KernelDeclaration("k" + i, "", parameters, i % 2 == 1, i));
        modules.add(new int[] {0, 0});
      }
      KernelSource.Failure failure = new KernelSource.Failure(List.of("failure"), List.of(), "");
      return new KernelSource("", List.of(), kernels, List.of(failure), null, null, modules);
    }

    @Override
    public void initialise(Context ctx) {
      KernelProgram program = load(ctx);
      kernels =
          kernels().kernels().stream().map(k -> program.kernel(k.name())).toArray(Kernel[]::new);
      failures = program.failures();
    }

    private ArrayValue sums(Device device, Value[] args) {
      int i = (int) ((Scalar) args[1]).asLong();
      Buffer xs = ((DeviceArray) ((ArrayValue) args[0]).store()).buffer();
      Buffer result = device.allocate(4000, "the result", "");
      Buffer words = device.allocate(4L * WORDS.length, "words", "");
      device.write(words, ElemType.I32, 0, WORDS, 0, WORDS.length);
      Buffer[] partial = new Buffer[i % 4 + 1];
      for (int j = 0; j < partial.length; j++) {
        partial[j] = device.allocate(1024L << i % 7, "partial results", "");
      }
      Buffer sum = device.allocate(4, "the result", "");
      Buffer count = device.allocate(4, "the count", "");
      device.fill(count, 0, 4, 0, 1);
      for (int j = 0; j < 4; j++) {
        launch(device, kernels[j % 2], xs, sum, i % 2 == 0);
      }
      if (i % EVERY < DRIVERS) {
        launch(device, kernels[i / EVERY / DRIVERS], xs, sum, false);
      }
      device.copy(partial[0], 0, sum, 0, 4);
      for (Buffer buffer : partial) {
        buffer.release();
      }
      words.release();
      long n = 0;
      if (i % 3 != 0) {
        int first = device.fetch(sum, 0, 4);
        int second = device.fetch(count, 0, 4);
        device.awaitFetched();
        n = (device.fetched(first) + device.fetched(second)) & 1;
      }
      sum.release();
      count.release();
      return new ArrayValue(ElemType.I32, new long[] {n}, new DeviceArray(result));
    }

    private void launch(Device device, Kernel kernel, Buffer xs, Buffer sum, boolean mayFail) {
      FailureWord word = failures;
      KernelArguments arguments = kernel.arguments();
      arguments.set(0, xs);
      arguments.set(1, 1L);
      arguments.set(2, 1);
      arguments.set(3, true);
      arguments.set(4, (short) 1);
      arguments.set(5, 1f);
      arguments.set(6, 1.0);
      if (mayFail && word != null) {
        arguments.set(7, word.buffer());
        arguments.set(8, word.base());
        word.mayFail();
      }
      device.launch(kernel, 0, 1, 32, xs.asked() + sum.asked());
    }
  }

  /** Of one device, on which nothing is done. */
  private record NoApi(int kind) implements DeviceApi {
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
    public NoDevices noDevices() {
      return new NoDevices("there is one", "nothing");
    }

    @Override
    public void prepare(int times) {}

    @Override
    public int preferred(List<DeviceInfo> devices) {
      return 0;
    }

    @Override
    public Driver open(DeviceInfo device, DeviceOptions options) {
      return switch (kind) {
        case 0 -> new NoDriver() {};
        case 1 -> new NoDriver() {};
        default -> new NoDriver() {};
      };
    }
  }

  private abstract static class NoDriver implements Driver {
    /** As if -1 was read, which says that nothing has failed. */
    private final ByteBuffer staging =
        ByteBuffer.allocateDirect(1024).order(ByteOrder.nativeOrder());

    private final MemorySegment passage = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(1024));
    private long allocated;

    NoDriver() {
      MemorySegment.ofBuffer(staging).fill((byte) -1);
    }

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
    public void write(long block, long offset, java.nio.Buffer source, long at, long bytes) {
      MemorySegment.copy(MemorySegment.ofBuffer(source), at, passage, 0, bytes);
    }

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
