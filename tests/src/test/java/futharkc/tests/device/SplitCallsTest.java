package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of executables that split calls over several devices, which PoCL simulates. */
final class SplitCallsTest {
  private static final String PROGRAM =
      """
      type matrix = {a: i64, b: i64, c: i64, d: i64}
      def times (x: matrix) (y: matrix) : matrix =
        { a = x.a * y.a + x.b * y.c, b = x.a * y.b + x.b * y.d
        , c = x.c * y.a + x.d * y.c, d = x.c * y.b + x.d * y.d }

      entry main [n] (a: i64) (#[split] xs: [n]i64) : [n]i64 = map (\\x -> a * x + 1) xs

      #[combine(join)]
      entry ends [n] (#[split] xs: [n]i64) : (i64, i64, i64) = (xs[0], xs[n - 1], n)
      entry join (x: (i64, i64, i64)) (y: (i64, i64, i64)) = (x.0, y.1, x.2 + y.2)

      #[split(xs, ys)]
      entry products [n][m] (xs: [n][m]i64) (ys: [n]i64) (zs: [m]i64) =
        (map2 (\\row y -> i64.sum (map2 (*) row zs) + y) xs ys, map (map (+ 1)) xs)

      #[combine(compose)]
      entry matrices (#[split] xs: []i64) : matrix =
        reduce times {a = 1, b = 0, c = 0, d = 1} (map (\\x -> {a = x, b = 1, c = 1, d = x % 7}) xs)
      entry compose (x: matrix) (y: matrix) : matrix = times x y

      entry added [n] (#[split] xs: *[n]i64) : *[n]i64 = xs with [0] = 77
      entry evens (#[split] xs: []i64) = filter (\\x -> x % 2 == 0) xs
      entry checked [n] (#[split] xs: [n]i64) : [n]i64 = map (\\x -> assert (x >= 0) x) xs
      entry sum (#[split] xs: []i64) : i64 = i64.sum xs
      #[combine(nothing)]
      entry missing (#[split] xs: []i64) : i64 = i64.sum xs
      #[combine(join)]
      entry mistyped (#[split] xs: []i64) : i64 = i64.sum xs
      #[split(zs)]
      entry unnamed (xs: []i64) = xs
      entry scalar (#[split] n: i64) = iota n
      entry whole (xs: []i64) = xs
      """;

  @TempDir private static Path folder;
  private static Path program;

  @BeforeAll
  static void compile() throws IOException {
    assumeTrue(Devices.targets().contains("opencl"), "OpenCL has no device");
    program = folder.resolve("program");
    Compiler.create()
        .compile(
            Source.ofText("program.fut", PROGRAM), CompilerOptions.DEFAULT.withTarget("opencl"))
        .writeExecutable(program);
  }

  private static String run(String input, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    Path in = Files.writeString(folder.resolve("input"), input);
    Path out = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectErrorStream(true);
    builder.environment().put("POCL_DEVICES", "basic basic basic");
    builder.environment().put("FUTHARKC_JAVA", System.getProperty("java.home"));
    builder.start().waitFor();
    return Files.readString(out).strip();
  }

  private static void assertSame(String entry, String input) throws Exception {
    String one = run(input, "-e", entry);
    assertFalse(one.contains("rror"), one);
    assertEquals(one, run(input, "-e", entry, "--devices=all"), entry);
  }

  @Test
  void resultsAreThoseOfOneDevice() throws Exception {
    String numbers = "[1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 8i64]";
    assertSame("main", "3i64 " + numbers);
    assertSame("ends", numbers);
    assertSame("ends", "[5i64]");
    assertSame("evens", numbers);
    assertSame("evens", "empty([0]i64)");
    assertSame(
        "products",
        "[[1i64, 2i64], [3i64, 4i64], [5i64, 6i64], [7i64, 8i64]] [1i64, 2i64, 3i64, 4i64]"
            + " [10i64, 100i64]");
    assertEquals("", run("3i64 [1i64, 2i64]", "--devices=#1,#0", "-r", "2", "-n"));
    assertEquals("[4i64, 7i64]", run("3i64 [1i64, 2i64]", "--devices=#1,#0", "-r", "2"));
    assertEquals(
        "[77i64, 2i64, 77i64, 4i64]",
        run("[1i64, 2i64, 3i64, 4i64]", "-e", "added", "--devices=#0,#1", "-r", "3"));
  }

  @Test
  void errorsNameTheDeviceAndThePart() throws Exception {
    String text = run("[1i64, 2i64, -3i64]", "-e", "checked", "--devices=all");
    assertTrue(text.startsWith("Error: Device #2, part 3 of 3: Assertion is false: x >= 0"), text);
    assertTrue(text.contains("program.fut:"), text);
  }

  private static void assertRefused(String entry, String message) throws Exception {
    String text = run("[1i64, 2i64]", "-e", entry, "--devices=all");
    assertTrue(text.contains(message), text);
  }

  @Test
  void declarationsAreChecked() throws Exception {
    assertRefused("whole", "whole does not declare how to split its arguments");
    assertRefused("sum", "have type i64 and cannot be concatenated");
    assertRefused("missing", "there is no entry point nothing, which #[combine] of missing names");
    assertRefused("mistyped", "entry point join cannot combine results of entry point mistyped");
    assertRefused("unnamed", "entry point unnamed has no parameter zs, which #[split] names");
    assertTrue(run("3i64", "-e", "scalar", "--devices=all").contains("but only arrays are split"));
    assertTrue(
        run("[[1i64]] [1i64, 2i64] [1i64]", "-e", "products", "--devices=all")
            .contains("the split arguments of entry point products have 1 and 2 rows"));
    assertTrue(run("", "--devices=all", "-d", "#0").contains("is for one device only"));
    assertTrue(run("", "--devices=#0,").contains("needs all or names"));
  }

  @Test
  void serversSplitCalls() throws Exception {
    Path values = folder.resolve("values");
    Files.writeString(values, "3i64 [1i64, 2i64, 3i64, 4i64]");
    String store = folder.resolve("stored").toString();
    String text =
        run(
            """
            restore %s a i64 xs []i64
            call main r a xs
            call main s a xs
            call main t a s
            store %s r s t
            call matrices m xs
            call matrices m2 xs
            project x m b
            project y m2 b
            free xs
            call whole w r
            call ends e s
            project last e 1
            project rows e 2
            store %s2 last rows x y
            """
                .formatted(values, store, store),
            "--server",
            "--devices=all");
    assertFalse(text.contains("FAILURE"), text);
    String one =
        run(
            """
            restore %s a i64 xs []i64
            call matrices m xs
            project x m b
            store %s3 x
            """
                .formatted(values, store),
            "--server");
    assertFalse(one.contains("FAILURE"), one);
    byte[] all = Files.readAllBytes(Path.of(store + "2"));
    byte[] expected = Files.readAllBytes(Path.of(store + "3"));
    int scalar = expected.length;
    assertEquals(4 * scalar, all.length);
    assertEquals(13, all[scalar - 8]);
    assertEquals(4, all[2 * scalar - 8]);
    assertTrue(Arrays.equals(expected, Arrays.copyOfRange(all, 2 * scalar, 3 * scalar)));
  }
}
