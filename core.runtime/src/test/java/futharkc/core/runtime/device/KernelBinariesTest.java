package futharkc.core.runtime.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.FutharkError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the search for kernel binaries, and of their cache. */
final class KernelBinariesTest {
  private static final KernelSource SOURCE =
      new KernelSource(
          "text",
          List.of("-O"),
          List.of(),
          List.of(),
          new KernelSource.Portable("portable text", Map.of("B", 256L)));

  @TempDir Path folder;
  private final FakeApi api = new FakeApi();

  private void load(DeviceOptions.Builder options, long b) {
    try (Device device = Device.open(api, options.build())) {
      device.load(SOURCE, Map.of("B", b)).close();
    }
  }

  private DeviceOptions.Builder cached() {
    return new DeviceOptions.Builder().cacheFile(folder.resolve("cache"));
  }

  @Test
  void binariesAreMadeOnce() {
    load(cached(), 256);
    load(cached(), 256);
    assertEquals(1, api.compilations.get());
    assertEquals("binary of text [-O, -DB=256]", api.loads);
  }

  @Test
  void otherMacrosOptionsAndDevicesNeedOthers() {
    load(cached(), 256);
    load(cached(), 128);
    load(cached(), 256);
    load(cached().compilerOption("-x"), 256);
    assertEquals(4, api.compilations.get());
    api.devices = List.of(FakeApi.device("Other", 0, 0));
    load(cached().compilerOption("-x"), 256);
    assertEquals(5, api.compilations.get());
  }

  @Test
  void damagedFilesAreReplaced() throws IOException {
    Path file = folder.resolve("cache");
    load(cached(), 256);
    byte[] good = Files.readAllBytes(file);
    int made = 1;
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 4;
      Files.write(file, bad);
      load(cached(), 256);
      assertEquals(++made, api.compilations.get(), "byte " + i);
      assertArrayEquals(good, Files.readAllBytes(file));
    }
    for (int length : new int[] {0, 1, 19, 20, good.length - 1}) {
      Files.write(file, java.util.Arrays.copyOf(good, length));
      load(cached(), 256);
      assertEquals(++made, api.compilations.get(), "length " + length);
    }
  }

  @Test
  void binariesThatTheDriverDoesNotTakeAreReplaced() {
    load(cached(), 256);
    api.rejectsNext = true;
    load(cached(), 256);
    assertEquals(2, api.compilations.get());
    load(cached(), 256);
    assertEquals(2, api.compilations.get());
  }

  @Test
  void aCacheFileThatCannotBeWrittenIsAnError() {
    DeviceOptions.Builder options =
        new DeviceOptions.Builder().cacheFile(folder.resolve("none").resolve("cache"));
    FutharkError error = assertThrows(FutharkError.class, () -> load(options, 256));
    assertTrue(error.getMessage().contains("Cannot write the cache file"), error.getMessage());
  }

  @Test
  void whatIsNoFileCannotBeTheCache() {
    // The last file is endless.
    for (Path place : List.of(folder, Path.of("/"), Path.of("/dev/full"))) {
      DeviceOptions.Builder options = new DeviceOptions.Builder().cacheFile(place);
      FutharkError error = assertThrows(FutharkError.class, () -> load(options, 256));
      assertEquals(
          "Cannot write the cache file " + place + ": it is not a regular file",
          error.getMessage());
    }
  }

  @Test
  void filesReplaceSourceAndBinary() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "my text");
    load(new DeviceOptions.Builder().caching(false).source(file), 256);
    assertEquals("binary of my text [-O, -DB=256]", api.loads);
    load(new DeviceOptions.Builder().caching(false).binary(file), 256);
    assertEquals("my text", api.loads);
    Files.writeString(file, "bad text");
    FutharkError error =
        assertThrows(
            FutharkError.class,
            () -> load(new DeviceOptions.Builder().caching(false).binary(file), 256));
    assertTrue(error.getMessage().contains("not for this device"), error.getMessage());
    error =
        assertThrows(
            FutharkError.class,
            () -> load(new DeviceOptions.Builder().binary(folder.resolve("none")), 256));
    assertTrue(error.getMessage().contains("Cannot read"), error.getMessage());
    // A missing compiler is unrelated to the file.
    api.hasCompiler = false;
    error =
        assertThrows(
            FutharkError.class,
            () -> load(new DeviceOptions.Builder().caching(false).source(file), 256));
    assertFalse(error.getMessage().contains("not for this device"), error.getMessage());
    assertTrue(error.getMessage().contains("no compiler found"), error.getMessage());
  }

  @Test
  void damagedFilesAreNotGivenToDriversThatDoNotCheckThem() throws IOException {
    api.checksPortable = false;
    byte[] sealed;
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      sealed = device.portable(SOURCE, Map.of());
    }
    Path file = Files.write(folder.resolve("kept"), sealed);
    DeviceOptions.Builder options = new DeviceOptions.Builder().caching(false).binary(file);
    load(options, 256);
    assertEquals("binary of text [-O]", api.loads);
    api.loads = "";
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 4;
      for (byte[] bad : List.of(changed, Arrays.copyOf(sealed, i))) {
        Files.write(file, bad);
        FutharkError error = assertThrows(FutharkError.class, () -> load(options, 256));
        assertTrue(error.getMessage().contains("are damaged"), error.getMessage());
      }
    }
    // The kernel of the same name in another program has other parameters.
    Files.write(file, sealed);
    KernelSource.KernelDeclaration kernel =
        new KernelSource.KernelDeclaration("one", "", new int[] {4, 4}, false);
    KernelSource other = new KernelSource("text", List.of("-O"), List.of(kernel), List.of(), null);
    try (Device device = Device.open(api, options.build())) {
      FutharkError error = assertThrows(FutharkError.class, () -> device.load(other, Map.of()));
      assertTrue(error.getMessage().contains("another program"), error.getMessage());
    }
    assertEquals("", api.loads);
  }

  /**
   * Tests that source and PTX of other programs are rejected by their signatures, while edited
   * files, and files without signature, are accepted.
   */
  @Test
  void sourceAndPtxOfOtherProgramsAreRefused() throws IOException {
    KernelSource.KernelDeclaration kernel =
        new KernelSource.KernelDeclaration("one", "", new int[] {4, 4}, false);
    KernelSource other = new KernelSource("text", List.of("-O"), List.of(kernel), List.of(), null);
    Path source = Files.write(folder.resolve("source"), SOURCE.signed());
    Path ptx;
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      ptx = Files.write(folder.resolve("ptx"), device.portable(SOURCE, Map.of()));
    }
    for (DeviceOptions.Builder options :
        List.of(
            new DeviceOptions.Builder().caching(false).source(source),
            new DeviceOptions.Builder().caching(false).binary(ptx))) {
      api.loads = "";
      try (Device device = Device.open(api, options.build())) {
        FutharkError error = assertThrows(FutharkError.class, () -> device.load(other, Map.of()));
        assertTrue(error.getMessage().contains("another program"), error.getMessage());
        assertEquals("", api.loads);
      }
      load(options, 256);
      assertTrue(api.loads.startsWith("binary of text"), api.loads);
    }
    Files.writeString(source, "edited " + Files.readString(source));
    load(new DeviceOptions.Builder().caching(false).source(source), 256);
    assertTrue(api.loads.startsWith("binary of edited text"), api.loads);
  }

  /** Tests that the signature of PTX is in front of its final zero byte. */
  @Test
  void signaturesComeBeforeTheEndOfText() {
    byte[] text = {'a', 0};
    byte[] signed = KernelChecksum.sign(text, MODULES.kernels());
    assertEquals(-1, new String(signed, StandardCharsets.UTF_8).indexOf(0));
    assertFalse(KernelChecksum.isOfOthers(signed, MODULES.kernels()));
    assertTrue(KernelChecksum.isOfOthers(signed, MODULES.kernels().subList(0, 1)));
  }

  /** A source with common text and two kernels, each in its own module. */
  private static final KernelSource MODULES =
      new KernelSource(
          "common;one;two;",
          List.of(),
          List.of(
              new KernelSource.KernelDeclaration("one", "", new int[] {8}, false, 0),
              new KernelSource.KernelDeclaration("two", "", new int[] {8}, false, 1)),
          List.of(),
          null,
          new KernelSource.Portable("portable", Map.of()),
          List.of(new int[] {0, 7, 7, 11}, new int[] {0, 7, 11, 15}));

  @Test
  void modulesAreCompiledWhenTheirKernelsAreLaunched() {
    api.kernels.put("one", (driver, arguments, threads) -> {});
    api.kernels.put("two", (driver, arguments, threads) -> {});
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      KernelProgram program = device.load(MODULES, Map.of());
      assertEquals(0, api.compilations.get());
      device.launch(program.kernel("two"), 0, 1, 1, 0);
      assertEquals("binary of common;two; []", api.loads);
      device.launch(program.kernel("two"), 0, 1, 1, 0);
      assertEquals(1, api.compilations.get());
      device.launch(program.kernel("one"), 0, 1, 1, 0);
      assertEquals("binary of common;one; []", api.loads);
      program.close();
      assertEquals(2, api.last.calls.stream().filter("unload"::equals).count());
    }
  }

  @Test
  void driversThatKeepWhatTheyCompileAreNotAskedForBinaries() {
    api.keepsCompiled = true;
    api.kernels.put("two", (driver, arguments, threads) -> {});
    load(new DeviceOptions.Builder(), 256);
    assertEquals(1, api.last.calls.stream().filter("compileAndLoad"::equals).count());
    try (Device device = Device.open(api, DeviceOptions.DEFAULT)) {
      KernelProgram program = device.load(MODULES, Map.of());
      device.launch(program.kernel("two"), 0, 1, 1, 0);
      assertEquals("binary of common;two; []", api.loads);
      assertEquals(1, api.last.calls.stream().filter("compileAndLoad"::equals).count());
      program.close();
    }
    load(cached(), 256);
    assertEquals(0, api.last.calls.stream().filter("compileAndLoad"::equals).count());
  }

  @Test
  void modulesThatFollowAreCompiledMeanwhile() throws InterruptedException {
    KernelSource source =
        new KernelSource(
            "abcde",
            List.of(),
            List.of(),
            List.of(),
            null,
            null,
            List.of(new int[] {0, 1}, new int[] {1, 2}, new int[] {2, 3}, new int[] {3, 4}));
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      KernelBinaries binaries = new KernelBinaries(device, source, Map.of());
      ModuleCompilation ahead = new ModuleCompilation(binaries, 4, 2);
      assertEquals("binary of a []", new String(ahead.binary(0), UTF_8));
      for (int i = 0; i < 2000 && api.compilations.get() < 3; i++) {
        Thread.sleep(5);
      }
      assertEquals(3, api.compilations.get());
      assertEquals("binary of c []", new String(ahead.binary(2), UTF_8));
      assertEquals("binary of b []", new String(ahead.binary(1), UTF_8));
      ahead.close();
      assertEquals("binary of d []", new String(ahead.binary(3), UTF_8));
      assertEquals("binary of c []", new String(ahead.binary(2), UTF_8));

      ModuleCompilation failing = new ModuleCompilation(binaries, 4, 3);
      api.compiles = false;
      for (int i = 0; i < 4; i++) {
        int module = i;
        DriverException e = assertThrows(DriverException.class, () -> failing.binary(module));
        assertEquals(DriverException.Kind.COMPILATION, e.kind());
      }
      failing.close();
    }
  }

  @Test
  void modulesThatDoNotCompileAreErrorsOfTheLaunch() {
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      KernelProgram program = device.load(MODULES, Map.of());
      api.compiles = false;
      FutharkError error =
          assertThrows(FutharkError.class, () -> device.launch(program.kernel("one"), 0, 1, 1, 0));
      assertTrue(error.getMessage().contains("do not compile"), error.getMessage());
    }
  }

  @Test
  void filesAndPortableFormsHaveAllModules() {
    try (Device device = Device.open(api, cached().build())) {
      device.load(MODULES, Map.of()).close();
      assertEquals("binary of common;one;two; []", api.loads);
    }
    api.hasCompiler = false;
    api.kernels.put("two", (driver, arguments, threads) -> {});
    try (Device device = Device.open(api, new DeviceOptions.Builder().caching(false).build())) {
      KernelProgram program = device.load(MODULES, Map.of());
      device.launch(program.kernel("two"), 0, 1, 1, 0);
      assertEquals("portable", api.loads);
    }
  }

  @Test
  void sourceThatDoesNotCompileIsAnErrorThatShowsTheCompilersMessages() {
    api.compiles = false;
    FutharkError error = assertThrows(FutharkError.class, () -> load(cached(), 256));
    assertTrue(error.getMessage().contains("do not compile for device Fake"), error.getMessage());
    assertTrue(error.getMessage().contains("line 1: oops"), error.getMessage());
  }

  @Test
  void withoutACompilerThePortableFormDoesIfItsMacrosAreThose() {
    api.hasCompiler = false;
    load(cached(), 256);
    assertEquals("portable text", api.loads);
    FutharkError error =
        assertThrows(
            FutharkError.class, () -> load(new DeviceOptions.Builder().caching(false), 128));
    assertTrue(error.getMessage().contains("no compiler found"), error.getMessage());
    assertTrue(error.getMessage().contains("{B=256}, not for {B=128}"), error.getMessage());
  }

  @Test
  void theLeastUsedFilesGoWhenThereAreTooMany() throws IOException {
    BinaryCache cache = BinaryCache.inFolder(folder, 5000);
    for (int i = 0; i < 4; i++) {
      cache.put(new byte[] {(byte) i}, new byte[1200]);
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          long old = Files.getLastModifiedTime(file).toMillis() - 7_200_000;
          Files.setLastModifiedTime(file, FileTime.fromMillis(old));
        }
      }
    }
    assertNotNull(cache.find(new byte[] {0}), "a look makes it young again");
    cache.put(new byte[] {4}, new byte[1200]);
    assertNotNull(cache.find(new byte[] {0}));
    assertNull(cache.find(new byte[] {1}));
    assertNotNull(cache.find(new byte[] {2}));
  }

  @Test
  void manyWritersAndReadersNeverSeeHalfAFile() throws Exception {
    byte[] key = {1};
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> found = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        byte value = (byte) t;
        found.add(
            threads.submit(
                () -> {
                  start.await();
                  int hits = 0;
                  byte[] mine = new byte[100_000];
                  java.util.Arrays.fill(mine, value);
                  BinaryCache cache = BinaryCache.inFolder(folder);
                  for (int i = 0; i < 50; i++) {
                    cache.put(key, mine);
                    byte[] seen = cache.find(key);
                    assertNotNull(seen);
                    for (byte b : seen) {
                      assertEquals(seen[0], b);
                    }
                    hits++;
                  }
                  return hits;
                }));
      }
      start.countDown();
      for (Future<Integer> f : found) {
        assertEquals(50, f.get());
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count(), "temporary files are gone");
    }
  }
}
