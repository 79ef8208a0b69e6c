package futharkc.core.runtime.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.executable.DeviceMain;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a program with kernels as an executable, a server and a library, on a device simulated
 * in Java.
 */
final class DeviceProgramTest {
  private static final ValueType INTS = new ValueType.Array(ElemType.I32, 1);

  @TempDir Path folder;
  private final FakeApi api = new FakeApi();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  DeviceProgramTest() {
    api.kernels.put(
        "twice",
        (driver, arguments, threads) -> {
          MemorySegment xs = driver.block(arguments, 0);
          for (int i = 0; i < threads; i++) {
            xs.setAtIndex(ValueLayout.JAVA_INT, i, 2 * xs.getAtIndex(ValueLayout.JAVA_INT, i));
          }
        });
  }

  /**
   * A program whose entry points overwrite their argument: {@code main} doubles it, {@code crash}
   * makes the device fail.
   */
  private final class Program extends DeviceProgram {
    private Kernel twice;
    private int initialisations;

    @Override
    public DeviceApi api() {
      return api;
    }

    @Override
    public KernelSource kernels() {
      return new KernelSource(
          "the text",
          List.of(),
          List.of(new KernelSource.KernelDeclaration("twice", "a.fut:1", new int[] {8}, false)),
          List.of(),
          null);
    }

    @Override
    public Map<String, Long> macros(Context ctx, Device device) {
      return Map.of("B", ctx.tuning(0));
    }

    @Override
    public String name() {
      return "program";
    }

    @Override
    public String backend() {
      return "opencl";
    }

    @Override
    public TuningParameter[] tuningParameters() {
      return new TuningParameter[] {
        new TuningParameter("main.block", "thread_block_size", 0),
        new TuningParameter("main.suff_outer_par_0", "threshold(256, )", 0),
        new TuningParameter("main.grid", "grid_size", 0),
      };
    }

    @Override
    public void initialise(Context ctx) {
      initialisations++;
      twice = load(ctx).kernel("twice");
    }

    @Override
    public EntryPoint[] entryPoints() {
      return new EntryPoint[] {entry("main", false), entry("crash", true)};
    }

    private EntryPoint entry(String name, boolean crash) {
      EntryPoint.Parameter[] parameters = {new EntryPoint.Parameter("xs", INTS, true)};
      return new EntryPoint(name, parameters, INTS, true, new String[0], new String[0]) {
        @Override
        public Value[] call(Context ctx, Value[] args) {
          ArrayValue xs = (ArrayValue) args[0];
          Device device = device(ctx);
          twice.arguments().set(0, ((DeviceArray) xs.store()).buffer());
          device.launch(twice, 0, 1, (int) xs.size(), 8 * xs.size());
          if (crash) {
            api.last.lose();
          }
          return args;
        }
      };
    }
  }

  private int run(String input, String... args) {
    return DeviceMain.run(
        new Program(),
        args,
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        out,
        new PrintStream(err));
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aTimelineHasCallsAndKernels() throws IOException {
    Path file = folder.resolve("timeline.json");
    assertEquals(0, run("[1, 2, 3]", "-r", "2", "--timeline", file.toString()), this::errors);
    assertEquals("", errors(), "a timeline is no report");
    List<String> lines = Files.readAllLines(file);
    assertEquals("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", lines.getFirst());
    assertEquals("]}", lines.getLast());
    assertEquals(2, lines.stream().filter(l -> l.contains("\"name\":\"main\"")).count());
    List<String> kernels = lines.stream().filter(l -> l.contains("\"name\":\"twice\"")).toList();
    assertEquals(2, kernels.size(), lines::toString);
    assertTrue(kernels.getFirst().contains("\"tid\":2"), kernels::toString);
    assertTrue(kernels.getFirst().contains("\"bytes\":24"), kernels::toString);
    assertTrue(kernels.getFirst().contains("\"grid\":\"(1,1,1)\""), kernels::toString);
    assertEquals(lines.size() - 3, lines.stream().filter(l -> l.endsWith("},")).count());
  }

  @Test
  void runsAndReports() throws IOException {
    String cache = folder.resolve("cache").toString();
    assertEquals(0, run("[1, 2, 3]", "-D", "-r", "3", "--cache-file", cache), this::errors);
    assertEquals("[2i32, 4i32, 6i32]\n", out.toString(StandardCharsets.UTF_8));
    assertTrue(errors().contains("Peak memory usage for space 'device': 12 bytes"), errors());
    assertTrue(errors().contains("Peak memory usage for default space: 0 bytes"), errors());
    assertTrue(errors().contains("Kernel launches: 3\n"), errors());
    assertTrue(errors().contains("Host waits for the device: 3\n"), errors());
    assertTrue(errors().contains("Host reads: 0 elements in 0 transfers of 0 bytes\n"), errors());
    assertTrue(errors().contains("Host writes: 0 of 0 bytes\n"), errors());
    assertTrue(errors().contains("Region twice: 3 runs"), errors());
    assertTrue(errors().contains("GB/s"), errors());
    assertTrue(Files.size(folder.resolve("cache")) > 0);
  }

  @Test
  void optionsOfDevices() throws IOException {
    assertEquals(0, run("", "--list-devices"));
    assertEquals("Platform: Platform 0\n[0]: Fake\n", out.toString(StandardCharsets.UTF_8));
    assertEquals(1, run("[1]", "-d", "None"));
    assertTrue(errors().contains("No Fake device fits 'None'"), errors());
    Path file = folder.resolve("text");
    assertEquals(0, run("", "--dump-opencl", file.toString()));
    assertTrue(Files.readString(file).startsWith("the text\n//futharkc kernels:"));
    Files.writeString(file, "my text");
    Path binary = folder.resolve("binary");
    assertEquals(
        0,
        run(
            "",
            "--dump-opencl-binary=" + binary,
            "--load-opencl=" + file,
            "--build-option=-x",
            "--default-group-size=64"));
    assertTrue(Files.readString(binary).startsWith("binary of my text [-DB=64, -x]\n//futharkc"));
    assertEquals(1, run("", "--dump-cuda", "x"));
    assertTrue(errors().contains("unknown option --dump-cuda"), errors());
    err.reset();
    run("", "--help");
    String help = out.toString(StandardCharsets.UTF_8);
    assertTrue(help.contains("--build-option OPT") && !help.contains("nvrtc"), help);
  }

  @Test
  void tuningParametersHaveTheDevicesDefaultsAndLimits() {
    Program program = new Program();
    Context.Builder builder = Context.of(program, new PrintStream(err));
    builder.tuningClass("threshold", 99);
    try (Context ctx = builder.build()) {
      assertEquals(256, ctx.tuning(0));
      assertEquals(99, ctx.tuning(1));
      assertEquals(1, ctx.tuning(2));
      ctx.setTuning("main.block", 100_000);
      assertEquals(256, ctx.tuning(0));
      ctx.setTuning("main.suff_outer_par_0", 0);
      assertEquals(32768, ctx.tuning(1));
    }
  }

  @Test
  void variablesOfServersStayOnTheDevice() throws IOException {
    Path data = Files.writeString(folder.resolve("data"), "[1, 2]");
    String input =
        String.join(
            "\n",
            "restore " + data + " x []i32",
            "call main y x",
            "call main z y",
            "report",
            "index a z 1",
            "store " + folder.resolve("stored") + " z",
            "free x y z a",
            "");
    assertEquals(0, run(input, "--server", "-P"), this::errors);
    String said = out.toString(StandardCharsets.UTF_8);
    assertFalse(said.contains("FAILURE"), said);
    String report = said.lines().filter(l -> l.startsWith("{")).findFirst().orElseThrow();
    assertTrue(report.contains("\"space 'device'\":"), report);
    assertTrue(report.contains("\"grid\":\"(1,1,1)\""), report);
    assertEquals(1, report.split("copy_host_to_dev", -1).length - 1, report);
    assertFalse(report.contains("copy_dev_to_host"), report);
    assertTrue(Files.size(folder.resolve("stored")) > 0);
  }

  @Test
  void aServerGoesOnAfterTheDeviceWasLost() throws IOException {
    Path data = Files.writeString(folder.resolve("data"), "[1, 2]");
    String input =
        String.join(
            "\n",
            "restore " + data + " x []i32",
            "restore " + data + " other []i32",
            "call crash y x",
            "call main y other",
            "free x other",
            "restore " + data + " x []i32",
            "call main y x",
            "index a y 1",
            "store " + folder.resolve("stored") + " a",
            "");
    assertEquals(0, run(input, "--server"), this::errors);
    String said = out.toString(StandardCharsets.UTF_8);
    assertEquals(2, said.split("FAILURE", -1).length - 1, said);
    assertTrue(said.contains("opened again") && said.contains("lost"), said);
    byte[] stored = Files.readAllBytes(folder.resolve("stored"));
    assertEquals(4, stored[stored.length - 4]);
  }

  @Test
  void severalProgramsShareADeviceAndArraysOfTheHostComeAndGo() {
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      Program first = new Program();
      Program second = new Program();
      ArrayValue xs = ArrayValue.vector(ElemType.I32, new int[] {3, 4});
      try (Context a = Context.of(first, new PrintStream(err)).accelerator(device).build();
          Context b = Context.of(second, new PrintStream(err)).accelerator(device).build()) {
        ArrayValue ys = (ArrayValue) a.run(first.entryPoints()[0], xs);
        ArrayValue zs = (ArrayValue) b.run(second.entryPoints()[0], ys);
        assertArrayEquals(new int[] {12, 16}, (int[]) zs.data());
        assertArrayEquals(new int[] {3, 4}, (int[]) xs.data());
        assertThrows(FutharkError.class, () -> a.run(first.entryPoints()[1], zs));
        ArrayValue us = (ArrayValue) b.run(second.entryPoints()[0], xs);
        assertArrayEquals(new int[] {6, 8}, (int[]) us.data());
        assertEquals(2, second.initialisations, "what it has on the device was lost");
      }
      assertEquals(2, api.opened);
    }
  }
}
