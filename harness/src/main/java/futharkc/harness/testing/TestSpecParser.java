package futharkc.harness.testing;

import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import futharkc.harness.testing.TestSpec.Case;
import futharkc.harness.testing.TestSpec.EntryPointCases;
import futharkc.harness.testing.TestSpec.Expected;
import futharkc.harness.testing.TestSpec.ExpectedError;
import futharkc.harness.testing.TestSpec.Input;
import futharkc.harness.testing.TestSpec.Pipeline;
import futharkc.harness.testing.TestSpec.Structure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/**
 * A parser of a program's test blocks.
 *
 * <p>A block starts with a line that begins with {@code -- ==}, and ends before the first line that
 * does not begin with {@code --}. The first block may have tags, expect an error, and check
 * structure and warnings; later blocks have more cases or properties.
 */
public final class TestSpecParser {
  private static final String BLOCK_START = "-- ==";

  private final BlockCursor in;

  private TestSpecParser(BlockCursor in) {
    this.in = in;
  }

  /**
   * Parses the test specification of a program.
   *
   * @param source the text of the program
   * @throws TestSpecException if a block is malformed
   */
  public static TestSpec parse(String source) throws TestSpecException {
    TestSpec spec = null;
    String[] lines = source.split("\n", -1);
    lines[0] = lines[0].replaceFirst("^\uFEFF", "");
    for (int i = 0; i < lines.length; i++) {
      if (!lines[i].startsWith(BLOCK_START)) {
        continue;
      }
      int first = i;
      StringBuilder block = new StringBuilder(lines[i].substring(BLOCK_START.length()));
      while (i + 1 < lines.length && lines[i + 1].startsWith("--")) {
        block.append('\n').append(lines[++i].substring(2));
      }
      TestSpecParser parser =
          new TestSpecParser(new BlockCursor(block.toString().replace("\r", ""), first + 1));
      spec = spec == null ? parser.firstBlock() : parser.laterBlock(spec);
    }
    return spec == null ? TestSpec.NONE : spec;
  }

  private TestSpec firstBlock() throws TestSpecException {
    in.skipSpace();
    List<String> tags = List.of();
    if (in.take("tags")) {
      in.expect("{");
      tags = new ArrayList<>();
      for (String tag = in.tag(); !tag.isEmpty(); tag = in.tag()) {
        tags.add(tag);
      }
      in.expect("}");
    }
    TestSpec.Action action;
    if (in.takeOnLine("error:")) {
      action = new TestSpec.Rejection(expectedError());
    } else if (in.looksAt("property:")) {
      action = new TestSpec.Runs(List.of(), List.of(), List.of(), properties());
    } else {
      action = new TestSpec.Runs(entryPointCases(), structures(), warnings(), List.of());
    }
    in.expectEnd();
    return new TestSpec(tags, action);
  }

  private TestSpec laterBlock(TestSpec spec) throws TestSpecException {
    if (!(spec.action() instanceof TestSpec.Runs runs)) {
      throw in.error("no more test blocks may follow a block that expects an error");
    }
    in.skipSpace();
    List<EntryPointCases> entryPoints = new ArrayList<>(runs.entryPoints());
    List<String> properties = new ArrayList<>(runs.properties());
    if (in.looksAt("property:")) {
      properties.addAll(properties());
    } else {
      entryPoints.addAll(entryPointCases());
    }
    in.expectEnd();
    return new TestSpec(
        spec.tags(),
        new TestSpec.Runs(entryPoints, runs.structures(), runs.warnings(), properties));
  }

  private List<String> properties() throws TestSpecException {
    List<String> names = new ArrayList<>();
    while (in.takeOnLine("property:")) {
      List<String> more = in.wordsOnLine();
      if (more.isEmpty()) {
        throw in.error("expected the name of a property");
      }
      names.addAll(more);
      in.skipSpace();
    }
    return names;
  }

  private List<EntryPointCases> entryPointCases() throws TestSpecException {
    List<String> entryPoints = List.of("main");
    if (in.takeOnLine("entry:")) {
      entryPoints = in.wordsOnLine();
      in.skipSpace();
    }
    List<Case> cases = new ArrayList<>();
    Set<String> names = new HashSet<>();
    while (!in.atEnd() && !in.looksAt("structure") && !in.looksAt("warning:")) {
      Case next = runCase(cases.size());
      if (!names.add(next.name())) {
        throw in.error("several data sets have the name \"" + next.name() + "\"");
      }
      cases.add(next);
    }
    List<EntryPointCases> result = new ArrayList<>();
    if (!cases.isEmpty()) {
      for (String entryPoint : entryPoints) {
        result.add(new EntryPointCases(entryPoint, cases));
      }
    }
    return result;
  }

  private Case runCase(int number) throws TestSpecException {
    String name = in.looksAt("\"") ? in.string() : null;
    List<String> tags = new ArrayList<>();
    while (!in.looksAt("input")) {
      String tag = in.tag();
      if (tag.isEmpty()) {
        throw in.error("expected 'input', got " + in.shown());
      }
      tags.add(tag);
    }
    in.expect("input");
    Input input;
    if (tags.contains("random")) {
      input = randomInput();
    } else if (tags.contains("script")) {
      input = in.take("@") ? new TestSpec.ScriptFile(in.word()) : script();
    } else {
      input = in.take("@") ? new TestSpec.DataFile(in.word()) : literals();
    }
    Expected expected = expected();
    return new Case(name == null ? name(number, input) : name, tags, input, expected);
  }

  private static String name(int number, Input input) {
    return switch (input) {
      case TestSpec.Literals l -> ValueText.dataSetName(number, l.values());
      case TestSpec.DataFile f ->
          f.path().endsWith(".gz") ? f.path().substring(0, f.path().length() - 3) : f.path();
      case TestSpec.RandomInput r -> {
        List<String> types = new ArrayList<>();
        for (RandomValue value : r.values()) {
          types.add(value.text());
        }
        yield String.join(" ", types);
      }
      case TestSpec.Script s -> s.expression().text();
      case TestSpec.ScriptFile f -> f.path();
    };
  }

  private TestSpec.Literals literals() throws TestSpecException {
    int line = in.line();
    String text = in.braces();
    List<Value> values = new ArrayList<>();
    ValueReader reader = ValueReader.ofText(text);
    try {
      while (!reader.atEnd()) {
        values.add(reader.readAny());
      }
    } catch (IOException e) {
      throw new TestSpecException(line, "in these values, " + e.getMessage());
    }
    return new TestSpec.Literals(text, values);
  }

  private Input script() throws TestSpecException {
    int line = in.line();
    String source = in.braces();
    try {
      return new TestSpec.Script(ScriptParser.parse(source));
    } catch (ScriptException e) {
      throw new TestSpecException(line, "in the script, " + e.getMessage());
    }
  }

  private Input randomInput() throws TestSpecException {
    int line = in.line();
    List<RandomValue> values = new ArrayList<>();
    for (String word : in.braces().strip().split("\\s+", -1)) {
      if (word.isEmpty()) {
        continue;
      }
      try {
        values.add(RandomValue.parse(word));
      } catch (IllegalArgumentException e) {
        throw new TestSpecException(line, String.valueOf(e.getMessage()));
      }
    }
    return new TestSpec.RandomInput(values);
  }

  private Expected expected() throws TestSpecException {
    if (in.take("auto")) {
      in.expect("output");
      return new TestSpec.Success(new TestSpec.ReferenceResult());
    } else if (in.take("output")) {
      return new TestSpec.Success(in.take("@") ? new TestSpec.DataFile(in.word()) : literals());
    } else if (in.takeOnLine("error:")) {
      return new TestSpec.RunTimeError(expectedError());
    }
    return new TestSpec.Success(null);
  }

  private ExpectedError expectedError() throws TestSpecException {
    String rest = in.restOfLine().strip();
    in.skipSpace();
    return new ExpectedError(rest.isEmpty() ? null : pattern(rest));
  }

  private TextPattern pattern(String source) throws TestSpecException {
    try {
      return new TextPattern(source);
    } catch (PatternSyntaxException e) {
      throw in.error("not a regular expression: " + source);
    }
  }

  private List<Structure> structures() throws TestSpecException {
    List<Structure> structures = new ArrayList<>();
    while (in.take("structure")) {
      Pipeline pipeline = Pipeline.SOACS;
      String name = in.tag();
      for (Pipeline candidate : Pipeline.values()) {
        if (candidate.text().equals(name)) {
          pipeline = candidate;
        }
      }
      if (!pipeline.text().equals(name)) {
        throw in.error("unknown pipeline '" + name + "'");
      }
      in.expect("{");
      Map<String, Integer> counts = new LinkedHashMap<>();
      while (!in.looksAt("}")) {
        counts.put(in.path(), in.natural());
      }
      in.expect("}");
      structures.add(new Structure(pipeline, counts));
    }
    return structures;
  }

  private List<TextPattern> warnings() throws TestSpecException {
    List<TextPattern> warnings = new ArrayList<>();
    while (in.take("warning:")) {
      warnings.add(pattern(in.restOfLine().strip()));
      in.skipSpace();
    }
    return warnings;
  }
}
