package futharkc.harness;

import futharkc.core.language.Diagnostics;
import futharkc.core.language.parser.Parser;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.Dec;
import futharkc.harness.TestSettings.Mode;
import futharkc.harness.testing.TestSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The checks of one program as units of a job. Parent and worker both compute the units from the
 * program's text, so that messages contain only keys.
 */
public final class TestUnits {
  private final Map<String, Unit> units = new LinkedHashMap<>();
  private final TestSpec spec;
  private final TestSettings settings;

  /**
   * A unit.
   *
   * @param check the check
   * @param tags the words that select or exclude the unit: the tags of the program and of the case
   * @param skip the reason to skip the unit, or empty
   */
  public record Unit(Check check, List<String> tags, String skip) {}

  /** The kinds of checks. */
  public sealed interface Check {
    /** A check that the program is rejected. */
    record Reject(TestSpec.ExpectedError error) implements Check {}

    /** A check that the program compiles. */
    record Compile() implements Check {}

    /** A check that the compiler prints a warning. */
    record Warning(futharkc.harness.testing.TextPattern pattern) implements Check {}

    /** A check of the counts of nodes in the program. */
    record Nodes(TestSpec.Structure structure) implements Check {}

    /** A check that a run ends as expected. */
    record Run(String entryPoint, TestSpec.Case testCase) implements Check {}

    /** A check that a property holds for generated values. */
    record Property(String name) implements Check {}
  }

  private TestUnits(TestSpec spec, TestSettings settings) {
    this.spec = spec;
    this.settings = settings;
  }

  /**
   * Returns the units of a program, keyed by name, in order.
   *
   * @param program the text of the program
   */
  public static Map<String, Unit> of(TestSpec spec, String program, TestSettings settings) {
    TestUnits units = new TestUnits(spec, settings);
    units.collect();
    boolean runs = settings.mode() == Mode.ALL || settings.mode() == Mode.NO_STRUCTURE;
    if (runs && spec.action() instanceof TestSpec.Runs r && program.contains("#[prop")) {
      units.forgotten(r, program);
    }
    return units.units;
  }

  /** Adds the entry points with the attribute {@code #[prop]} that no test block names. */
  private void forgotten(TestSpec.Runs runs, String program) {
    for (Dec dec : Parser.parse("program", "program.fut", program, new Diagnostics()).decs()) {
      if (dec instanceof Dec.Val v
          && v.entry()
          && v.attrs().stream().anyMatch(TestUnits::isProperty)
          && !runs.properties().contains(v.name())) {
        String why = "no test block names it; '-- property: " + v.name() + "' tests it";
        add("property " + v.name(), new Check.Property(v.name()), List.of(), why);
      }
    }
  }

  private static boolean isProperty(Attr a) {
    return a.is("prop") || a instanceof Attr.Compound c && c.name().equals("prop");
  }

  private void collect() {
    switch (spec.action()) {
      case TestSpec.Rejection r -> {
        if (settings.mode() != TestSettings.Mode.STRUCTURE
            && settings.mode() != TestSettings.Mode.BENCH) {
          add("rejected", new Check.Reject(r.error()), List.of(), "");
        }
      }
      case TestSpec.Runs r -> {
        switch (settings.mode()) {
          case CHECK, INTERNALISE, COMPILE -> compile();
          case STRUCTURE -> structures(r);
          case BENCH -> cases(r);
          case NO_STRUCTURE -> {
            warnings(r);
            cases(r);
            properties(r);
            if (units.isEmpty()) {
              compile();
            }
          }
          case ALL -> {
            warnings(r);
            structures(r);
            cases(r);
            properties(r);
            if (units.isEmpty()) {
              compile();
            }
          }
        }
      }
    }
  }

  private void compile() {
    add("compiles", new Check.Compile(), List.of(), "");
  }

  private void warnings(TestSpec.Runs runs) {
    for (int i = 0; i < runs.warnings().size(); i++) {
      add(
          numbered("warning", i, runs.warnings().size()),
          new Check.Warning(runs.warnings().get(i)),
          List.of(),
          "");
    }
  }

  private void structures(TestSpec.Runs runs) {
    for (int i = 0; i < runs.structures().size(); i++) {
      TestSpec.Structure structure = runs.structures().get(i);
      String key =
          "structure"
              + (structure.pipeline().text().isEmpty() ? "" : " " + structure.pipeline().text());
      add(numbered(key, i, runs.structures().size()), new Check.Nodes(structure), List.of(), "");
    }
  }

  private void properties(TestSpec.Runs runs) {
    for (String property : runs.properties()) {
      add("property " + property, new Check.Property(property), List.of(), "");
    }
  }

  private void cases(TestSpec.Runs runs) {
    for (TestSpec.EntryPointCases cases : runs.entryPoints()) {
      for (TestSpec.Case c : cases.cases()) {
        add(
            cases.entryPoint() + ": " + c.name(),
            new Check.Run(cases.entryPoint(), c),
            c.tags(),
            skip(c));
      }
    }
  }

  private String skip(TestSpec.Case c) {
    if (settings.mode() == TestSettings.Mode.BENCH) {
      return c.hasTag("nobench")
          ? "tagged nobench"
          : c.expected() instanceof TestSpec.RunTimeError ? "its expected result is an error" : "";
    }
    if (c.hasTag("notest")) {
      return "tagged notest";
    }
    if (c.hasTag("no_" + settings.backend())) {
      return "tagged no_" + settings.backend();
    }
    return settings.interpreted() && c.hasTag("compiled") ? "tagged compiled" : "";
  }

  private static String numbered(String key, int i, int n) {
    return n == 1 ? key : key + " #" + (i + 1);
  }

  private void add(String key, Check check, List<String> caseTags, String skip) {
    List<String> tags = new ArrayList<>(spec.tags());
    tags.addAll(caseTags);
    String why = skip;
    for (String tag : spec.tags()) {
      boolean excluded =
          tag.equals("disable")
              || tag.equals("notest") && settings.mode() != TestSettings.Mode.BENCH
              || tag.equals("nobench") && settings.mode() == TestSettings.Mode.BENCH
              || tag.equals("no_" + settings.backend());
      why = excluded && why.isEmpty() ? "tagged " + tag : why;
    }
    String unique = key;
    for (int n = 2; units.containsKey(unique); n++) {
      unique = key + " (" + n + ")";
    }
    units.put(unique, new Unit(check, List.copyOf(tags), why));
  }
}
