package futharkc.core.codegen.product;

import static java.util.stream.Collectors.joining;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A writer of executables: a file that is a shell script followed by a jar. The script starts Java
 * with the file itself as the jar.
 */
final class Executable {
  private Executable() {}

  /**
   * Writes the file atomically: no other process sees a partial file. A link is followed. If the
   * path names a special file such as a device, the content is written to that file.
   *
   * @param generated the classes and other generated files, by path
   * @param libraries the libraries that the executable contains
   * @param jvmOptions the options for the JVM, words without blanks
   * @param main the name of the main class
   * @param entry the entry point of runs without a choice, if calls of entry points train the
   *     ahead-of-time cache; empty if starts do
   * @param options the program options that precede the arguments of each run
   * @throws IOException if the file cannot be written
   */
  static void write(
      Path file,
      Map<String, byte[]> generated,
      List<Library> libraries,
      List<String> jvmOptions,
      String main,
      String entry,
      List<String> options)
      throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    for (Library library : libraries) {
      entries.putAll(library.files());
    }
    entries.putAll(generated);
    String stub = stub(jvmOptions, main, entry, options, checksum(entries));
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path folder = target.getParent();
    if (folder == null || Files.isDirectory(target)) {
      throw new IOException("cannot write " + file + ": it is a folder");
    }
    if (!Files.isDirectory(folder)) {
      throw new IOException("cannot write " + file + ": there is no folder " + folder);
    }
    try {
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        print(target, entries, stub);
      } else {
        replace(target, folder, entries, stub);
      }
    } catch (FileSystemException e) {
      String reason = e instanceof AccessDeniedException ? "permission denied" : e.getReason();
      throw new IOException("cannot write " + file + (reason == null ? "" : ": " + reason), e);
    } catch (IOException e) {
      throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static void replace(Path target, Path folder, Map<String, byte[]> entries, String stub)
      throws IOException {
    Path temporary = Files.createTempFile(folder, "." + target.getFileName(), ".tmp");
    Thread interrupted = new Thread(() -> delete(temporary));
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      print(temporary, entries, stub);
      makeExecutable(temporary);
      publish(temporary, target);
    } finally {
      delete(temporary);
      try {
        Runtime.getRuntime().removeShutdownHook(interrupted);
      } catch (IllegalStateException e) {
        // The JVM is ending, and its shutdown hook already runs.
      }
    }
  }

  /** Moves a file to its final name in the same folder, in place of an existing file. */
  static void publish(Path temporary, Path target) throws IOException {
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void delete(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      // The temporary file remains under its own name.
    }
  }

  private static void print(Path file, Map<String, byte[]> entries, String stub)
      throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      out.write(stub.getBytes(StandardCharsets.UTF_8));
      jar(entries, out);
    }
  }

  private static String stub(
      List<String> jvmOptions, String main, String entry, List<String> options, String classes)
      throws IOException {
    try (InputStream in = Executable.class.getResourceAsStream("stub.sh")) {
      if (in == null) {
        throw new IOException("the executables' script is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("'@JAVA_HOME@'", quoted(System.getProperty("java.home")))
          .replace("@JVM@", jvmOptions.stream().map(o -> o + " ").collect(joining()))
          .replace("@MAIN@", main)
          .replace("@ENTRY@", entry)
          .replace("@CLASSES@", classes)
          .replace("@OPTIONS@", options.stream().map(o -> quoted(o) + " ").collect(joining()));
    }
  }

  /** Returns a checksum of the classes, which names the program's ahead-of-time cache. */
  private static String checksum(Map<String, byte[]> entries) {
    CRC32C names = new CRC32C();
    CRC32C contents = new CRC32C();
    entries.forEach(
        (name, content) -> {
          names.update(name.getBytes(StandardCharsets.UTF_8));
          contents.update(content);
        });
    return String.format("%08x%08x", names.getValue(), contents.getValue());
  }

  /** Returns the text as one quoted word of a shell. */
  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** Writes a jar without compression, because classes load faster from it. */
  private static void jar(Map<String, byte[]> entries, OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setMethod(ZipOutputStream.STORED);
    for (Map.Entry<String, byte[]> e : entries.entrySet()) {
      CRC32 crc = new CRC32();
      crc.update(e.getValue());
      ZipEntry entry = new ZipEntry(e.getKey());
      entry.setTime(0);
      entry.setSize(e.getValue().length);
      entry.setCrc(crc.getValue());
      zip.putNextEntry(entry);
      zip.write(e.getValue());
      zip.closeEntry();
    }
    zip.finish();
  }

  private static void makeExecutable(Path file) throws IOException {
    if (Files.getFileAttributeView(file, PosixFileAttributeView.class) == null) {
      return;
    }
    Set<PosixFilePermission> permissions =
        EnumSet.of(
            PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE,
            PosixFilePermission.OWNER_EXECUTE,
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_EXECUTE);
    Files.setPosixFilePermissions(file, permissions);
  }
}
