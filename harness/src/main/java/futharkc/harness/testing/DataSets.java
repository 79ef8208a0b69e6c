package futharkc.harness.testing;

import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.core.runtime.data.ValueWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The inputs of the test cases of a program, by name. */
public final class DataSets {
  /**
   * The seed of generated input. It is constant, so that every machine generates the same input.
   */
  public static final long SEED = 1;

  private final Path folder;
  private final Map<String, TestSpec.Input> inputs = new LinkedHashMap<>();

  private DataSets(Path folder) {
    this.folder = folder;
  }

  /**
   * Reads the test blocks of a program.
   *
   * @throws IOException if the program cannot be read
   * @throws TestSpecException if a test block is malformed
   */
  public static DataSets of(Path program) throws IOException, TestSpecException {
    Path parent = program.getParent();
    DataSets all = new DataSets(parent == null ? Path.of("") : parent);
    if (TestSpecParser.parse(Files.readString(program)).action() instanceof TestSpec.Runs runs) {
      for (TestSpec.EntryPointCases cases : runs.entryPoints()) {
        cases.cases().forEach(c -> all.inputs.putIfAbsent(c.name(), c.input()));
      }
    }
    return all;
  }

  /** Returns the names of all data sets. */
  public List<String> names() {
    return List.copyOf(inputs.keySet());
  }

  /** Returns the data set of a name, or the data sets whose names contain it. */
  public List<String> named(String name) {
    return inputs.containsKey(name)
        ? List.of(name)
        : names().stream().filter(n -> n.contains(name)).toList();
  }

  /**
   * Writes a data set in binary form.
   *
   * @param name a name of {@link #names}
   * @throws IOException if the input cannot be read, or a script of the program computes it
   */
  public void write(String name, OutputStream out) throws IOException {
    ValueWriter writer = new ValueWriter(out);
    for (Value value : values(name)) {
      writer.binary(value);
    }
    writer.flush();
  }

  private List<Value> values(String name) throws IOException {
    return switch (inputs.get(name)) {
      case TestSpec.Literals l -> DataFiles.readAll(ValueReader.ofText(l.text()), List.of());
      case TestSpec.DataFile f -> DataFiles.read(folder.resolve(f.path()));
      case TestSpec.RandomInput r -> new RandomValues().generate(r.values(), SEED);
      case TestSpec.Script _, TestSpec.ScriptFile _ ->
          throw new IOException(
              name + ": a script computes the input. The command 'script' evaluates scripts.");
      case null -> throw new IllegalArgumentException("no data set " + name);
    };
  }
}
