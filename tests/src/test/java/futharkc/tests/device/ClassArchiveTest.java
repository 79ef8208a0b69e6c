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

/** Tests of the class archive that executables keep for later starts. The tests need no device. */
final class ClassArchiveTest {
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

  private @Nullable Path archive() throws IOException {
    Path classes = folder.resolve("cache").resolve("classes");
    if (!Files.isDirectory(classes)) {
      return null;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(classes, "*.jsa")) {
      Iterator<Path> found = files.iterator();
      return found.hasNext() ? found.next() : null;
    }
  }

  /** Runs the program, waits for an archive newer than the program, and returns the archive. */
  private Path kept() throws IOException, InterruptedException {
    run(ENOUGH_PROCESSORS, "--server");
    for (int i = 0; i < 600; i++) {
      Path archive = archive();
      if (archive != null
          && Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(program))
              >= 0) {
        return archive;
      }
      Thread.sleep(100);
    }
    throw new AssertionError("no archive was written within 60 s");
  }

  /** Returns the number of the program's own classes that the JVM loaded from an archive. */
  private long fromArchive() throws IOException, InterruptedException {
    Path log = folder.resolve("classes.log");
    run("-Xlog:class+load:file=" + log, "--print-params");
    try (var lines = Files.lines(log)) {
      return lines
          .filter(l -> l.contains("futharkc.core.runtime") && l.contains("shared objects file"))
          .count();
    }
  }

  @Test
  void laterStartsHaveTheClassesFromTheArchive() throws Exception {
    String plain = run("", "--print-params");
    assertEquals(0, fromArchive());
    Path unused = kept();
    assertTrue(fromArchive() > 5);
    assertEquals(plain, run("", "--print-params"));
    // A file with another date is another program for the JVM.
    Files.setLastModifiedTime(program, FileTime.from(Instant.now().plusSeconds(2)));
    assertEquals(0, fromArchive());
    assertEquals(plain, run("", "--print-params"));
    run("-XX:ActiveProcessorCount=2", "--server");
    Thread.sleep(2000);
    assertEquals(0, fromArchive());
    Path unusedToo = kept();
    assertTrue(fromArchive() > 5);
  }

  @Test
  void archivesInUnsafeFoldersAreNotUsed() throws Exception {
    Path unused = kept();
    Path cache = folder.resolve("cache");
    Path classes = cache.resolve("classes");
    assertTrue(fromArchive() > 5);
    for (Path path : List.of(cache, classes)) {
      for (String mode : List.of("rwxrwxrwx", "rwx-w----", "rwx----w-")) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        assertEquals(0, fromArchive(), path + " with the mode " + mode);
      }
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
      assertTrue(fromArchive() > 5);
      Path moved = Files.move(path, folder.resolve("moved"));
      Files.createSymbolicLink(path, moved);
      assertEquals(0, fromArchive(), path + " is a link");
      Files.delete(path);
      Files.move(moved, path);
    }
    Path archive = archive();
    Path moved = Files.move(archive, folder.resolve("archive"));
    Files.createSymbolicLink(archive, moved);
    assertEquals(0, fromArchive(), "the archive is a link");
    Files.delete(archive);
    Files.move(moved, archive);
    assertTrue(fromArchive() > 5);
  }

  @Test
  void archivesOfOtherUsersAreNotUsed() throws Exception {
    assumeTrue(
        (Integer) Files.getAttribute(folder, "unix:uid") == 0,
        "needs the user root, who can make folders of two users");
    Path archive = kept();
    Path classes = archive.getParent();
    for (Path path : List.of(archive, classes, classes.getParent(), folder)) {
      Files.setAttribute(path, "unix:uid", 65_534);
      assertEquals(0, fromArchive(), path + " belongs to another user");
      Files.setAttribute(path, "unix:uid", 0);
      assertTrue(fromArchive() > 5);
    }
  }

  @Test
  void untilTheDeviceIsBeingOpenedEveryClassIsFromAnArchive() throws Exception {
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
  void onlyOneOfManyProcessesMakesTheArchive() throws Exception {
    Path archive = kept();
    Files.delete(archive);
    String name = archive.getFileName().toString();
    Path begun = archive.resolveSibling(name.substring(0, name.lastIndexOf('-')) + "1.tmp");
    Files.createFile(begun);
    run(ENOUGH_PROCESSORS, "--server");
    try (DirectoryStream<Path> files = Files.newDirectoryStream(archive.getParent())) {
      files.forEach(file -> assertEquals(begun, file));
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
    Path archive = kept();
    byte[] good = Files.readAllBytes(archive);
    Random random = new Random(1);
    for (int i = 0; i < 12; i++) {
      byte[] bad = good.clone();
      if (i % 3 == 2) {
        bad = Arrays.copyOf(bad, random.nextInt(bad.length));
      } else {
        bad[random.nextInt(i % 3 == 0 ? 1000 : bad.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(archive, bad);
      assertEquals(plain, run("", "--print-params"), "damaged in way " + i);
    }
    assertEquals(0, fromArchive());
    // The next start writes a new archive.
    Path unused = kept();
    assertTrue(fromArchive() > 5);
  }
}
