package futharkc.backend.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.runtime.device.DriverException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the search for NVRTC, and of NVRTC itself if it is installed; no device is needed. */
final class NvrtcTest {
  private static final String SOURCE =
      """
      extern "C" __global__ void scale(float *xs, long long n, float a) {
        long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
        if (i < n) xs[i] = a * xs[i] + SHIFT;
      }
      """;

  @TempDir Path root;

  private void file(String name) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "no library");
  }

  @Test
  void placesAreLookedAtInOrder() throws IOException {
    file("home/cuda/lib64/libnvrtc.so.13");
    file("usr/local/cuda-12.4/lib64/libnvrtc.so.12");
    file("usr/local/cuda-13.1/lib64/libnvrtc.so.13");
    file("usr/local/cuda-13.1/lib64/libnvrtc.alt.so.13");
    file("venv/bin/python3");
    file("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    file("venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
    List<NvrtcLocations.Location> places =
        NvrtcLocations.of(
            Map.of(
                "CUDA_HOME",
                root.resolve("home/cuda").toString(),
                "PATH",
                "/nonexistent:" + root.resolve("venv/bin")),
            root,
            root.resolve("home"),
            false);
    List<String> found =
        places.stream()
            .flatMap(p -> p.files().stream())
            .filter(f -> f.startsWith(root.toString()))
            .map(f -> f.substring(root.toString().length() + 1))
            .toList();
    assertEquals(
        List.of(
            "home/cuda/lib64/libnvrtc.so.13",
            "usr/local/cuda-13.1/lib64/libnvrtc.so.13",
            "usr/local/cuda-12.4/lib64/libnvrtc.so.12",
            "venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13",
            "venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"),
        found);
  }

  @Test
  void aSearchInVainSaysWhereAndWhatToDo() {
    List<NvrtcLocations.Location> places =
        NvrtcLocations.of(Map.of("CUDA_HOME", "/nonexistent/cuda"), root, root, false).stream()
            .map(
                p ->
                    new NvrtcLocations.Location(
                        p.description(), p.files().stream().map(f -> "/nonexistent/" + f).toList()))
            .toList();
    Nvrtc.Search search = Nvrtc.search(places, 13000);
    assertNull(search.found());
    String text = search.explanation();
    assertTrue(text.contains("CUDA_HOME = /nonexistent/cuda"), text);
    assertTrue(text.contains("the system's libraries"), text);
    assertTrue(text.contains("pip install"), text);
  }

  private static Nvrtc installed() {
    Nvrtc nvrtc = Nvrtc.search(Integer.MAX_VALUE).found();
    assumeTrue(nvrtc != null, "NVRTC is not installed: it is not tested");
    assertNotNull(nvrtc);
    return nvrtc;
  }

  @Test
  void machineCodeForWhatItKnowsAndPtxForWhatIsNewer() {
    Nvrtc nvrtc = installed();
    int known = nvrtc.capabilities()[nvrtc.capabilities().length - 1];
    byte[] code = nvrtc.compile(SOURCE, List.of("-DSHIFT=1"), known);
    assertEquals("ELF", new String(code, 1, 3, StandardCharsets.US_ASCII));
    String ptx =
        new String(nvrtc.compile(SOURCE, List.of("-DSHIFT=1"), 999), StandardCharsets.US_ASCII);
    assertTrue(ptx.contains(".target sm_" + known) && ptx.contains(".entry scale"), ptx);
    assertTrue(ptx.endsWith("}\n") || ptx.indexOf('\0') < 0, "no 0 at the end");
  }

  @Test
  void messagesOfTheCompilerAndDevicesThatAreTooOld() {
    Nvrtc nvrtc = installed();
    DriverException wrong =
        assertThrows(
            DriverException.class,
            () -> nvrtc.compile(SOURCE, List.of(), nvrtc.oldestCapability()));
    assertEquals(DriverException.Kind.COMPILATION, wrong.kind());
    assertTrue(wrong.getMessage().contains("SHIFT"), wrong.getMessage());
    DriverException old =
        assertThrows(DriverException.class, () -> nvrtc.compile(SOURCE, List.of(), 10));
    assertTrue(old.getMessage().contains("compute capability 1.0"), old.getMessage());
  }
}
