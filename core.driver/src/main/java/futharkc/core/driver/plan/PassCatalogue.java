package futharkc.core.driver.plan;

import futharkc.core.driver.plugin.Registry;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Descriptions of passes, generated from their declarations. */
public final class PassCatalogue {
  private final Registry registry;

  public PassCatalogue(Registry registry) {
    this.registry = registry;
  }

  /**
   * Returns notes about unknown names in the constraints of plugins' passes. Such a constraint has
   * no effect: the name is misspelt, or its pass is not installed.
   */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (Registry.RegisteredPass pass : registry.passes().values()) {
      if (pass.builtIn()) {
        continue;
      }
      PassInfo info = pass.info();
      info.after().forEach(other -> note(pass, "after", other, notes));
      info.before().forEach(other -> note(pass, "before", other, notes));
    }
    return notes;
  }

  private void note(
      Registry.RegisteredPass pass, String relation, String other, List<String> notes) {
    Set<String> known = new TreeSet<>(registry.passes().keySet());
    known.addAll(Ordering.extensionPoints());
    registry.passInfos().forEach(info -> known.addAll(info.formerNames()));
    if (known.contains(other)) {
      return;
    }
    notes.add(
        "The pass "
            + pass.info().name()
            + " of plugin "
            + pass.origin()
            + " declares that it runs "
            + relation
            + " "
            + other
            + ", which has no effect. "
            + Wording.unknown("pass or extension point", other, known));
  }

  /** Returns a text for a terminal, one paragraph per pass. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Registry.RegisteredPass pass : registry.passes().values()) {
      PassInfo info = pass.info();
      text.append(info.name()).append(": ").append(info.description()).append('\n');
      text.append("    ").append(reps(info));
      if (!info.inDefault()) {
        text.append("; not in the default");
      }
      if (!pass.builtIn()) {
        text.append("; from ").append(pass.origin());
      }
      text.append('\n');
      for (Option option : info.options()) {
        text.append("    {")
            .append(option.name())
            .append('=')
            .append(defaultValue(info, option))
            .append("}: ")
            .append(option.description())
            .append('\n');
      }
    }
    return text.toString();
  }

  /** Returns the content of {@code docs/reference/passes.md}. */
  public String markdown() {
    StringBuilder text =
        new StringBuilder(
            """
            # Passes

            Generated from what the passes declare: `./futharkc passes --markdown > docs/reference/passes.md`.

            `--passes=LIST` names a set whose order is a preference; see [Writing a pass](../internals/writing-a-pass.md) for what
            the columns mean and how the sequence is found.

            """);
    for (Registry.RegisteredPass pass : registry.passes().values()) {
      section(pass.info(), text);
    }
    return text.toString().stripTrailing() + "\n";
  }

  private void section(PassInfo info, StringBuilder text) {
    text.append("## `").append(info.name()).append("`\n\n");
    String description = info.description();
    text.append(description.substring(0, 1).toUpperCase(Locale.ROOT))
        .append(description.substring(1))
        .append(description.endsWith(".") ? "\n\n" : ".\n\n");
    text.append("- representation: ").append(reps(info)).append('\n');
    properties(text, "requires", info.requires());
    properties(text, "prefers", info.prefers());
    properties(text, "establishes", info.establishes());
    properties(text, "destroys", info.destroys());
    names(text, "runs after", info.after());
    names(text, "runs before", info.before());
    names(text, "was formerly called", info.formerNames());
    if (!info.inDefault()) {
      text.append(
          "- runs only when it is named, or when another pass requires what it establishes\n");
    }
    if (!info.options().isEmpty()) {
      text.append("\n| option | takes | default | |\n|---|---|---|---|\n");
      for (Option option : info.options()) {
        text.append("| `")
            .append(option.name())
            .append("` | ")
            .append(option.values())
            .append(" | `")
            .append(defaultValue(info, option))
            .append("` | ")
            .append(option.description())
            .append(" |\n");
      }
    }
    text.append('\n');
  }

  /**
   * Returns the default value of a pass's option. If the default depends on the machine, the text
   * has the value of most targets, and then the other values with their targets.
   */
  public String defaultValue(PassInfo info, Option option) {
    if (option.constant() != null) {
      return option.constant();
    }
    boolean onDevice = info.accepts().stream().allMatch(Rep::hasDevice);
    Map<String, List<String>> targets = new TreeMap<>();
    for (Registry.RegisteredTarget t : registry.targets().values()) {
      Machine machine = t.target().machine();
      if (machine.attached() != null || !onDevice) {
        targets
            .computeIfAbsent(option.defaultValue(machine), _ -> new ArrayList<>())
            .add(t.target().name());
      }
    }
    Map.Entry<String, List<String>> common =
        Collections.max(
            targets.entrySet(),
            Comparator.comparing((Map.Entry<String, List<String>> e) -> e.getValue().size()));
    StringBuilder text = new StringBuilder(common.getKey());
    for (Map.Entry<String, List<String>> e : targets.entrySet()) {
      if (!e.equals(common)) {
        text.append("; ")
            .append(e.getKey())
            .append(" for ")
            .append(String.join(", ", e.getValue()));
      }
    }
    return text.toString();
  }

  private static String reps(PassInfo info) {
    String accepts = Wording.list(info.accepts().stream().sorted().toList());
    return info.produces() == null ? accepts : accepts + " to " + info.produces();
  }

  private static void properties(StringBuilder text, String verb, Collection<Property> properties) {
    names(text, verb, properties.stream().map(Property::name).sorted().toList());
  }

  private static void names(StringBuilder text, String verb, List<String> names) {
    if (!names.isEmpty()) {
      text.append("- ")
          .append(verb)
          .append(' ')
          .append(names.stream().map(n -> "`" + n + "`").collect(Collectors.joining(", ")))
          .append('\n');
    }
  }
}
