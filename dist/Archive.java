import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Assembles the folder of the archive: the compiler's jars, a Java with the needed modules, the
 * launcher, manual pages and completions.
 *
 * <p>The build runs this tool from source. Usage: {@code Archive DIST MODULES FOLDER}, where DIST
 * is the folder of this file and MODULES has the jars. It exits with an exception if a file cannot
 * be written.
 */
public final class Archive {
  /** Modules that automatic modules need, and that programs load by name. */
  private static final Set<String> FURTHER =
      Set.of("java.logging", "jdk.compiler", "jdk.unsupported", "jdk.zipfs");

  private final Path dist;
  private final Path modules;
  private final Path folder;

  private Archive(Path dist, Path modules, Path folder) {
    this.dist = dist;
    this.modules = modules;
    this.folder = folder;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    String name = "futharkc-" + args[3] + "-" + platform();
    Path target = Path.of(args[2]);
    new Archive(Path.of(args[0]), Path.of(args[1]), target.resolve(name)).write();
    pack(target, name);
  }

  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch");
    return (system.startsWith("mac") ? "macos" : system)
        + "-"
        + (processor.equals("amd64") || processor.equals("x86_64") ? "x64" : processor);
  }

  /** Packs a folder. All files belong to root. */
  private static void pack(Path target, String name) throws IOException, InterruptedException {
    Process version = new ProcessBuilder("tar", "--version").start();
    boolean gnu = new String(version.getInputStream().readAllBytes()).contains("GNU");
    List<String> owner =
        gnu ? List.of("--owner=0", "--group=0") : List.of("--uid", "0", "--gid", "0");
    List<String> command = new ArrayList<>(List.of("tar", "-c", "-f", "-"));
    command.addAll(owner);
    command.addAll(List.of("-C", target.toString(), name));
    Process tar =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Path archive = target.resolve(name + ".tar.gz");
    try (InputStream in = tar.getInputStream();
        OutputStream out = new Compressed(Files.newOutputStream(archive))) {
      in.transferTo(out);
    }
    if (tar.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }

  /** A stream that compresses as much as possible. */
  private static final class Compressed extends GZIPOutputStream {
    Compressed(OutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }

  private void write() throws IOException, InterruptedException {
    delete(folder);
    Path lib = Files.createDirectories(folder.resolve("lib"));
    copyModules(lib.resolve("modules"));
    Path runtime = lib.resolve("runtime");
    link(runtime);
    copy(dist.resolve("archive/futharkc"), folder.resolve("bin/futharkc"));
    copy(dist.resolve("archive/install.sh"), folder.resolve("install.sh"));
    copy(dist.resolve("archive/README.md"), folder.resolve("README.md"));
    copy(dist.resolve("../LICENSE"), folder.resolve("LICENSE"));
    for (String file : List.of("launch.sh", "find-jdk.sh", "train.fut")) {
      copy(dist.resolve(file), lib.resolve(file));
    }
    String java = runtime.resolve("bin/java").toString();
    // Fast type switches, and the archive of the library's classes that jlink leaves out.
    run(java, "-XX:+UseSerialGC", dist.resolve("Link.java").toString(), lib + "/modules");
    setTimes(lib.resolve("modules"));
    run(java, "-Xshare:dump", "-Xlog:disable");
    String files = "futharkc.cli/futharkc.cli.CommandFiles";
    run(java, "-p", lib + "/modules", "-m", files, folder.resolve("share").toString());
  }

  private void copyModules(Path target) throws IOException {
    Files.createDirectories(target);
    try (Stream<Path> jars = Files.list(modules)) {
      for (Path jar : jars.filter(p -> p.toString().endsWith(".jar")).toList()) {
        Files.copy(jar, target.resolve(jar.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /**
   * Sets the times of modules, which start-up archives record, to the time that the build file
   * gives all outputs. A container image sets the same time.
   */
  private static void setTimes(Path modules) throws IOException {
    try (Stream<Path> jars = Files.list(modules)) {
      for (Path jar : jars.toList()) {
        Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
      }
    }
  }

  /** Links a Java with the modules that the compiler's modules require. */
  private void link(Path runtime) {
    Set<String> system = new TreeSet<>();
    for (ModuleReference m : ModuleFinder.ofSystem().findAll()) {
      system.add(m.descriptor().name());
    }
    Set<String> needed = new TreeSet<>(FURTHER);
    for (ModuleReference m : ModuleFinder.of(modules).findAll()) {
      m.descriptor().requires().stream()
          .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
          .map(ModuleDescriptor.Requires::name)
          .filter(system::contains)
          .forEach(needed::add);
    }
    StringWriter output = new StringWriter();
    PrintWriter printer = new PrintWriter(output);
    int status =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                printer,
                printer,
                "--add-modules",
                String.join(",", needed),
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                // The signatures of older Java libraries, which the compiler never asks for.
                "--exclude-files=/jdk.compiler/lib/ct.sym",
                // The archive compresses all files once more.
                "--compress=zip-0",
                "--output",
                runtime.toString());
    if (status != 0) {
      throw new IllegalStateException("jlink failed: " + output);
    }
  }

  private static void run(String... command) throws IOException, InterruptedException {
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to);
    boolean executable = Files.isExecutable(from);
    Files.setPosixFilePermissions(
        to, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path p : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
