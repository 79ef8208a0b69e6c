package futharkc.integration.maven;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The folder with the output of one program, and a record of the input from which the output was
 * made: the contents of the program's files and the options.
 */
final class ProgramOutput {
  /** The key of the options. The other keys of the record are paths of files. */
  private static final String OPTIONS = "options";

  private final Path folder;

  ProgramOutput(Path folder) {
    this.folder = folder;
  }

  /** Returns the folder of the Java sources. */
  Path sources() {
    return folder.resolve("sources");
  }

  /** Returns the folder of the resources. */
  Path resources() {
    return folder.resolve("resources");
  }

  /** Returns the folder of the whole output. */
  Path folder() {
    return folder;
  }

  private Path record() {
    return folder.resolve("input.properties");
  }

  /**
   * Tests whether the output was made from the current contents of the program's files, with the
   * same options.
   */
  boolean isCurrent(Path program, String options) throws IOException {
    if (!Files.exists(record())) {
      return false;
    }
    Properties made = new Properties();
    try (InputStream in = Files.newInputStream(record())) {
      made.load(in);
    }
    if (!options.equals(made.remove(OPTIONS)) || !made.containsKey(program.toString())) {
      return false;
    }
    for (String file : made.stringPropertyNames()) {
      Path path = Path.of(file);
      if (!Files.isRegularFile(path) || !hash(path).equals(made.getProperty(file))) {
        return false;
      }
    }
    return true;
  }

  /** Records the input after a compilation, whose file {@code files} names the program's files. */
  void recordInput(String options) throws IOException {
    TreeMap<String, String> input = new TreeMap<>();
    input.put(OPTIONS, options);
    for (String file : Files.readAllLines(folder.resolve("files"))) {
      input.put(file, hash(Path.of(file)));
    }
    Properties made = new Properties();
    made.putAll(input);
    try (OutputStream out = Files.newOutputStream(record())) {
      made.store(out, null);
    }
  }

  /** Deletes the output. */
  void delete() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(all::add);
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }

  private static String hash(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
