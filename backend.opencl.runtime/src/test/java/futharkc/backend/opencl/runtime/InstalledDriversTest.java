package futharkc.backend.opencl.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InstalledDriversTest {
  @TempDir private Path folder;

  @Test
  void missingRegistrationsAreNamed() {
    Path none = folder.resolve("none");
    assertEquals(
        "no driver is registered in " + none, new InstalledDrivers(none, Map.of()).whyNoDevice());
  }

  @Test
  void aLibraryThatCannotBeLoadedIsNamed() throws IOException {
    Files.writeString(folder.resolve("a.icd"), "libnone-such.so.7\n");
    String why = new InstalledDrivers(folder, Map.of()).whyNoDevice();
    assertTrue(why.contains("a.icd: the library libnone-such.so.7 cannot be loaded"), why);
  }

  @Test
  void aCacheOfPoclThatCannotBeWrittenIsNamed() throws IOException {
    // Any library that can be loaded and whose name contains that of PoCL.
    Path library = folder.resolve("libpocl-test.so");
    Files.createSymbolicLink(
        library, Path.of(System.getProperty("java.home"), "lib", "libjava.so").toRealPath());
    Files.writeString(folder.resolve("pocl.icd"), library + "\n");
    Path file = Files.createFile(folder.resolve("file"));
    String why = new InstalledDrivers(folder, Map.of("HOME", file.toString())).whyNoDevice();
    assertTrue(why.contains("PoCL cannot write to its cache " + file), why);
    Path home = Files.createDirectory(folder.resolve("home"));
    why = new InstalledDrivers(folder, Map.of("HOME", home.toString())).whyNoDevice();
    assertTrue(why.contains("the driver reports no device"), why);
    why =
        new InstalledDrivers(folder, Map.of("HOME", home + "", "POCL_CACHE_DIR", file + "/x"))
            .whyNoDevice();
    assertTrue(why.contains("its cache " + file + "/x"), why);
  }
}
