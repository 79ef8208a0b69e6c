package futharkc.tests;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A builder of plugin jars that compiles against the module path, as an external author does. */
final class PluginJar {
  private PluginJar() {}

  /** Compiles the sources in a folder into a jar in another folder. */
  static void ofFolder(Path sources, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      compile(files.filter(f -> f.toString().endsWith(".java")).toList(), jar);
    }
  }

  /** Compiles sources, given as text by path, into a jar. */
  static void ofTexts(Map<String, String> sources, Path jar) throws IOException {
    Path folder = Files.createTempDirectory("plugin-sources");
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve(source.getKey());
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, source.getValue()));
    }
    compile(files, jar);
  }

  /** Compiles a class of the class path, without a module, into a jar. */
  static void ofClassPath(Path source, Path jar) throws IOException {
    compile(
        List.of(source), jar, List.of("futharkc.core.driver", "futharkc.integration.partitions"));
  }

  /** Compiles a module of the project, with the annotations that the project compiles with. */
  static void ofModule(Path sources, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> java = files.filter(f -> f.toString().endsWith(".java")).toList();
      compile(java, jar, List.of(), System.getProperty("jdk.module.path"));
    }
  }

  /**
   * Returns the module path without the annotations of the build, which are not in the distributed
   * jars.
   */
  private static String modulePath() {
    return Arrays.stream(System.getProperty("jdk.module.path").split(File.pathSeparator))
        .filter(p -> !Path.of(p).getFileName().toString().startsWith("jspecify"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void compile(List<Path> sources, Path jar) throws IOException {
    compile(sources, jar, List.of());
  }

  private static void compile(List<Path> sources, Path jar, List<String> modules)
      throws IOException {
    compile(sources, jar, modules, modulePath());
  }

  private static void compile(List<Path> sources, Path jar, List<String> modules, String modulePath)
      throws IOException {
    Path classes = Files.createTempDirectory("plugin-classes");
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-d", classes.toString(), "--module-path", modulePath);
      JavaCompiler.CompilationTask task =
          javac.getTask(
              messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources));
      task.addModules(modules);
      if (!task.call()) {
        throw new IllegalArgumentException(messages.toString());
      }
    }
    Files.createDirectories(jar.getParent());
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      files
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(
              file -> {
                try {
                  entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                  entries.write(Files.readAllBytes(file));
                  entries.closeEntry();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
