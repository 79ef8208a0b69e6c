package futharkc.cli;

import futharkc.core.runtime.BuildVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** The command {@code futharkc new}. */
final class NewCommand implements Command {
  /** The pattern of names. */
  private static final String WORDS = "[a-z][a-z0-9]*(-[a-z0-9]+)*";

  @Override
  public void describe(CommandSpec spec) {
    spec.usageMessage()
        .description(
            "Makes a Maven project in a new folder NAME: a program with a test in Java, or a pass"
                + " for the compiler with a test.");
    spec.addOption(
        Args.value(
            "PACKAGE", "The Java package of the project (default: com.example).", "--package"));
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .arity("1")
            .required(true)
            .type(String.class)
            .paramLabel("KIND")
            .description("The kind of the project: program or pass.")
            .build());
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("1")
            .arity("1")
            .required(true)
            .type(String.class)
            .paramLabel("NAME")
            .description("The name: words of lower-case letters and digits, with hyphens between.")
            .build());
  }

  @Override
  public int run(ParseResult parsed, @Nullable List<String> inputs, Console console)
      throws IOException {
    List<String> words = Args.words(parsed);
    String kind = words.get(0);
    String name = words.get(1);
    String packageName = Args.get(parsed, "--package", "com.example");
    Path folder = Path.of(name);
    Path file = folder.getFileName();
    String last = file == null ? "" : file.toString();
    if (!last.matches(WORDS)) {
      throw new UsageException(
          "'"
              + last
              + "' is no name of a project: use words of lower-case letters and digits, with"
              + " hyphens between.");
    }
    if (Files.exists(folder)) {
      throw new UsageException("There is a file or folder " + folder + " already.");
    }
    Map<String, String> values = values(last, packageName);
    for (Map.Entry<String, String> e : templates(kind, values).entrySet()) {
      Path made = folder.resolve(e.getKey());
      Files.createDirectories(made.getParent());
      Files.writeString(made, fill(template(e.getValue()), values));
    }
    if (kind.equals("pass")) {
      Path services =
          folder.resolve("src/main/resources/META-INF/services/futharkc.core.ir.spi.Pass");
      Files.createDirectories(services.getParent());
      Files.writeString(services, fill("__package__.__Class__Pass\n", values));
    }
    console.out().println("Made the project " + folder + ". Build and test it with: mvn package");
    return Status.OK;
  }

  /** Returns the values of the placeholders in templates. */
  private static Map<String, String> values(String name, String packageName) {
    StringBuilder className = new StringBuilder();
    for (String word : name.split("-", -1)) {
      className.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
    }
    return Map.of(
        "__name__", name,
        "__word__", name.replace('-', '_'),
        "__Class__", className.toString(),
        "__package__", packageName,
        "__version__", BuildVersion.text());
  }

  /** Returns the names of the templates by the paths of the files that they make. */
  private static Map<String, String> templates(String kind, Map<String, String> values) {
    String java = fill("__package__", values).replace('.', '/') + fill("/__Class__", values);
    Map<String, String> all = new LinkedHashMap<>();
    all.put(".gitignore", "gitignore");
    switch (kind) {
      case "program" -> {
        all.put("pom.xml", "program-pom.xml");
        all.put(fill("src/main/futhark/__name__.fut", values), "program.fut");
        all.put("src/test/java/" + java + "Test.java", "ProgramTest.java.txt");
      }
      case "pass" -> {
        all.put("pom.xml", "pass-pom.xml");
        all.put("src/main/java/" + java + "Pass.java", "Pass.java.txt");
        all.put("src/test/java/" + java + "PassTest.java", "PassTest.java.txt");
      }
      default -> throw new UsageException("A project is a program or a pass, not '" + kind + "'.");
    }
    return all;
  }

  private static String fill(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> v : values.entrySet()) {
      filled = filled.replace(v.getKey(), v.getValue());
    }
    return filled;
  }

  private static String template(String name) throws IOException {
    try (InputStream in = NewCommand.class.getResourceAsStream("templates/" + name)) {
      if (in == null) {
        throw new IOException("the template " + name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
