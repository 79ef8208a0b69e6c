package futharkc.core.runtime.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Devices simulated in Java. Kernels are functions, blocks are host memory, and a test can cause
 * any hardware failure.
 */
final class FakeApi implements DeviceApi {
  /** The code of a kernel, for all its threads. */
  interface Code {
    void run(FakeDriver driver, KernelArguments arguments, long threads);
  }

  final Map<String, Code> kernels = new HashMap<>();
  List<DeviceInfo> devices = new ArrayList<>(List.of(device("Fake", 0, 0)));
  long memory = 1 << 20;
  boolean compiles = true;
  boolean hasCompiler = true;
  boolean rejectsNext;

  /** True if the driver caches compiled kernels itself. */
  boolean keepsCompiled;

  boolean checksPortable = true;

  final AtomicInteger compilations = new AtomicInteger();
  int opened;
  String loads = "";
  FakeDriver last;

  static DeviceInfo device(String name, int platform, int index) {
    return new DeviceInfo(
        "fake",
        "Platform " + platform,
        name,
        "1",
        "",
        DeviceInfo.Kind.GPU,
        new DeviceInfo.Limits(
            1 << 20, 1 << 19, 4, 64, 256, 1 << 16, 1 << 8, 4096, 0, 0, 1, true, true),
        platform,
        index);
  }

  @Override
  public String name() {
    return "Fake";
  }

  @Override
  public List<DeviceInfo> devices() {
    return devices;
  }

  @Override
  public NoDevices noDevices() {
    return new NoDevices("nothing was faked", "fake it");
  }

  @Override
  public void prepare(int times) {}

  @Override
  public int preferred(List<DeviceInfo> candidates) {
    return candidates.size() - 1;
  }

  @Override
  public Driver open(DeviceInfo device, DeviceOptions options) {
    opened++;
    last = new FakeDriver();
    return last;
  }

  final class FakeDriver implements Driver {
    final Map<Long, MemorySegment> blocks = new HashMap<>();
    final ByteBuffer staging = ByteBuffer.allocateDirect(8 * 48).order(ByteOrder.nativeOrder());
    final List<String> calls = new ArrayList<>();
    private final Map<Long, String> names = new HashMap<>();
    private long next = 1;
    private long used;
    private long clock;
    private boolean lost;

    private void check() {
      if (lost) {
        throw new DriverException(DriverException.Kind.LOST, "launch: illegal address");
      }
    }

    void lose() {
      lost = true;
    }

    MemorySegment block(KernelArguments arguments, int i) {
      return blocks.get(arguments.slot(i).get(ValueLayout.JAVA_LONG, 0));
    }

    @Override
    public long allocate(long bytes) {
      check();
      if (used + bytes > memory) {
        return 0;
      }
      used += bytes;
      blocks.put(next, Arena.ofAuto().allocate(bytes, 8).fill((byte) 0x5a));
      return next++;
    }

    @Override
    public void free(long block) {
      used -= blocks.remove(block).byteSize();
    }

    @Override
    public long freeMemory() {
      return memory - used;
    }

    @Override
    public void write(long block, long offset, Buffer source, long at, long bytes) {
      check();
      MemorySegment.copy(MemorySegment.ofBuffer(source), at, blocks.get(block), offset, bytes);
    }

    @Override
    public void read(long block, long offset, Buffer target, long at, long bytes) {
      check();
      calls.add("read");
      MemorySegment.copy(blocks.get(block), offset, MemorySegment.ofBuffer(target), at, bytes);
    }

    @Override
    public ByteBuffer staging() {
      return staging;
    }

    @Override
    public void readLater(long block, long offset, long at, long bytes) {
      check();
      calls.add("readLater");
      MemorySegment.copy(blocks.get(block), offset, MemorySegment.ofBuffer(staging), at, bytes);
    }

    @Override
    public void copy(long to, long toOffset, long from, long fromOffset, long bytes) {
      check();
      MemorySegment.copy(blocks.get(from), fromOffset, blocks.get(to), toOffset, bytes);
    }

    @Override
    public void fill(long block, long offset, int width, long bits, long count) {
      check();
      for (long i = 0; i < count * width; i++) {
        byte b = (byte) (bits >> 8 * (i % width));
        blocks.get(block).set(ValueLayout.JAVA_BYTE, offset + i, b);
      }
    }

    @Override
    public void synchronise() {
      calls.add("synchronise");
      check();
    }

    @Override
    public long record() {
      calls.add("record");
      return next++;
    }

    @Override
    public void await(long event) {
      calls.add("await");
      check();
    }

    @Override
    public void discard(long event) {}

    @Override
    public byte[] compile(String source, List<String> options) {
      synchronized (FakeApi.this) {
        return compiled(source, options);
      }
    }

    private byte[] compiled(String source, List<String> options) {
      if (!hasCompiler) {
        throw new DriverException(DriverException.Kind.NO_COMPILER, "no compiler found");
      }
      if (!compiles) {
        throw new DriverException(DriverException.Kind.COMPILATION, "line 1: oops");
      }
      compilations.incrementAndGet();
      return ("binary of " + source + " " + options).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean keepsCompiled() {
      return keepsCompiled;
    }

    @Override
    public long compileAndLoad(String source, List<String> options) {
      long module = load(compile(source, options));
      calls.add("compileAndLoad");
      return module;
    }

    @Override
    public boolean compilesConcurrently() {
      return false;
    }

    @Override
    public boolean checksPortable() {
      return checksPortable;
    }

    @Override
    public byte[] portable(String source, List<String> options) {
      return compile(source, options);
    }

    @Override
    public long load(byte[] binary) {
      loads = new String(binary, StandardCharsets.UTF_8);
      if (loads.startsWith("bad") || rejectsNext) {
        rejectsNext = false;
        throw new DriverException(DriverException.Kind.BINARY, "not for this device");
      }
      return next++;
    }

    @Override
    public void unload(long module) {
      calls.add("unload");
    }

    @Override
    public NativeKernel kernel(long module, String name) {
      names.put(next, name);
      return new NativeKernel(next++, 256, 96, 0);
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
        int blockZ) {
      check();
      calls.add(names.get(kernel));
      long threads = (long) gridX * gridY * gridZ * blockX * blockY * blockZ;
      kernels.get(names.get(kernel)).run(this, arguments, threads);
    }

    @Override
    public void beginTiming() {
      clock++;
    }

    @Override
    public long endTiming() {
      return clock;
    }

    @Override
    public Timing timing(long timing) {
      return new Timing(timing * 1000, 10);
    }

    @Override
    public void close() {
      blocks.clear();
    }
  }
}
