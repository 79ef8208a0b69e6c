package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.LibraryCompilation;
import futharkc.core.driver.Source;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.embed.LibraryFile;
import futharkc.core.runtime.embed.LoadedProgram;
import futharkc.core.runtime.embed.ProgramSettings;
import futharkc.tests.device.Devices;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of libraries for Java, and of a program outside of the project that uses two of them. */
final class LibraryTest {
  private static final Path SOURCES = Path.of("src/libraries");

  @TempDir private Path folder;

  private Path library(String program, String packageName, String... targets) throws IOException {
    Path jar = folder.resolve(program + ".jar");
    new LibraryCompilation(
            Compiler.create(),
            Source.ofFile(SOURCES.resolve(program + ".fut")),
            CompilerOptions.DEFAULT,
            List.of(targets),
            packageName,
            "1")
        .jar()
        .write(jar);
    return jar;
  }

  private static Path location(Class<?> c) throws Exception {
    return Path.of(c.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /**
   * Compiles and runs the consumer.
   *
   * @param path the modules besides the libraries
   * @return the output
   */
  private String consumer(List<Path> path, String... targets) throws Exception {
    List<Path> modules = new ArrayList<>(path);
    modules.add(library("dot", "com.acme.dot", "multicore"));
    modules.add(library("shapes", "com.acme.shapes", "multicore", "c", "opencl"));
    Path classes = folder.resolve("classes");
    String modulePath =
        modules.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-Xlint:all,-requires-automatic",
                "-Werror",
                "-d",
                classes.toString(),
                "-p",
                modulePath,
                SOURCES.resolve("module-info.java").toString(),
                SOURCES.resolve("consumer/Main.java").toString());
    assertEquals(0, status);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--enable-native-access=futharkc.core.runtime,jocl");
    command.addAll(List.of("-p", modulePath + File.pathSeparator + classes));
    command.addAll(List.of("-m", "consumer/consumer.Main"));
    command.addAll(List.of(targets));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output;
  }

  @Test
  void twoLibrariesRunWithTheRunTimeAlone() throws Exception {
    String output = consumer(List.of(location(FutharkProgram.class)), "multicore", "c");
    assertTrue(output.endsWith("good with [futharkc.core.runtime]\n"), output);
  }

  @Test
  void librariesRunOnDevices() throws Exception {
    org.junit.jupiter.api.Assumptions.assumeTrue(Devices.targets().contains("opencl"));
    List<Path> path = new ArrayList<>(List.of(location(FutharkProgram.class)));
    path.add(location(futharkc.backend.opencl.runtime.OpenClApi.class));
    path.add(location(Class.forName("org.jocl.CL")));
    String output = consumer(path, "opencl");
    assertTrue(
        output.endsWith("good with [futharkc.backend.opencl.runtime, futharkc.core.runtime]\n"),
        output);
  }

  @Test
  void theModuleDependsOnTheRunTimeAlone() throws Exception {
    Path jar = library("dot", "com.acme.dot", "multicore");
    ModuleDescriptor module = ModuleFinder.of(jar).find("com.acme.dot").orElseThrow().descriptor();
    assertEquals(
        Set.of("java.base", "futharkc.core.runtime"),
        module.requires().stream()
            .map(ModuleDescriptor.Requires::name)
            .collect(Collectors.toSet()));
    assertEquals(
        Set.of("com.acme.dot"),
        module.exports().stream()
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet()));
    try (JarFile file = new JarFile(jar.toFile())) {
      assertEquals(
          "com.acme.dot.Dot", file.getManifest().getMainAttributes().getValue("Futhark-Class"));
      String manifest =
          new String(
              file.getInputStream(file.getEntry("META-INF/futhark/com.acme.dot.Dot.json"))
                  .readAllBytes(),
              StandardCharsets.UTF_8);
      assertTrue(manifest.contains("\"documentation\": \"The dot product.\""), manifest);
    }
    try (FileSystem sources =
            FileSystems.newFileSystem(
                URI.create("jar:" + folder.resolve("dot-sources.jar").toUri()), Map.of());
        Stream<Path> files = Files.walk(sources.getPath("/com/acme/dot"))) {
      assertEquals(
          Set.of("Dot.java", "Point.java"),
          files
              .filter(Files::isRegularFile)
              .map(f -> f.getFileName().toString())
              .collect(Collectors.toSet()));
      String text = Files.readString(sources.getPath("/com/acme/dot/Dot.java"));
      assertTrue(text.contains("  /// The dot product.\n  ///\n  /// @param x "), text);
    }
  }

  @Test
  void javadocAcceptsTheSources() throws Exception {
    Path jar = library("shapes", "com.acme.shapes", "multicore");
    Path out = folder.resolve("javadoc");
    java.util.spi.ToolProvider javadoc =
        java.util.spi.ToolProvider.findFirst("javadoc").orElseThrow();
    Path unpacked = folder.resolve("unpacked");
    try (JarFile sources = new JarFile(folder.resolve("shapes-sources.jar").toFile())) {
      for (var entry : java.util.Collections.list(sources.entries())) {
        Path file = unpacked.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, sources.getInputStream(entry).readAllBytes());
      }
    }
    int status =
        javadoc.run(
            System.out,
            System.err,
            "-quiet",
            "-Xdoclint:all,-missing",
            "-Werror",
            "-d",
            out.toString(),
            "-cp",
            location(FutharkProgram.class) + File.pathSeparator + jar,
            "-sourcepath",
            unpacked.toString(),
            "com.acme.shapes");
    assertEquals(0, status);
    String page = Files.readString(out.resolve("com/acme/shapes/Shapes.html"));
    assertTrue(page.contains("Scales an array by <code>a</code>."), page);
    assertTrue(page.contains("@param stands for itself here."), page);
    assertTrue(
        Files.readString(out.resolve("com/acme/shapes/Point.html"))
            .contains("A point with a name."));
  }

  @Test
  void librariesLoadFromTheirBytes() throws Exception {
    byte[] jar = Files.readAllBytes(library("dot", "com.acme.dot", "c", "multicore"));
    LibraryFile file = LibraryFile.of(jar);
    assertEquals("dot", file.program());
    assertEquals(List.of("c", "multicore"), file.targets());
    try (LoadedProgram program = file.load(ProgramSettings.DEFAULT);
        LoadedProgram other = LibraryFile.of(jar).load(ProgramSettings.DEFAULT)) {
      assertEquals(1L, program.call("slow", 2L));
      assertEquals(1L, other.call("slow", 2L));
      assertEquals("c", program.context().program().backend());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> file.load(ProgramSettings.DEFAULT.withTarget("opencl")));
    assertThrows(IOException.class, () -> LibraryFile.of(new byte[4]));
  }

  @Test
  void badPackagesAndTargetsAreRejected() {
    for (String name : List.of("", "com..acme", "com.class", "1a")) {
      assertThrows(IllegalArgumentException.class, () -> library("dot", name, "c"));
    }
    assertThrows(
        UnsupportedOperationException.class, () -> library("dot", "com.acme", "interpreter"));
  }
}
