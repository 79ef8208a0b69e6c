package futharkc.core.runtime.executable;

import futharkc.core.runtime.CacheFolder;
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
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ahead-of-time cache of an executable. It contains loaded and linked classes, and the profiles
 * of a training run, with which the JVM's compilers optimise code at its first use (JEP 483, 514,
 * 515).
 *
 * <p>After a run, a second process trains and is not waited for. Its JVM writes the cache to a
 * temporary file at exit. The process then moves the file to the user's cache folder, under a name
 * that begins with the checksum of the executable's classes and ends with a checksum of both. The
 * executable's script checks them and passes the file to later JVMs. The JVM itself does not check
 * that a cache belongs to a program. Where training fails, the file stays empty, and the next
 * attempt is made a day later.
 */
final class AotCache {
  /** The environment variable with the file to write, which the executable's script also uses. */
  private static final String TARGET = "FUTHARKC_AOT_CACHE";

  /** The largest number of caches in the folder; each has 5 to 15 MB. */
  private static final int MOST = 32;

  private static final Duration LONG = Duration.ofHours(1);

  /** The time after which failed training is attempted again. */
  private static final Duration RETRY = Duration.ofDays(1);

  /** An upper bound of the time for making a cache on a busy machine. */
  private static final Duration SHORT = Duration.ofMinutes(1);

  /**
   * Runs $1 with the arguments from $5 on. The file $2, which its JVM writes, becomes $3-SUM.aot;
   * SUM is a checksum of the text $4 and the file. After a failure, the file is empty. All this
   * happens in the background: a JVM with a running child process exits 0.3 s later.
   */
  private static final String TRAIN =
      """
      program=$1 cache=$2 name=$3 classes=$4
      shift 4
      exec 3<&0
      {
        nice "$program" "$@" || : > "$cache"
        sum=$({ printf %s "$classes"; cat "$cache"; } | cksum) && mv -f "$cache" "$name-${sum%% *}.aot" || rm -f "$cache"
      } <&3 3<&- &
      """;

  private AotCache() {}

  /** Tests whether this process only trains. */
  static boolean isBeingMade() {
    return System.getenv(TARGET) != null;
  }

  /**
   * Starts a training run of this executable, unless its cache exists or the machine has too few
   * processors.
   *
   * @param processors the number of processors that suffice for other work beside the training run
   * @param arguments the command line of the training run
   * @param input the input of the training run; null if it is not known
   */
  static void train(int processors, String[] arguments, @Nullable RepeatableInput input) {
    String classes = System.getProperty("futharkc.classes", "");
    Path executable = Path.of(System.getProperty("java.class.path", ""));
    if (classes.isEmpty()
        || isMade(System.getProperty("futharkc.cache", ""))
        || !Files.isExecutable(executable)
        || Runtime.getRuntime().availableProcessors() < processors) {
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
      if (isUnderWay(folder, classes)) {
        return;
      }
      evict(folder, classes);
      Path read = input == null ? Path.of("/dev/null") : input.file(folder);
      if (read == null) {
        return;
      }
      start(executable, folder, classes, arguments, read);
      if (input != null) {
        input.discard(read);
      }
    } catch (IOException e) {
      // Starts stay slower, but nothing fails.
    }
  }

  /** Tests whether a file of the cache is valid, or records a recent failure. */
  private static boolean isMade(String file) {
    FileTime recent = FileTime.from(Instant.now().minus(RETRY));
    Path path = Path.of(file);
    try {
      return !file.isEmpty() && (Files.size(path) > 0 || modified(path).compareTo(recent) > 0);
    } catch (IOException e) {
      return false;
    }
  }

  /** Tests whether a concurrent process has begun to make the cache. */
  private static boolean isUnderWay(Path folder, String classes) throws IOException {
    FileTime recent = FileTime.from(Instant.now().minus(SHORT));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, classes + "*.tmp")) {
      for (Path file : files) {
        if (modified(file).compareTo(recent) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static void start(
      Path executable, Path folder, String classes, String[] arguments, Path input)
      throws IOException {
    String temporary = Files.createTempFile(folder, classes, ".tmp").toString();
    String name = folder.resolve(classes).toString();
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", TRAIN, "sh"));
    command.addAll(List.of(executable.toAbsolutePath().toString(), temporary, name, classes));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(TARGET, temporary);
    builder.environment().remove("FUTHARKC_PROGRAM_OPTS");
    builder.redirectInput(input.toFile());
    builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
    Process started = builder.start();
    try {
      started.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Deletes damaged caches of this executable, the oldest caches of other executables, and
   * temporary files of killed processes.
   */
  private static void evict(Path folder, String classes) throws IOException {
    List<Path> caches = new ArrayList<>();
    FileTime old = FileTime.from(Instant.now().minus(LONG));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        boolean isCache = file.toString().endsWith(".aot");
        if (isCache && !file.getFileName().toString().startsWith(classes)) {
          caches.add(file);
        } else if (isCache || modified(file).compareTo(old) < 0) {
          Files.deleteIfExists(file);
        }
      }
    }
    caches.sort(Comparator.comparing(AotCache::modified).reversed());
    for (Path cache : caches.subList(Math.min(caches.size(), MOST - 1), caches.size())) {
      Files.deleteIfExists(cache);
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
