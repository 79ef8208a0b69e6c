package futharkc.cli;

import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Program;
import futharkc.core.ir.memory.AccessTable;
import futharkc.core.ir.memory.AccessTable.Pattern;
import futharkc.core.ir.memory.AccessTable.Row;
import futharkc.core.ir.memory.ElementAccess;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A page about the layout of arrays. For each parallel operation, a table lists the accesses to
 * elements with their pattern and strides. A second table lists what the passes changed and what
 * they left, with reasons.
 */
final class LayoutPage extends ExplanationPage {
  private static final Set<String> PASSES =
      Set.of("galop", "block-staging", "row-staging", "block-tiling");

  private final Program program;
  private final boolean device;

  /**
   * Creates a page.
   *
   * @param program the program in a memory representation, after all passes on it
   */
  LayoutPage(String name, String target, Program program, List<PassRemark> remarks) {
    super("Layouts", name, target, remarks);
    this.program = program;
    this.device = program.rep().hasDevice();
  }

  @Override
  void content() {
    out.append("<p>")
        .append(
            device
                ? "The pattern compares the elements that neighbouring threads access at a time."
                : "The pattern compares the elements that consecutive iterations access.")
        .append(" A device or cache transfers whole sectors or lines, so elements that are apart")
        .append(" cost more. A stride is the distance in elements from one iteration to the next,")
        .append(" for each iteration around the access, innermost first.</p>\n");
    Map<String, Map<Name, List<Row>>> functions = new LinkedHashMap<>();
    for (Row r : AccessTable.of(program)) {
      functions
          .computeIfAbsent(r.function(), f -> new LinkedHashMap<>())
          .computeIfAbsent(r.operation(), o -> new ArrayList<>())
          .add(r);
    }
    functions.forEach(
        (function, operations) -> {
          out.append("<h2>").append(escaped(function)).append("</h2>\n");
          summary(operations.values().stream().flatMap(List::stream).toList());
          operations.forEach(this::operation);
          remarks(function, "What the passes chose, and why others were not chosen", PASSES);
        });
  }

  private void summary(List<Row> rows) {
    Map<Pattern, Integer> counts = new EnumMap<>(Pattern.class);
    rows.forEach(r -> counts.merge(r.pattern(device), 1, Integer::sum));
    List<String> texts = new ArrayList<>();
    counts.forEach((pattern, n) -> texts.add(n + " " + word(pattern)));
    out.append("<p>Accesses: ").append(String.join(", ", texts)).append(".</p>\n");
  }

  private void operation(Name operation, List<Row> rows) {
    out.append("<h3>").append(escaped(operation.toString())).append("</h3>\n<table>\n");
    out.append(
        "<tr><th>at</th><th>access</th><th>array</th><th>pattern</th><th>strides</th></tr>\n");
    for (Row r : rows) {
      ElementAccess a = r.access();
      out.append("<tr><td>").append(a.loc().equals(Loc.NONE) ? "" : link(a.loc()));
      cell("", word(a.kind()) + (r.inLoop() ? " in a loop" : ""));
      cell("", a.array() + ": " + a.elem());
      cell(style(r.pattern(device)), word(r.pattern(device)));
      cell("note", AccessTable.strides(r));
      out.append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  /** Ends a cell and begins the next one. */
  private void cell(String style, String text) {
    out.append("</td><td class=\"").append(style).append("\">").append(escaped(text));
  }

  private static String style(Pattern p) {
    return switch (p) {
      case SAME, NEIGHBOURS -> "applied";
      case APART -> "missed";
      case IRREGULAR -> "note";
    };
  }

  private static String word(Enum<?> e) {
    return e.name().toLowerCase(Locale.ROOT);
  }
}
