package futharkc.core.codegen.product;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the files to which executables are written. */
final class ExecutableTest {
  @TempDir private Path folder;

  private static void write(Path file) throws IOException {
    Executable.write(
        file, Map.of("A", new byte[] {1}), List.of(Library.RUNTIME), List.of(), "A", "", List.of());
  }

  private String refused(Path file) {
    return String.valueOf(assertThrows(IOException.class, () -> write(file)).getMessage());
  }

  @Test
  void nothingElseIsLeftBehind() throws IOException {
    Path file = Files.writeString(folder.resolve("prog"), "old");
    write(file);
    assertTrue(Files.isExecutable(file));
    assertTrue(refused(folder).contains(folder + ": it is a folder"));
    assertTrue(refused(folder.resolve("none/prog")).contains("there is no folder"));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void linksAreFollowed() throws IOException {
    Path file = Files.writeString(folder.resolve("prog"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    write(link);
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.size(file) > 1000);
  }

  /**
   * Returns the compiler's classes that classes of a library refer to and that the library does not
   * contain.
   */
  private static Set<String> missing(Library library) throws IOException {
    Map<String, byte[]> files = library.files();
    Set<String> missing = new TreeSet<>();
    files.forEach(
        (name, code) -> {
          if (name.endsWith(".class")) {
            for (PoolEntry entry : ClassFile.of().parse(code).constantPool()) {
              if (entry instanceof ClassEntry c && c.asInternalName().startsWith("futharkc/")) {
                missing.add(c.asInternalName() + ".class");
              }
            }
          }
        });
    missing.removeAll(files.keySet());
    return missing;
  }

  @Test
  void programsWithoutKernelsDoWithoutWhatIsForDevices() throws IOException {
    assertEquals(Set.of(), missing(Library.RUNTIME));
    assertEquals(Set.of(), missing(Library.DEVICE_RUNTIME));
    Set<String> more = new TreeSet<>(Library.DEVICE_RUNTIME.files().keySet());
    more.removeAll(Library.RUNTIME.files().keySet());
    assertTrue(more.size() > 50, more::toString);
  }

  /** Tests that a special file is not replaced: a pipe takes the role of a device. */
  @Test
  void whatIsNoOrdinaryFileStays() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    CompletableFuture<byte[]> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readAllBytes(pipe);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    write(pipe);
    assertFalse(Files.isRegularFile(pipe));
    assertTrue(read.get().length > 1000);
  }

  @Test
  void aFullDiskIsReportedWithTheFile() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full));
    assertTrue(refused(full).startsWith("cannot write /dev/full: "));
  }
}
