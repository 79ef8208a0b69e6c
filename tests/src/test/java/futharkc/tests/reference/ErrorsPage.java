package futharkc.tests.reference;

import futharkc.core.language.Diagnostic;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The page {@code docs/reference/errors.md}. */
final class ErrorsPage {
  /** Titles of the groups of codes, by the first characters of the codes. */
  private static final Map<String, String> GROUPS = groups();

  /** The length from which on a line of a program is shortened. */
  private static final int LONG_LINE = 200;

  private ErrorsPage() {}

  private static Map<String, String> groups() {
    Map<String, String> groups = new LinkedHashMap<>();
    groups.put("E01", "Syntax");
    groups.put("E02", "Files and imports");
    groups.put("E03", "Names");
    groups.put("E04", "Types");
    groups.put("E05", "Sizes");
    groups.put("E06", "Uniqueness");
    groups.put("E07", "Modules");
    groups.put("E08", "Entry points");
    groups.put("E09", "Limits and failures");
    groups.put("W", "Warnings");
    return groups;
  }

  static String markdown() throws IOException {
    List<ErrorExample> examples = ErrorExample.all();
    StringBuilder text = new StringBuilder("# Errors and warnings\n\n");
    text.append(GeneratedPages.NOTICE)
        .append(
            """

            Each error (`E`) and warning (`W`) has a code, which keeps its meaning. Each section below explains one
            code, and shows a program that has it, the message, and a corrected program.

            """);
    index(examples, text);
    GROUPS.forEach(
        (prefix, title) -> {
          text.append("\n## ").append(title).append('\n');
          examples.stream().filter(e -> e.code().startsWith(prefix)).forEach(e -> section(e, text));
        });
    return text.toString();
  }

  private static void index(List<ErrorExample> examples, StringBuilder text) {
    text.append("| code | meaning |\n|---|---|\n");
    for (ErrorExample e : examples) {
      text.append("| [")
          .append(e.code())
          .append("](#")
          .append(e.code().toLowerCase(Locale.ROOT))
          .append(") | ")
          .append(line(e.explanation().getFirst()))
          .append(" |\n");
    }
  }

  private static void section(ErrorExample e, StringBuilder text) {
    text.append("\n### ").append(e.code()).append('\n');
    for (String paragraph : e.explanation()) {
      text.append('\n').append(line(paragraph).replaceFirst("^Fix: ", "**Fix:** ")).append('\n');
    }
    if (!e.hasProgram()) {
      return;
    }
    Diagnostic d = e.diagnostics().getFirst();
    String title = d.isError() ? "Error" : "Warning";
    block(e.language() + " rejected", e.rejectedText(), text);
    block("text", title + " at " + d.loc() + ": [" + d.code() + "]\n" + d.message(), text);
    text.append("\nCorrected:\n");
    block(e.language(), e.acceptedText(), text);
    if (d.anchor() != null) {
      text.append("\nSee also [Futhark's error index](")
          .append(Diagnostic.ERROR_INDEX)
          .append('#')
          .append(d.anchor())
          .append(").\n");
    }
  }

  private static void block(String language, String content, StringBuilder text) {
    text.append("\n```").append(language).append('\n');
    content.strip().lines().forEach(l -> text.append(shortened(l)).append('\n'));
    text.append("```\n");
  }

  private static String shortened(String line) {
    return line.length() < LONG_LINE
        ? line
        : line.substring(0, 60) + " ... " + line.substring(line.length() - 20);
  }

  private static String line(String paragraph) {
    return paragraph.lines().map(String::strip).collect(Collectors.joining(" "));
  }
}
