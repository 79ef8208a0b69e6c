package futharkc.integration.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.inject.Inject;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Resource;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the Futhark programs in {@code src/main/futhark} to Java classes with a method for each
 * entry point. A program is compiled again only if its files or the options have changed.
 *
 * <p>Each program has a package of its own, which is named after the program, below {@code
 * packageName}. The project needs {@code core.runtime} as a dependency.
 */
@NullUnmarked
@Mojo(name = "compile", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class CompileMojo extends AbstractMojo {
  private static final int JAVA = 25;

  @Parameter(defaultValue = "${project}", readonly = true)
  private MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true)
  private MavenSession session;

  @Parameter(defaultValue = "${plugin.artifacts}", readonly = true)
  private List<Artifact> artifacts;

  private final ToolchainManager toolchains;

  /** The folder with the programs. Files in folders below are for imports. */
  @Parameter(defaultValue = "${project.basedir}/src/main/futhark")
  private File sourceDirectory;

  /** The folder for generated sources and resources. */
  @Parameter(defaultValue = "${project.build.directory}/generated-sources/futhark")
  private File outputDirectory;

  /** The package that contains the packages of the programs. */
  @Parameter(property = "futhark.package", defaultValue = "${project.groupId}")
  private String packageName;

  /** The targets, the preferred first: multicore, c, opencl, cuda. */
  @Parameter(property = "futhark.targets", defaultValue = "multicore")
  private List<String> targets;

  /** Further options of {@code futharkc library}, such as {@code --Werror}. */
  @Parameter private List<String> options;

  /** Creates the goal; called by Maven. */
  @Inject
  public CompileMojo(ToolchainManager toolchains) {
    this.toolchains = toolchains;
  }

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    List<String> all = new ArrayList<>(List.of("--target", String.join(",", targets)));
    all.addAll(Objects.requireNonNullElse(options, List.of()));
    Programs programs =
        new Programs(
            sourceDirectory.toPath().toAbsolutePath(),
            outputDirectory.toPath().toAbsolutePath(),
            all,
            this::run);
    List<ProgramOutput> made;
    try {
      made = programs.compile(packageName, getLog()::info, line -> getLog().error(line));
    } catch (IOException e) {
      throw new MojoExecutionException("The compiler could not be run: " + e.getMessage(), e);
    }
    if (made == null) {
      throw new MojoFailureException("A Futhark program has errors, listed above.");
    }
    for (ProgramOutput output : made) {
      project.addCompileSourceRoot(output.sources().toString());
      Resource resource = new Resource();
      resource.setDirectory(output.resources().toString());
      project.addResource(resource);
    }
  }

  private Programs.Result run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss256m", "-cp"));
    command.add(
        artifacts.stream()
            .filter(a -> a.getFile() != null && a.getFile().getName().endsWith(".jar"))
            .map(a -> a.getFile().toString())
            .collect(Collectors.joining(File.pathSeparator)));
    command.add("futharkc.cli.Main");
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = Programs.text(process.getInputStream().readAllBytes());
    try {
      return new Programs.Result(process.waitFor(), output);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Returns the Java of a toolchain, of Maven, or of JAVA_HOME, the first that is new enough. */
  private String java() throws IOException {
    List<Toolchain> chains = new ArrayList<>();
    Toolchain selected = toolchains.getToolchainFromBuildContext("jdk", session);
    if (selected != null) {
      chains.add(selected);
    }
    chains.addAll(toolchains.getToolchains(session, "jdk", Map.of("version", "[" + JAVA + ",)")));
    for (Toolchain chain : chains) {
      String java = chain.findTool("java");
      if (java != null && isNewEnough(Path.of(java).toAbsolutePath().getParent().getParent())) {
        return java;
      }
    }
    for (String home : new String[] {System.getProperty("java.home"), System.getenv("JAVA_HOME")}) {
      if (home != null && isNewEnough(Path.of(home))) {
        return Path.of(home, "bin", "java").toString();
      }
    }
    throw new IOException(
        "the Futhark compiler needs a JDK "
            + JAVA
            + ": run Maven with one, or select one with the Maven toolchains plugin");
  }

  private static boolean isNewEnough(@Nullable Path home) throws IOException {
    if (home == null || !Files.isRegularFile(home.resolve("release"))) {
      return false;
    }
    for (String line : Files.readAllLines(home.resolve("release"))) {
      if (line.startsWith("JAVA_VERSION=\"")) {
        String version = line.substring("JAVA_VERSION=\"".length()).split("[^0-9]", 2)[0];
        return !version.isEmpty() && Integer.parseInt(version) >= JAVA;
      }
    }
    return false;
  }
}
