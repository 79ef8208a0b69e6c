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
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * A warm-up of the JVM: calls of a program on devices without effect, so that the JVM compiles the
 * code of calls before the device is open. The JVM interprets code until it has run some hundred
 * times. An interpreted call takes ten times as long on the host, and a program that makes a few
 * calls never gets beyond this.
 *
 * <p>The JVM's compilers treat events that have never happened as impossible, and discard the code
 * at their first occurrence. The warm-up therefore uses several kinds of driver, new kernels,
 * failing kernels, blocks of many sizes, and an empty pool.
 */
final class JitWarmUp {
  /** The number of calls; about 200 suffice if the JVM's compilers have no other work. */
  static final int TIMES = 1200;

  /** The number of driver kinds; for two kinds, C2 would assume that there is no third. */
  private static final int DRIVERS = 3;

  /** The number of calls between two launches of a new kernel. */
  private static final int KERNEL_INTERVAL = 24;

  /** The time limit in nanoseconds; on a slower machine the warm-up does not pay off. */
  private static final long MOST_NANOS = 500_000_000;

  private JitWarmUp() {}

  /**
   * Calls the program {@link #TIMES} times, or until the time limit.
   *
   * @return true if no call failed; after a failure, the first calls of the program are slower
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
        if (i % KERNEL_INTERVAL == 0) {
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
   * Starts a server on the device without effect, so that the classes are loaded before the real
   * device is open.
   *
   * @return true on success; after a failure, the start is slower
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

  /**
   * Loads all classes that a start of the program may need, for its {@link AotCache}. No device is
   * opened.
   */
  static void load(DeviceProgram program) {
    program.api().prepare(1);
    var unused = program.kernels();
    try {
      var unusedDevices = program.api().devices();
    } catch (FutharkError | DriverException e) {
      // Without a driver, a start does not use it.
    }
    var unusedRun = run();
    var unusedServer = serve();
    try (JarFile jar = new JarFile(System.getProperty("java.class.path", ""))) {
      jar.stream().map(JarEntry::getName).forEach(name -> loadClass(program, name));
    } catch (IOException e) {
      // The cache then contains the classes loaded so far.
    }
  }

  private static void loadClass(DeviceProgram program, String file) {
    if (!file.endsWith(".class")) {
      return;
    }
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      var unused = Class.forName(name, false, program.getClass().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // A class that cannot be loaded is not needed.
    }
  }

  /** A program that launches kernels, and reads scalars that two of them have written. */
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
      return "warm-up";
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
      for (int i = 0; i <= TIMES / KERNEL_INTERVAL / DRIVERS; i++) {
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
      if (i % KERNEL_INTERVAL < DRIVERS) {
        launch(device, kernels[i / KERNEL_INTERVAL / DRIVERS], xs, sum, false);
      }
      device.copy(partial[0], 0, sum, 0, 4);
      for (Buffer buffer : partial) {
        buffer.release();
      }
      words.release();
      long n = 0;
      if (i % 3 != 0) {
        int first = device.ask(sum, 0, 4);
        int second = device.ask(count, 0, 4);
        if (i % 3 == 1) {
          launch(device, kernels[0], xs, sum, false);
        }
        device.await(first, second);
        n = (device.answer(first) + device.answer(second)) & 1;
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

  /** An interface with one device, whose driver does nothing. */
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
    /** All bytes are set: the failure word is -1, no failure. */
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
    public long record() {
      return 1;
    }

    @Override
    public void await(long event) {}

    @Override
    public void discard(long event) {}

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
