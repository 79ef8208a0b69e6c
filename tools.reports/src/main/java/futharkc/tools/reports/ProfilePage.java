package futharkc.tools.reports;

import futharkc.tools.reports.BenchmarkResults.Profile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page about one profile: the cost centres, and the source files with lines coloured by their
 * part of the run time. The page needs no other file.
 */
final class ProfilePage {
  private static final Pattern POSITION = Pattern.compile("(.+):(\\d+):\\d+-(?:(\\d+):)?\\d+");

  private static final String STYLE =
      """
      body { font: 15px/1.4 sans-serif; margin: 1.5rem; color: #222; }
      table { border-collapse: collapse; }
      th, td { padding: 0.15rem 0.7rem; text-align: right; border-bottom: 1px solid #ddd; }
      th:first-child, td:first-child, td:last-child { text-align: left; }
      pre { font-size: 13px; line-height: 1.35; }
      pre b { font-weight: normal; color: #999; }
      pre span { display: block; }
      .scroll { overflow-x: auto; }
      """;

  private final String name;
  private final Profile profile;
  private final List<CostCentre> centres;
  private final double total;

  ProfilePage(String name, Profile profile, List<CostCentre> centres) {
    this.name = name;
    this.profile = profile;
    this.centres = centres;
    this.total = CostCentre.total(centres);
  }

  /** Returns the page. */
  String html() {
    StringBuilder html = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    html.append("<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.append("<title>").append(escaped(name)).append("</title>\n<style>\n").append(STYLE);
    html.append("</style>\n</head>\n<body>\n<h1>").append(escaped(name)).append("</h1>\n");
    html.append("<p>").append(profile.events().size()).append(" events with a total run time of ");
    html.append(ProfileReport.micros(total)).append(". Peak memory: ");
    StringBuilder memory = new StringBuilder();
    profile
        .memory()
        .forEach(
            (space, bytes) ->
                memory
                    .append(memory.isEmpty() ? "" : ", ")
                    .append(bytes.longValue())
                    .append(" bytes in ")
                    .append(escaped(space)));
    html.append(memory.isEmpty() ? "unknown" : memory).append(".</p>\n");
    table(html);
    heat().forEach((file, lines) -> source(file, lines, html));
    return html.append("</body>\n</html>\n").toString();
  }

  private void table(StringBuilder html) {
    html.append("<h2>Cost centres</h2>\n<div class=\"scroll\"><table>\n<tr>");
    for (String column :
        List.of("cost centre", "count", "sum", "mean", "min", "max", "fraction", "source")) {
      html.append("<th>").append(column).append("</th>");
    }
    html.append("</tr>\n");
    for (CostCentre c : centres) {
      html.append("<tr><td>").append(escaped(c.name())).append("</td><td>").append(c.count());
      for (double time : new double[] {c.sum(), c.sum() / c.count(), c.least(), c.most()}) {
        html.append("</td><td>").append(ProfileReport.micros(time));
      }
      html.append("</td><td>").append(percent(c.sum())).append("</td><td>");
      for (String position : c.positions()) {
        Matcher m = POSITION.matcher(position.strip());
        html.append(
            m.matches()
                ? "<a href=\"#%s\">%s</a> "
                    .formatted(anchor(m.group(1), m.group(2)), escaped(position))
                : escaped(position) + " ");
      }
      html.append("</td></tr>\n");
    }
    html.append("</table></div>\n");
  }

  private String percent(double time) {
    return String.format(Locale.ROOT, "%.1f %%", total == 0 ? 0 : 100 * time / total);
  }

  private static String anchor(String file, String line) {
    return escaped(file) + ":" + line;
  }

  /** Returns the time of each line in microseconds, by file. */
  private Map<String, Map<Integer, Double>> heat() {
    Map<String, Map<Integer, Double>> heat = new TreeMap<>();
    for (CostCentre c : centres) {
      for (String position : c.positions()) {
        Matcher m = POSITION.matcher(position.strip());
        if (m.matches()) {
          int first = Integer.parseInt(m.group(2));
          int last = m.group(3) == null ? first : Integer.parseInt(m.group(3));
          Map<Integer, Double> lines = heat.computeIfAbsent(m.group(1), f -> new TreeMap<>());
          for (int line = first; line <= last; line++) {
            lines.merge(line, c.sum(), Double::sum);
          }
        }
      }
    }
    return heat;
  }

  private void source(String file, Map<Integer, Double> lines, StringBuilder html) {
    String text = ProfileReport.source(file);
    if (text == null) {
      return;
    }
    html.append("<h2>").append(escaped(file)).append("</h2>\n<pre class=\"scroll\">");
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      double time = lines.getOrDefault(number, 0.0);
      String colour =
          time == 0 || total == 0
              ? ""
              : String.format(
                  Locale.ROOT,
                  " style=\"background: rgba(255, 90, 0, %.2f)\" title=\"%s\"",
                  0.1 + 0.6 * Math.min(1, time / total),
                  percent(time));
      html.append(
          "<span id=\"%s\"%s><b>%5d  </b>%s</span>"
              .formatted(anchor(file, Integer.toString(number)), colour, number, escaped(line)));
    }
    html.append("</pre>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
