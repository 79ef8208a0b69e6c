package futharkc.core.runtime.executable;

import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.device.CacheFolder;
import futharkc.core.runtime.device.DeviceProgram;
import futharkc.core.runtime.device.DriverException;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The classes of an executable in the form in which its next starts have them at once: an archive
 * that the JVM itself writes and maps. To find, read and check some hundred classes takes it half
 * of the processor time of a start.
 *
 * <p>The archive is made by a second process, which the first start begins beside the program and
 * does not wait for: that one loads the classes and does nothing else, has its JVM write the
 * archive to a temporary file at its exit, and moves it into the user's cache folder, under a name
 * that ends with its checksum. The executable's script compares that and names the file to later
 * JVMs, which compare the executable's size and date, and their own version, and do without it if
 * anything differs. Where the JVM cannot make one, the file stays empty, and is not made again.
 */
final class ClassArchive {
  /** Names the file to write, for the process that makes an archive; the script knows it, too. */
  private static final String TARGET = "FUTHARKC_ARCHIVE";

  /** Archives, of 4 to 8 MB, that are kept. */
  private static final int MOST = 32;

  private static final Duration LONG = Duration.ofHours(1);

  /** What making one takes at most, on a busy machine. */
  private static final Duration SHORT = Duration.ofMinutes(1);

  private ClassArchive() {}

  /** Whether this process is to make one, and nothing else. */
  static boolean isBeingMade() {
    return System.getenv(TARGET) != null;
  }

  /**
   * Loads whatever a start may need: what is there at the end of the process is archived, and what
   * code has been made for expressions that have been evaluated.
   */
  static void load(FutharkProgram program) {
    if (program instanceof DeviceProgram p) {
      p.api().prepare(1);
      var unused = p.kernels();
      try {
        var unusedDevices = p.api().devices();
      } catch (FutharkError | DriverException e) {
        // Without a driver nothing is started.
      }
    }
    var unused = JitWarmUp.run();
    var unusedServer = JitWarmUp.serve();
    try (JarFile jar = new JarFile(executable())) {
      jar.stream().map(JarEntry::getName).forEach(name -> loadClass(program, name));
    } catch (IOException e) {
      // The others are enough.
    }
  }

  private static void loadClass(FutharkProgram program, String file) {
    if (!file.endsWith(".class")) {
      return;
    }
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      Class.forName(name, false, program.getClass().getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // What cannot be loaded is not needed.
    }
  }

  private static String executable() {
    return System.getProperty("java.class.path", "");
  }

  /**
   * Begins to make the archive of this executable, unless there is one, or there are too few
   * processors for that to be no burden.
   */
  static void begin() {
    String name = System.getProperty("futharkc.classes", "");
    String taken = System.getProperty("futharkc.archive", "");
    Path executable = Path.of(executable());
    if (name.isEmpty()
        || !Files.isExecutable(executable)
        || Runtime.getRuntime().availableProcessors() < AsyncDeviceOpen.PROCESSORS) {
      return;
    }
    Path folder = CacheFolder.find("classes");
    // The script cannot name files with such letters to the JVM.
    boolean isNameable =
        folder != null && (folder + executable.toString()).indexOf(File.pathSeparatorChar) < 0;
    if (folder == null || !isNameable || executable.startsWith("/dev/fd")) {
      return;
    }
    try {
      // Of a copy with another date the JVM has not taken it.
      if (!taken.isEmpty() && modified(Path.of(taken)).compareTo(modified(executable)) >= 0) {
        return;
      }
      if (isUnderWay(folder, name)) {
        return;
      }
      evict(folder, name);
      start(executable, Files.createTempFile(folder, name, ".tmp"), folder.resolve(name));
    } catch (IOException e) {
      // Starts take as long as ever.
    }
  }

  /** Whether another process, that was started at the same time, has begun to make it. */
  private static boolean isUnderWay(Path folder, String name) throws IOException {
    FileTime recent = FileTime.from(Instant.now().minus(SHORT));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, name + "*.tmp")) {
      for (Path file : files) {
        if (modified(file).compareTo(recent) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static void start(Path executable, Path temporary, Path name) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "/bin/sh",
            "-c",
            "\"$1\" && sum=$(cksum < \"$2\") && mv -f \"$2\" \"$3-${sum%% *}.jsa\" || rm -f \"$2\"",
            "sh",
            executable.toAbsolutePath().toString(),
            temporary.toString(),
            name.toString());
    builder.environment().put(TARGET, temporary.toString());
    builder.environment().remove("FUTHARKC_PROGRAM_OPTS");
    builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
    builder.start();
  }

  /**
   * Deletes archives of this executable, which are damaged or of another date, the oldest ones of
   * others, and what processes that were killed have left.
   */
  private static void evict(Path folder, String name) throws IOException {
    List<Path> archives = new ArrayList<>();
    FileTime old = FileTime.from(Instant.now().minus(LONG));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        boolean isArchive = file.toString().endsWith(".jsa");
        if (isArchive && !file.getFileName().toString().startsWith(name)) {
          archives.add(file);
        } else if (isArchive || Files.getLastModifiedTime(file).compareTo(old) < 0) {
          Files.deleteIfExists(file);
        }
      }
    }
    archives.sort(Comparator.comparing(ClassArchive::modified).reversed());
    for (Path archive : archives.subList(Math.min(archives.size(), MOST - 1), archives.size())) {
      Files.deleteIfExists(archive);
    }
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }
}
