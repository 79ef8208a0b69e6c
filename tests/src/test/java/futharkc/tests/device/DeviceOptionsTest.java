package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.embed.LoadedProgram;
import futharkc.core.runtime.executable.DeviceMain;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the options of programs with kernels, on a compiled program and a device. */
final class DeviceOptionsTest {
  private static final String PROGRAM =
      """
      entry main (xss: [][]i32): []i32 = map (\\xs -> reduce (+) 0 (map (* 3) xs)) xss
      entry element (xs: []i32) (i: i64): []i32 = map (\\j -> xs[i + j]) (iota 2)
      entry repeated (n: i64): i64 =
        (loop xs = iota 10 for i < n do map (\\x -> (x * 31 + i) % 1000) xs)[3]

      type t = (i64, i64, i64, i64)
      type u = (t, t, t, t)
      type v = (u, u, u, u)
      def both (a: t) (b: t): t = (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3)
      def four (a: u) (b: u): u = (both a.0 b.0, both a.1 b.1, both a.2 b.2, both a.3 b.3)
      def sums (a: v) (b: v): v = (four a.0 b.0, four a.1 b.1, four a.2 b.2, four a.3 b.3)
      def all (x: i64): v = let y = (x, x, x, x) let z = (y, y, y, y) in (z, z, z, z)
      entry wide (n: i64): (i64, i64) =
        let xs = map (\\i -> all i) (iota n)
        let zero = all 0
        let (_, _, _, (_, _, _, (_, _, _, s))) = reduce_comm sums zero xs
        let (_, _, _, (_, _, _, (_, _, _, t))) = last (scan sums zero xs)
        in (s, t)
      """;

  private static Compiled compiled;
  private static String target;

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeAll
  static void compile() {
    List<String> targets = Devices.targets();
    assumeTrue(!targets.isEmpty(), "no device: nothing of this is tested");
    target = targets.getFirst();
    compiled =
        Compiler.create()
            .compile(
                Source.ofText("program.fut", PROGRAM), CompilerOptions.DEFAULT.withTarget(target));
  }

  private int run(String input, String... args) {
    out.reset();
    err.reset();
    return DeviceMain.run(
        (DeviceProgram) compiled.instance(),
        args,
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        out,
        new PrintStream(err));
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Runs main and checks its result. */
  private void good(String... args) {
    assertEquals(0, run("[[1, 2, 3], [4, 5, 6]]", args), this::errors);
    assertEquals("[18i32, 45i32]\n", output());
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private boolean cuda() {
    return target.equals("cuda");
  }

  @Test
  void devicesAreListedAndChosen() {
    assertEquals(0, run("", "--list-devices"), this::errors);
    List<String> lines = output().lines().toList();
    assertTrue(lines.get(0).startsWith("Platform: "), lines::toString);
    assertTrue(lines.get(1).startsWith("[0]: "), lines::toString);
    String name = lines.get(1).substring("[0]: ".length());
    if (!cuda()) {
      good("-d", "#0 " + name, "-p", lines.get(0).substring("Platform: ".length()));
    } else {
      good("-d", "#0 " + name);
    }
    assertEquals(1, run("[[1]]", "-d", "no such device"));
    assertTrue(errors().contains("'no such device'") && errors().contains(name), this::errors);
  }

  @Test
  void sourceIsWrittenAndTakenBackEdited() throws IOException {
    String dialect = cuda() ? "cuda" : "opencl";
    assertEquals(0, run("", "--dump-" + dialect, path("source")), this::errors);
    String source = Files.readString(folder.resolve("source"));
    good("--load-" + dialect, path("source"));
    Files.writeString(folder.resolve("edited"), source.replace("typedef int i32;", ""));
    assertEquals(1, run("[[1]]", "--load-" + dialect, path("edited")));
    assertTrue(errors().contains("do not compile"), this::errors);
    assertTrue(errors().contains("i32"), this::errors);
    assertEquals(1, run("[[1]]", "--load-" + dialect, path("missing")));
    assertTrue(errors().contains("missing"), this::errors);
  }

  @Test
  void kernelsOfOtherProgramsAreRefused() throws IOException {
    String dialect = cuda() ? "cuda" : "opencl";
    Files.writeString(folder.resolve("empty"), "");
    assertEquals(1, run("[[1]]", "--load-" + dialect, path("empty")));
    assertTrue(errors().contains("for this program"), this::errors);
    assertTrue(errors().contains(path("empty")), this::errors);
    Compiled other =
        Compiler.create()
            .compile(
                Source.ofText("other.fut", "entry main (xs: []i32) (k: i32) = map (+ k) xs"),
                CompilerOptions.DEFAULT.withTarget(target));
    Files.write(folder.resolve("other"), ((DeviceProgram) other.instance()).kernels().signed());
    assertEquals(1, run("[[1]]", "--load-" + dialect, path("other")));
    assertTrue(errors().contains("belong to another program"), this::errors);
    good();
  }

  @Test
  void filesThatCannotBeWrittenAreNamed() {
    String dialect = cuda() ? "cuda" : "opencl";
    assertEquals(1, run("", "--dump-" + dialect, path("none/source")));
    assertTrue(errors().contains("cannot write to " + path("none/source")), this::errors);
    assertEquals(1, run("[[1]]", "--timeline", path("none/timeline")));
    assertTrue(errors().contains("cannot write to " + path("none/timeline")), this::errors);
  }

  @Test
  void binariesAreWrittenAndTakenBack() throws IOException {
    String form = cuda() ? "ptx" : "opencl-binary";
    assertEquals(0, run("", "--dump-" + form, path("binary")), this::errors);
    assertTrue(Files.size(folder.resolve("binary")) > 100);
    good("--load-" + form, path("binary"));
    String dialect = cuda() ? "cuda" : "opencl";
    assertEquals(
        0,
        run("", "--dump-" + form, path("both"), "--dump-" + dialect, path("source"), "--server"),
        this::errors);
    assertTrue(Files.exists(folder.resolve("both")) && Files.exists(folder.resolve("source")));
    for (String useless : List.of("load-" + dialect, cuda() ? "nvrtc-option" : "build-option")) {
      assertEquals(1, run("", "--load-" + form, path("binary"), "--" + useless, path("source")));
      assertTrue(
          errors().contains("--" + useless + " has no effect with --load-" + form), this::errors);
    }
    Files.writeString(folder.resolve("binary"), "none");
    assertEquals(1, run("[[1]]", "--load-" + form, path("binary")));
    assertTrue(errors().startsWith("Error: "), this::errors);
  }

  @Test
  void sizesThatTheDeviceDoesNotHaveAreSaidOnce() {
    good("--default-group-size=1000000");
    String cut = "Warning: the device limits thread_block_size to ";
    assertTrue(errors().startsWith(cut), this::errors);
    assertTrue(errors().endsWith("; this value is used instead of 1000000.\n"), this::errors);
    assertEquals(1, errors().lines().count(), this::errors);
    good("--param", "main.segmap_tblock_size_0=1000001");
    assertTrue(errors().startsWith(cut) && errors().contains("1000001"), this::errors);
    good("--default-group-size=0", "--default-threshold=0");
    assertEquals("", errors());
  }

  @Test
  void theCompilerOfKernelsTakesOptions() {
    String option = cuda() ? "--nvrtc-option" : "--build-option";
    good(option, "-DANYTHING=1", "--cache-file", path("cache"));
    assertTrue(Files.exists(folder.resolve("cache")));
    assertEquals(1, run("[[1]]", option, "-Dvoid=nonsense", "--cache-file", path("cache")));
    good("--cache-file", path("cache"));
  }

  @Test
  void sizesAndThresholdsChangeNothingButTheTime() throws IOException {
    assertEquals(0, run("", "--print-params"), this::errors);
    String params = output();
    assertTrue(params.contains("main.suff_outer_par_0 (threshold(def, ))"), params);
    good("--default-thread-block-size", "7", "--default-grid-size=3", "--default-tile-size=4");
    good("--default-group-size=64", "--default-num-groups=2", "--default-reg-tile-size=2");
    good("--default-threshold=1", "--default-cache=1000", "--default-registers=100", "-L");
    assertTrue(errors().contains("Compared main.suff_outer_par_0 <= 2: true."), this::errors);
    Files.writeString(folder.resolve("tuning"), "-- more\nmain.suff_outer_par_0=1000\n\n");
    good("--tuning", path("tuning"), "-L");
    assertTrue(errors().contains("Compared main.suff_outer_par_0 <= 2: false."), this::errors);
    Files.writeString(folder.resolve("classes"), "default_tile_size=8\ndefault_threshold=1\n");
    good("--tuning", path("classes"), "-L");
    assertTrue(errors().contains("Compared main.suff_outer_par_0 <= 2: true."), this::errors);
    assertTrue(errors().contains("Peak memory usage for space 'device': "), this::errors);
    assertEquals(1, run("[[1]]", "--param", "main.nothing=1"));
    assertTrue(errors().contains("main.nothing"), this::errors);
  }

  /**
   * Checks the size of thread blocks for a program that needs 512 bytes of shared memory per
   * thread, and 1024 in the scan. No device has enough for its largest thread blocks.
   */
  @Test
  void blocksAreAsLargeAsTheirSharedMemoryAllows() {
    int most = cuda() ? 1024 : 256;
    assertEquals(0, run("10000", "-e", "wide", "--default-group-size=" + 16 * most), this::errors);
    assertEquals("49995000i64\n49995000i64\n", output());
  }

  @Test
  void profilesSayWhatKernelsMoved() {
    good("-P", "-r", "3", "--timeline", path("timeline"));
    assertTrue(
        errors().lines().anyMatch(l -> l.matches("Region k_main_.*: 3 runs, .* GB/s")),
        this::errors);
    assertTrue(Files.exists(folder.resolve("timeline")));
  }

  @Test
  void failuresOfKernelsHaveMessageAndBacktrace() {
    assertEquals(1, run("[1, 2, 3] 2i64", "-e", "element"));
    assertTrue(errors().contains("Error: Index [3] out of bounds"), this::errors);
    assertTrue(errors().contains("program.fut:2:"), this::errors);
  }

  @Test
  void aServersVariablesStayOnTheDevice() throws IOException {
    Files.writeString(folder.resolve("in"), "[[1i32, 2i32], [3i32, 4i32]]");
    String commands =
        "restore %s xss [][]i32\ncall main ys xss\ncall main zs xss\nstore %s ys\nreport\n"
            .formatted(path("in"), path("out"));
    assertEquals(0, run(commands, "--server", "-P"), this::errors);
    assertFalse(output().contains("FAILURE"), output());
    assertTrue(output().contains("\"space 'device'\":"), output());
    int transfers = output().split("copy_host_to_dev", -1).length - 1;
    assertEquals(1, transfers, "calls transfer nothing: " + output());
    assertTrue(Files.size(folder.resolve("out")) > 8);
  }

  /**
   * Checks that an interrupt prevents the launch of the next kernel; a running kernel cannot be
   * stopped.
   */
  @Test
  void anInterruptEndsACallBetweenKernels() throws Exception {
    try (LoadedProgram program = compiled.load()) {
      assertEquals(program.call("repeated", 5L), program.call("repeated", 5L));
      Thread caller = Thread.currentThread();
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  Thread.sleep(300);
                } catch (InterruptedException e) {
                  return;
                }
                caller.interrupt();
              });
      FutharkError error =
          assertThrows(FutharkError.class, () -> program.call("repeated", 1_000_000_000L));
      assertEquals("Interrupted.", error.getMessage());
      assertTrue(Thread.interrupted());
      assertEquals(program.call("repeated", 5L), program.call("repeated", 5L));
    }
  }
}
