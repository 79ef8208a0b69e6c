package futharkc.integration.maven;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The programs of a project: the files directly in a source folder. Files in folders below are for
 * imports.
 */
final class Programs {
  private static final Pattern POSITION =
      Pattern.compile("^(Error|Warning) at (.*):(\\d+):(\\d+)(?:[-:][\\d:-]*)?:(.*)$");

  private final Path source;
  private final Path output;
  private final List<String> options;
  private final Compiler compiler;

  /** A compiler, in a process of its own. */
  interface Compiler {
    /**
     * Runs {@code futharkc} with arguments.
     *
     * @return the exit status and the output
     */
    Result run(List<String> arguments) throws IOException;
  }

  /**
   * The result of a compiler.
   *
   * @param status the exit status, 0 for success
   * @param output the output with the error messages
   */
  record Result(int status, String output) {}

  /**
   * Creates the programs of a source folder.
   *
   * @param source the folder with the programs
   * @param output the folder for the output of all programs
   * @param options the options of {@code futharkc library} for all programs
   */
  Programs(Path source, Path output, List<String> options, Compiler compiler) {
    this.source = source;
    this.output = output;
    this.options = List.copyOf(options);
    this.compiler = compiler;
  }

  /** Returns the program files, sorted by name. */
  List<Path> files() throws IOException {
    if (!Files.isDirectory(source)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(source)) {
      return files.filter(f -> f.toString().endsWith(".fut")).sorted().toList();
    }
  }

  /** Returns the name of a program: that of its file without extension. */
  static String name(Path program) {
    String file = program.getFileName().toString();
    return file.substring(0, file.length() - ".fut".length());
  }

  /** Returns the package of a program below a package: its name in lower case. */
  static String packageOf(String parent, Path program) {
    String word = name(program).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
    return parent + "." + (Character.isDigit(word.charAt(0)) ? "_" + word : word);
  }

  /**
   * Compiles the programs whose files or options have changed, and deletes the output of programs
   * that no longer exist.
   *
   * @param parent the package that contains the packages of the programs
   * @param log receives one line for each compilation
   * @param errors receives the messages of the compiler, positions in the form {@code
   *     file:[line,column]}
   * @return the output of all programs; null if a program is wrong
   */
  @org.jspecify.annotations.Nullable
  List<ProgramOutput> compile(String parent, Consumer<String> log, Consumer<String> errors)
      throws IOException {
    List<ProgramOutput> all = new ArrayList<>();
    List<Path> programs = files();
    deleteOthers(programs);
    boolean good = true;
    for (Path program : programs) {
      List<String> arguments = new ArrayList<>(List.of("library"));
      arguments.addAll(options);
      arguments.addAll(List.of("--package", packageOf(parent, program)));
      String key = String.join(" ", arguments);
      ProgramOutput made = new ProgramOutput(output.resolve(name(program)));
      all.add(made);
      if (made.isCurrent(program, key)) {
        continue;
      }
      log.accept("Compiling " + program);
      made.delete();
      arguments.addAll(List.of("--unpack", made.folder().toString(), program.toString()));
      Result result = compiler.run(arguments);
      result.output().lines().map(Programs::withPosition).forEach(errors);
      if (result.status() == 0) {
        made.recordInput(key);
      } else {
        good = false;
      }
    }
    return good ? all : null;
  }

  private void deleteOthers(List<Path> programs) throws IOException {
    if (!Files.isDirectory(output)) {
      return;
    }
    List<String> names = programs.stream().map(Programs::name).toList();
    List<Path> folders;
    try (Stream<Path> found = Files.list(output)) {
      folders = found.filter(f -> !names.contains(f.getFileName().toString())).toList();
    }
    for (Path folder : folders) {
      new ProgramOutput(folder).delete();
    }
  }

  /** Writes the position of a message as editors expect from Maven plugins. */
  static String withPosition(String line) {
    Matcher m = POSITION.matcher(line);
    return m.matches()
        ? m.group(2) + ":[" + m.group(3) + "," + m.group(4) + "] " + m.group(1) + m.group(5)
        : line;
  }

  /** Reads the output of a process as text. */
  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
