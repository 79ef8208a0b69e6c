package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.core.codegen.Backend;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.tests.kit.TestMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a backend's dialect needs no change of the core, with a dialect of the tests. */
final class PlainDialectTest {
  private static final String PROGRAM =
      """
      entry sums [n][m] (xss: [n][m]f32) = map (reduce (+) 0) xss
      entry scans [n] (xs: [n]i32) = scan (+) 0 xs
      entry counts [n] (is: [n]i64) = hist (+) 0i32 100 is (replicate n 1)
      entry angles [n] (xs: [n]f32) = map (\\x -> f32.sin x + f32.cos x) xs
      entry reads [n] (xs: [n]f64) (is: [n]i64) = map (\\i -> f64.sqrt xs[i]) is
      """;

  @TempDir Path folder;

  private static String kernels(String passes) {
    Source source = Source.ofText("plain.fut", PROGRAM);
    CompilerOptions options = CompilerOptions.DEFAULT.withPasses(passes);
    Ir program = Compiler.create().optimise(source, options, Rep.GPU_IMP).ir().program();
    Backend.Target target = new Backend.Target("plain", Rep.GPU_IMP, "", TestMachine.WITH_DEVICE);
    DeviceTarget device =
        new DeviceTarget(
            target,
            new PlainDialect(),
            OpenClApi.class,
            "c",
            List.of(),
            DeviceTarget.PortableKernels.NONE);
    return device.compile(program, "plain").sources().get(1).text();
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "+lower-gpu{shuffled=32}"})
  void kernelsUseTheDialectAlone(String passes) {
    String text = kernels(passes);
    assertTrue(text.startsWith("typedef signed char i8;"));
    for (String other :
        List.of("__local", "__shared__", "atomicAdd", "atomic_add", "barrier(CLK")) {
      assertFalse(text.contains(other), other);
    }
    assertTrue(text.contains("__sync_fetch_and_add"), text);
    assertTrue(text.contains("__builtin_sqrt("), text);
  }

  @Test
  void valuesAreExchangedThroughSharedMemory() {
    assertFalse(kernels("default").contains("shown["));
    assertTrue(kernels("+lower-gpu{shuffled=32}").contains("static i64 shown[1024];"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "+lower-gpu{shuffled=32}"})
  void gccAcceptsKernels(String passes) throws IOException, InterruptedException {
    String text = kernels(passes);
    Path file = Files.writeString(folder.resolve("kernels.c"), text);
    List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-fsyntax-only", "-w"));
    Pattern.compile("\\bSIZE_\\w+")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .distinct()
        .forEach(size -> command.add("-D" + size + "=256"));
    command.add(file.toString());
    Process gcc;
    try {
      gcc = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(false, "no gcc: nothing of this is tested");
      return;
    }
    String messages = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, gcc.waitFor(), messages);
  }
}
