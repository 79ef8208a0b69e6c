package futharkc.core.codegen.product;

import futharkc.core.codegen.Backend;
import futharkc.core.codegen.java.JavaEmitter;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.VectorChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A compiled program in Java. The JDK's compiler makes its classes in this process when they are
 * needed.
 */
public final class JavaProduct implements Backend.Product {
  /**
   * JVM options that lower the thresholds of the first JIT compiler. The host code of a device
   * program mostly launches kernels; with the default thresholds, the JVM would interpret it for
   * hundreds of calls.
   */
  private static final List<String> DEVICE_JVM_OPTIONS =
      List.of(
          "-XX:Tier3InvocationThreshold=30",
          "-XX:Tier3MinInvocationThreshold=3",
          "-XX:Tier3CompileThreshold=100",
          "-XX:Tier3BackEdgeThreshold=1000",
          "-XX:Tier4InvocationThreshold=300",
          "-XX:Tier4MinInvocationThreshold=10",
          "-XX:Tier4CompileThreshold=1000",
          "-XX:Tier4BackEdgeThreshold=4000");

  /**
   * JVM options for programs with vector code. The run time loads the module of vector classes;
   * with {@code --add-modules}, the JVM would print a warning.
   */
  private static final List<String> VECTOR_JVM_OPTIONS =
      List.of(
          "-XX:+UnlockExperimentalVMOptions",
          "-XX:+EnableVectorSupport",
          "--add-exports=java.base/jdk.internal.module=ALL-UNNAMED",
          "-D" + VectorChoice.PROPERTY + "=true");

  /** The main class of the jar, which {@code java -jar} starts. */
  private static final String DESCRIPTION = JavaEmitter.PACKAGE + ".FutharkDescription";

  /** The class that starts executables without a device. */
  private static final String HOST_START = "ExecutableMain";

  private static final String MAIN = JavaEmitter.PACKAGE + ".FutharkExecutable";

  private final String source;
  private final List<Backend.Source> sources;
  private final List<Library> libraries;
  private final Supplier<Map<String, byte[]>> resources;
  private final String start;
  private final List<String> jvmOptions;
  private final @Nullable String api;

  /**
   * Creates a product.
   *
   * @param source a compilation unit of {@link JavaEmitter}
   * @param others further sources to show to users, whose content is part of the Java source
   * @param libraries the libraries that the program needs besides the run-time library
   */
  public JavaProduct(String source, List<Backend.Source> others, List<Library> libraries) {
    this(
        source,
        others,
        Library.RUNTIME,
        HOST_START,
        JavaEmitter.usesVectors(source) ? VECTOR_JVM_OPTIONS : List.of(),
        libraries,
        Map::of,
        null);
  }

  /**
   * Creates a product with kernels, whose executables contain {@code resources} next to their
   * classes.
   *
   * @param api the name of the class of the device interface
   */
  static JavaProduct onDevice(
      String source,
      Backend.Source kernels,
      List<Library> libraries,
      Supplier<Map<String, byte[]>> resources,
      String api) {
    return new JavaProduct(
        source,
        List.of(kernels),
        Library.DEVICE_RUNTIME,
        "DeviceMain",
        DEVICE_JVM_OPTIONS,
        libraries,
        resources,
        api);
  }

  /**
   * Creates a product.
   *
   * @param start the class that executables start
   * @param resources makes the files that executables contain next to the program's classes, by
   *     name
   * @param api the name of the class of the device interface; null for programs without kernels
   */
  private JavaProduct(
      String source,
      List<Backend.Source> others,
      Library runtime,
      String start,
      List<String> jvmOptions,
      List<Library> libraries,
      Supplier<Map<String, byte[]>> resources,
      @Nullable String api) {
    this.api = api;
    this.start = start;
    this.jvmOptions = jvmOptions;
    this.resources = resources;
    this.source = source;
    this.sources = new ArrayList<>(others);
    this.sources.addFirst(new Backend.Source(JavaEmitter.PROGRAM + ".java", source));
    this.libraries = new ArrayList<>(libraries);
    this.libraries.addFirst(runtime);
  }

  @Override
  public List<Backend.Source> sources() {
    return List.copyOf(sources);
  }

  @Override
  public void writeExecutable(Path file, List<String> options) throws IOException {
    String main =
        source
            + "final class FutharkExecutable {\n"
            + "  public static void main(String[] args) {\n"
            + "    futharkc.core.runtime.executable."
            + start
            + ".main(new FutharkMain(), args);\n"
            + "  }\n"
            + "}\n"
            + "final class FutharkDescription {\n"
            + "  public static void main(String[] args) {\n"
            + "    futharkc.core.runtime.executable.Description.main(new FutharkMain());\n"
            + "  }\n"
            + "}\n";
    CompletableFuture<Map<String, byte[]>> made = CompletableFuture.supplyAsync(resources);
    Map<String, byte[]> entries = new TreeMap<>();
    JavaCompilation.compile(main, libraries)
        .forEach((name, code) -> entries.put(name.replace('.', '/') + ".class", code));
    String folder = JavaEmitter.PACKAGE.replace('.', '/') + "/";
    made.join().forEach((name, contents) -> entries.put(folder + name, contents));
    entries.put(
        "META-INF/MANIFEST.MF",
        ("Manifest-Version: 1.0\r\nMain-Class: " + DESCRIPTION + "\r\n\r\n")
            .getBytes(StandardCharsets.UTF_8));
    String entry = start.equals(HOST_START) ? "main" : "";
    Executable.write(file, entries, libraries, jvmOptions, MAIN, entry, options);
  }

  @Override
  public Backend.ProgramClasses classes(String packageName) {
    CompletableFuture<Map<String, byte[]>> made = CompletableFuture.supplyAsync(resources);
    Map<String, byte[]> files = new TreeMap<>();
    JavaCompilation.compile(JavaEmitter.inLibrary(source, packageName, api), libraries)
        .forEach((name, code) -> files.put(name.replace('.', '/') + ".class", code));
    String folder = packageName.replace('.', '/') + "/";
    made.join().forEach((name, contents) -> files.put(folder + name, contents));
    return new Backend.ProgramClasses(packageName + "." + JavaEmitter.PROGRAM, files);
  }

  @Override
  public FutharkProgram load() {
    return GeneratedLoader.load(
        JavaCompilation.compile(source, libraries),
        JavaEmitter.PACKAGE + "." + JavaEmitter.PROGRAM,
        libraries.getLast().member().getClassLoader());
  }
}
