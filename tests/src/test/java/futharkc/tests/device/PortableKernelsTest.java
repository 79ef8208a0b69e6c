package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.opencl.OpenClDialect;
import futharkc.backend.opencl.runtime.OpenClApi;
import futharkc.core.codegen.Backend;
import futharkc.core.codegen.product.DeviceTarget;
import futharkc.core.codegen.product.Library;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.device.KernelSource;
import futharkc.tests.kit.TestMachine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the portable kernels that executables contain for machines without a kernel compiler.
 */
final class PortableKernelsTest {
  @TempDir Path folder;
  private final List<String> compiled = new ArrayList<>();

  private DeviceTarget target(DeviceTarget.PortableKernels portable) {
    Backend.Target target = new Backend.Target("opencl", Rep.GPU_IMP, "", TestMachine.WITH_DEVICE);
    Library api = new Library(OpenClApi.class, List.of("futharkc/backend/opencl/runtime/"));
    return new DeviceTarget(
        target, new OpenClDialect(), OpenClApi.class, "cl", List.of(api), portable);
  }

  private static Ir program() throws IOException {
    try (InputStream in = PortableKernelsTest.class.getResourceAsStream("kernels.imp")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Parser.parseImperative("kernels.imp", text);
    }
  }

  /** Returns the portable kernels that the program in an executable reports. */
  private KernelSource.Portable inExecutable(DeviceTarget.PortableKernels portable)
      throws Exception {
    Path file = folder.resolve("program");
    target(portable).compile(program(), "kernels").writeExecutable(file, List.of());
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {file.toUri().toURL()}, getClass().getClassLoader())) {
      Object text =
          loader.loadClass("futhark.generated.FutharkMain").getDeclaredConstructor().newInstance();
      return ((DeviceProgram) text).kernels().portable();
    }
  }

  @Test
  void executablesHaveThemWithTheMacrosTheyWereCompiledFor() throws Exception {
    KernelSource.Portable found =
        inExecutable(
            (source, options) -> {
              compiled.add(source);
              compiled.addAll(options);
              return "text\n\nof = kernels\n";
            });
    assertNotNull(found);
    assertEquals("text\n\nof = kernels\n", found.text());
    assertEquals(Map.of("SIZE_sumxsize_0", 256L), found.macros());
    assertTrue(compiled.getFirst().contains("KERNEL"), compiled::toString);
    assertEquals("-DSIZE_sumxsize_0=256", compiled.getLast());
  }

  @Test
  void withoutACompilerThereAreNone() throws Exception {
    assertNull(inExecutable(DeviceTarget.PortableKernels.NONE));
  }

  @Test
  void programsThatAreLoadedRightAwayHaveNone() throws Exception {
    DeviceProgram loaded =
        (DeviceProgram)
            target((source, options) -> "never asked for").compile(program(), "kernels").load();
    assertNull(loaded.kernels().portable());
  }
}
