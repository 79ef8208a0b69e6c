package futharkc.cli;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.LibraryCompilation;
import futharkc.core.driver.ProgramFiles;
import futharkc.core.driver.Source;
import futharkc.core.runtime.BuildVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc library}. */
final class LibraryCommand implements Command {
  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Compiles a program to a library for Java: a jar with a class that has a method for"
                + " each entry point. Also writes NAME-sources.jar for editors. See"
                + " docs/guide/libraries.md.");
    spec.addOption(Args.value("PACKAGE", "The Java package of the class (required).", "--package"));
    spec.addOption(
        Args.value(
            "LIST",
            "The targets of the library, the preferred target first: multicore (default), c,"
                + " opencl and cuda, separated by commas.",
            "--target"));
    spec.addOption(
        Args.value(
            "FILE",
            "The jar to write (default: the program's name with the extension .jar).",
            "-o",
            "--output"));
    spec.addOption(
        Args.value(
            "FOLDER",
            "Write no jar, but folders 'sources' and 'resources' for a build that compiles the"
                + " sources itself, and the names of the program's files in the file 'files'.",
            "--unpack"));
    CompilerArgs.describe(spec);
    spec.addPositional(Args.file("PROGRAM.fut", "The program."));
  }

  @Override
  public boolean printsJson(ParseResult parsed) {
    return Args.has(parsed, "--json");
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    String packageName = Args.get(parsed, "--package");
    if (packageName == null) {
      throw new UsageException("Name the Java package of the class with --package PACKAGE.");
    }
    if (Args.has(parsed, "--stop-after")) {
      throw new UsageException("A library needs all passes: --stop-after does not apply.");
    }
    Source source = CompilerArgs.source(parsed, console);
    Compiler compiler = CompilerArgs.compiler(parsed, console);
    CompilerOptions options = CompilerArgs.options(parsed, console);
    List<String> targets = List.of(Args.get(parsed, "--target", "multicore").split(",", -1));
    LibraryCompilation library;
    try {
      library =
          new LibraryCompilation(
              compiler, source, options, targets, packageName, BuildVersion.text());
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw new UsageException("The library cannot be made: " + e.getMessage() + ".");
    }
    Compiled first = library.compiled().getFirst();
    if (!CompilerArgs.report(first, source, parsed, console, console.out())) {
      return Status.REJECTED;
    }
    CompilerArgs.times(first, parsed, console);
    String folder = Args.get(parsed, "--unpack");
    if (folder != null) {
      unpack(library, source, Path.of(folder));
      return Status.OK;
    }
    String output = Args.get(parsed, "-o");
    Path file =
        output == null
            ? Path.of(CompileCommand.defaultOutput(Path.of(source.file())) + ".jar")
            : Path.of(output);
    library.jar().write(file);
    return Status.OK;
  }

  private static void unpack(LibraryCompilation library, Source source, Path folder)
      throws IOException {
    Path sources = folder.resolve("sources");
    for (Map.Entry<String, String> file : library.jar().sources().entrySet()) {
      write(sources.resolve(file.getKey()), file.getValue().getBytes(StandardCharsets.UTF_8));
    }
    Path resources = folder.resolve("resources");
    for (Map.Entry<String, byte[]> file : library.jar().resources().entrySet()) {
      write(resources.resolve(file.getKey()), file.getValue());
    }
    String files = String.join("\n", ProgramFiles.parse(source).paths()) + "\n";
    write(folder.resolve("files"), files.getBytes(StandardCharsets.UTF_8));
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }
}
