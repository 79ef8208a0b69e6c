package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.backend.opencl.OpenClBackend;
import futharkc.core.codegen.Backend;
import futharkc.core.ir.text.Parser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the ahead-of-time cache of programs for devices. The tests need no device. */
final class AotCacheTest {
  private static final String ENOUGH_PROCESSORS = "-XX:ActiveProcessorCount=4";

  @TempDir Path folder;
  private Path program = Path.of("");

  @BeforeEach
  void compile() throws IOException {
    program = folder.resolve("program");
    OpenClBackend backend = new OpenClBackend();
    Backend.Target target = backend.targets().getFirst();
    try (InputStream in = getClass().getResourceAsStream("kernels.imp")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      backend
          .compile(Parser.parseImperative("kernels.imp", text), "kernels", target)
          .writeExecutable(program, List.of());
    }
  }

  /**
   * Runs an executable that prints its parameters, or rejects a wrong option, and returns its
   * output.
   */
  private String run(String jvmOptions, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("FUTHARKC_CACHE", folder.resolve("cache").toString());
    builder.environment().put("FUTHARKC_PROGRAM_OPTS", jvmOptions);
    builder.environment().put("FUTHARKC_JAVA", System.getProperty("java.home"));
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  private @Nullable Path made() throws IOException {
    Path classes = folder.resolve("cache").resolve("classes");
    if (!Files.isDirectory(classes)) {
      return null;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(classes, "*.aot")) {
      Iterator<Path> found = files.iterator();
      return found.hasNext() ? found.next() : null;
    }
  }

  /** Runs the program, waits for its cache, and returns the cache. */
  private Path kept() throws IOException, InterruptedException {
    run(ENOUGH_PROCESSORS, "--server");
    for (int i = 0; i < 600; i++) {
      Path file = made();
      if (file != null) {
        return file;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("no cache was written within 60 s");
  }

  /** Returns the number of the program's own classes that the JVM loaded from a cache. */
  private long fromCache() throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    run("-Xlog:class+load:file=" + log, "--print-params");
    try (var lines = Files.lines(log)) {
      return lines
          .filter(l -> l.contains("futharkc.core.runtime") && l.contains("shared objects file"))
          .count();
    }
  }

  @Test
  void laterStartsHaveTheClassesFromTheCache() throws Exception {
    String plain = run("", "--print-params");
    assertEquals(0, fromCache());
    Path unused = kept();
    assertTrue(fromCache() > 5);
    assertEquals(plain, run("", "--print-params"));
    // A copy with another name and date has the same classes.
    Path copy = Files.copy(program, folder.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.setLastModifiedTime(copy, FileTime.from(Instant.now().plusSeconds(2)));
    program = copy;
    assertTrue(fromCache() > 5);
    assertEquals(plain, run("", "--print-params"));
  }

  @Test
  void cachesInUnsafeFoldersAreNotUsed() throws Exception {
    Path unused = kept();
    Path cache = folder.resolve("cache");
    Path classes = cache.resolve("classes");
    assertTrue(fromCache() > 5);
    for (Path path : List.of(cache, classes)) {
      for (String mode : List.of("rwxrwxrwx", "rwx-w----", "rwx----w-")) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        assertEquals(0, fromCache(), path + " with the mode " + mode);
      }
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
      assertTrue(fromCache() > 5);
      Path moved = Files.move(path, folder.resolve("moved"));
      Files.createSymbolicLink(path, moved);
      assertEquals(0, fromCache(), path + " is a link");
      Files.delete(path);
      Files.move(moved, path);
    }
    Path file = made();
    Path moved = Files.move(file, folder.resolve("elsewhere"));
    Files.createSymbolicLink(file, moved);
    assertEquals(0, fromCache(), "the cache is a link");
    Files.delete(file);
    Files.move(moved, file);
    assertTrue(fromCache() > 5);
  }

  @Test
  void cachesOfOtherUsersAreNotUsed() throws Exception {
    assumeTrue(
        (Integer) Files.getAttribute(folder, "unix:uid") == 0,
        "needs the user root, who can make folders of two users");
    Path file = kept();
    Path classes = file.getParent();
    for (Path path : List.of(file, classes, classes.getParent(), folder)) {
      Files.setAttribute(path, "unix:uid", 65_534);
      assertEquals(0, fromCache(), path + " belongs to another user");
      Files.setAttribute(path, "unix:uid", 0);
      assertTrue(fromCache() > 5);
    }
  }

  @Test
  void untilTheDeviceIsBeingOpenedEveryClassIsFromTheCache() throws Exception {
    Path unused = kept();
    Path log = folder.resolve("classes.log");
    run("-Xlog:class+load:file=" + log, "--server");
    List<String> classes = Files.readAllLines(log);
    int opening = 0;
    while (opening < classes.size()
        && !classes.get(opening).contains("executable.AsyncDeviceOpen$Open ")) {
      opening++;
    }
    assertTrue(opening < classes.size(), "no class opens the device");
    assertEquals(
        List.of(),
        classes.subList(0, opening).stream()
            .filter(l -> !l.contains("shared objects file"))
            .toList());
  }

  @Test
  void onlyOneOfManyProcessesMakesTheCache() throws Exception {
    Path file = kept();
    Files.delete(file);
    String name = file.getFileName().toString();
    Path begun = file.resolveSibling(name.substring(0, name.lastIndexOf('-')) + "1.tmp");
    Files.createFile(begun);
    run(ENOUGH_PROCESSORS, "--server");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(file.getParent())) {
      files.forEach(left -> assertEquals(begun, left));
    }
    // The temporary file of a killed process does not block others for long.
    Files.setLastModifiedTime(begun, FileTime.from(Instant.now().minusSeconds(300)));
    Path unused = kept();
  }

  @Test
  void whereNothingCanBeKeptNothingIsLeft() throws Exception {
    Files.writeString(folder.resolve("cache"), "no folder");
    Path passing = Files.createDirectory(folder.resolve("passing"));
    String said = run("-Djava.io.tmpdir=" + passing, "--list-devices");
    assertTrue(!said.contains("Cannot unpack"), said);
    try (DirectoryStream<Path> left = Files.newDirectoryStream(passing)) {
      left.forEach(file -> fail(file + " is left, and said was: " + said));
    }
  }

  @Test
  void whatIsDamagedIsNotTaken() throws Exception {
    String plain = run("", "--print-params");
    Path file = kept();
    byte[] good = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int i = 0; i < 12; i++) {
      byte[] bad = good.clone();
      if (i % 3 == 2) {
        bad = Arrays.copyOf(bad, random.nextInt(bad.length));
      } else {
        bad[random.nextInt(i % 3 == 0 ? 1000 : bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(file, bad);
      assertEquals(plain, run("", "--print-params"), "damaged in way " + i);
    }
    assertEquals(0, fromCache());
    // The next start makes a new cache.
    Path unused = kept();
    assertTrue(fromCache() > 5);
  }
}
