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
 * The class archive of an executable. The JVM writes the archive and maps it at later starts, which
 * saves the loading and verification of some hundred classes.
 *
 * <p>The first start launches a second process and does not wait for it. The second process only
 * loads the classes; its JVM writes the archive to a temporary file at exit. The process then moves
 * the archive to the user's cache folder, under a name that ends with its checksum. The
 * executable's script checks the checksum and passes the file to later JVMs. These ignore the
 * archive if the executable's size or date, or the JVM version, differ. If the JVM cannot write an
 * archive, the file stays empty, and no further attempt is made.
 */
final class ClassArchive {
  /** The environment variable with the file to write, which the executable's script also uses. */
  private static final String TARGET = "FUTHARKC_ARCHIVE";

  /** The largest number of archives in the cache; each has 4 to 8 MB. */
  private static final int MOST = 32;

  private static final Duration LONG = Duration.ofHours(1);

  /** An upper bound of the time for making an archive on a busy machine. */
  private static final Duration SHORT = Duration.ofMinutes(1);

  private ClassArchive() {}

  /** Tests whether this process only makes an archive. */
  static boolean isBeingMade() {
    return System.getenv(TARGET) != null;
  }

  /**
   * Loads all classes that a start may need. The archive contains the loaded classes at exit, and
   * the generated code of evaluated expressions.
   */
  static void load(FutharkProgram program) {
    if (program instanceof DeviceProgram p) {
      p.api().prepare(1);
      var unused = p.kernels();
      try {
        var unusedDevices = p.api().devices();
      } catch (FutharkError | DriverException e) {
        // Without a driver, a start does not use it.
      }
    }
    var unused = JitWarmUp.run();
    var unusedServer = JitWarmUp.serve();
    try (JarFile jar = new JarFile(executable())) {
      jar.stream().map(JarEntry::getName).forEach(name -> loadClass(program, name));
    } catch (IOException e) {
      // The archive then contains the classes loaded so far.
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
      // A class that cannot be loaded is not needed.
    }
  }

  private static String executable() {
    return System.getProperty("java.class.path", "");
  }

  /**
   * Starts to make the archive of this executable, unless it exists or the machine has too few
   * processors.
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
    // The script cannot pass a file name with these characters to the JVM.
    boolean isNameable =
        folder != null && (folder + executable.toString()).indexOf(File.pathSeparatorChar) < 0;
    if (folder == null || !isNameable || executable.startsWith("/dev/fd")) {
      return;
    }
    try {
      // The JVM has rejected the archive of a copy with another date.
      if (!taken.isEmpty() && modified(Path.of(taken)).compareTo(modified(executable)) >= 0) {
        return;
      }
      if (isUnderWay(folder, name)) {
        return;
      }
      evict(folder, name);
      start(executable, Files.createTempFile(folder, name, ".tmp"), folder.resolve(name));
    } catch (IOException e) {
      // Starts stay slower, but nothing fails.
    }
  }

  /** Tests whether a concurrent start has begun to make the archive. */
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
   * Deletes damaged and outdated archives of this executable, the oldest archives of other
   * executables, and temporary files of killed processes.
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
