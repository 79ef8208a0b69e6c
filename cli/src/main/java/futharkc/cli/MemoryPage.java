package futharkc.cli;

import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.memory.BlockLiveRanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A self-contained HTML page about a program's memory. For each function, the page has bars for the
 * live range of each block, before and after merging. A table lists the merged and unmerged blocks
 * with reasons. Blocks and reasons link to the source text at the end of the page.
 */
final class MemoryPage {
  private static final int WIDTH = 900;
  private static final int ROW = 18;
  private static final int LABEL = 240;
  private static final Set<String> PASSES = Set.of("coalesce", "reuse", "double-buffer");
  private static final String STYLE =
      """
      body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
      svg text { font: 12px ui-monospace, monospace; fill: currentColor; }
      .own { fill: #3b7dd8; } .given { fill: #9aa5b1; } .full { stroke: #d9480f; stroke-dasharray: 4 3; }
      table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
      .applied { color: #2b8a3e; } .missed { color: #c92a2a; } .note { color: #666; }
      pre { background: #f4f5f7; padding: .8rem; overflow-x: auto; } pre a { color: #888; text-decoration: none; }
      pre span:target { background: #ffe066; }
      @media (prefers-color-scheme: dark) { body { background: #16181d; color: #e4e6ea; } pre { background: #22252c; } }
      """;

  private final String name;
  private final String target;
  private final Program before;
  private final Program after;
  private final BlockChanges changes;
  private final List<PassRemark> remarks;
  private final Map<String, Integer> files = new LinkedHashMap<>();
  private final StringBuilder out = new StringBuilder();

  /**
   * Creates a page.
   *
   * @param before the program before the merging of memory blocks
   * @param after the program after the merging of memory blocks
   * @param changes the blocks that passes added and removed between these programs
   */
  MemoryPage(
      String name,
      String target,
      Program before,
      Program after,
      BlockChanges changes,
      List<PassRemark> remarks) {
    this.name = name;
    this.target = target;
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.remarks = remarks;
  }

  String html() {
    String title = "Memory of " + escaped(name) + ", target " + target;
    out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(title)
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style></head><body>\n<h1>")
        .append(title)
        .append("</h1>\n<p>Each bar is a memory block, from its first to its last use;")
        .append(
            " grey blocks belong to the caller. The dashed line marks the most live blocks.</p>\n");
    for (FunDef f : after.functions().values()) {
      out.append("<h2>").append(escaped(f.name())).append("</h2>\n");
      FunDef was = before.functions().get(f.name());
      if (was != null) {
        chart("Before merging", BlockLiveRanges.of(was));
      }
      chart("After merging", BlockLiveRanges.of(f));
      changes(f.name());
      remarks(f.name());
    }
    sources();
    return out.append("</body></html>\n").toString();
  }

  private void chart(String title, BlockLiveRanges all) {
    int full = all.fullest();
    List<BlockLiveRanges.Block> live = all.live(full);
    long own = all.blocks().stream().filter(b -> b.size() != null).count();
    String sum = live.stream().map(MemoryPage::size).collect(Collectors.joining(") + (", "(", ")"));
    out.append("<h3>").append(title).append("</h3>\n<p>").append(own);
    out.append(own == 1 ? " block" : " blocks").append(" allocated, at most ").append(live.size());
    out.append(" live at a time");
    if (!live.isEmpty()) {
      out.append(": ").append(escaped(sum));
    }
    out.append("; ").append(all.copies().size()).append(" copies");
    for (Loc c : all.copies()) {
      out.append(' ').append(link(c));
    }
    out.append(".</p>\n");
    int height = ROW * all.blocks().size() + 4;
    double step = (double) (WIDTH - LABEL) / Math.max(1, all.statements());
    out.append("<svg role=\"img\" width=\"").append(WIDTH).append("\" height=\"").append(height);
    out.append("\" viewBox=\"0 0 ").append(WIDTH).append(' ').append(height).append("\">\n");
    int y = 2;
    for (BlockLiveRanges.Block b : all.blocks()) {
      double x = LABEL + (b.from() - 1) * step;
      double width = Math.max(3, (b.to() - b.from() + 1) * step);
      String what = b.name() + (b.size() == null ? "" : ": " + size(b));
      out.append("<a href=\"").append(target(b.loc())).append("\"><text x=\"0\" y=\"");
      out.append(y + 13).append("\">").append(escaped(shortened(what))).append("</text>");
      out.append("<rect class=\"").append(b.size() == null ? "given" : "own").append("\" x=\"");
      out.append(Math.round(Math.max(LABEL, x))).append("\" y=\"").append(y + 2);
      out.append("\" width=\"").append(Math.round(width)).append("\" height=\"").append(ROW - 4);
      out.append("\" rx=\"2\"><title>").append(escaped(what)).append(", ").append(b.arrays());
      out.append(" arrays, statements ").append(b.from()).append(" to ").append(b.to());
      out.append("</title></rect></a>\n");
      y += ROW;
    }
    if (full >= 0) {
      long x = Math.round(LABEL + Math.max(0, full - 0.5) * step);
      out.append("<line class=\"full\" x1=\"").append(x).append("\" x2=\"").append(x);
      out.append("\" y1=\"0\" y2=\"").append(height).append("\"/>\n");
    }
    out.append("</svg>\n");
  }

  private static String size(BlockLiveRanges.Block b) {
    Poly size = b.size();
    return size == null ? "" : size.toString();
  }

  private static String shortened(String s) {
    return s.length() <= 32 ? s : s.substring(0, 31) + "…";
  }

  /** Appends a table of the blocks that passes added and removed, the reason for other counts. */
  private void changes(String function) {
    List<BlockChanges.Change> all = changes.of(function);
    if (all.isEmpty()) {
      return;
    }
    out.append("<h3>Added and removed blocks</h3>\n<table>\n");
    for (BlockChanges.Change c : all) {
      out.append("<tr><td class=\"").append(c.added() ? "missed\">added" : "applied\">removed");
      out.append("</td><td>").append(escaped(c.pass())).append("</td><td>");
      out.append(escaped(c.block())).append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  private void remarks(String function) {
    Set<PassRemark> mine = new LinkedHashSet<>(remarks);
    mine.removeIf(r -> !PASSES.contains(r.pass()) || !r.remark().function().equals(function));
    if (mine.isEmpty()) {
      return;
    }
    out.append("<h3>Merged and unmerged blocks</h3>\n<table>\n");
    for (PassRemark r : mine) {
      String kind = r.remark().kind().name().toLowerCase(java.util.Locale.ROOT);
      out.append("<tr><td class=\"").append(kind).append("\">").append(kind).append("</td><td>");
      out.append(escaped(r.pass())).append("</td><td>").append(link(r.remark().loc()));
      out.append("</td><td>").append(escaped(r.remark().message())).append("</td></tr>\n");
    }
    out.append("</table>\n");
  }

  private String link(Loc loc) {
    if (loc.equals(Loc.NONE)) {
      return "";
    }
    return "<a href=\"" + target(loc) + "\">" + loc.line() + ":" + loc.column() + "</a>";
  }

  private String target(Loc loc) {
    if (loc.equals(Loc.NONE)) {
      return "#";
    }
    int file = files.computeIfAbsent(loc.file(), f -> files.size());
    return "#f" + file + "-" + loc.line();
  }

  /** Appends the text of each linked source file that exists. */
  private void sources() {
    files.forEach(
        (file, number) -> {
          List<String> lines;
          try {
            lines =
                Files.isRegularFile(Path.of(file)) ? Files.readAllLines(Path.of(file)) : List.of();
          } catch (IOException e) {
            lines = List.of();
          }
          if (lines.isEmpty()) {
            return;
          }
          out.append("<h2>").append(escaped(file)).append("</h2>\n<pre>");
          for (int i = 1; i <= lines.size(); i++) {
            out.append("<span id=\"f")
                .append(number)
                .append('-')
                .append(i)
                .append("\"><a href=\"#f");
            out.append(number).append('-').append(i).append("\">").append("%4d".formatted(i));
            out.append("</a>  ").append(escaped(lines.get(i - 1))).append("</span>\n");
          }
          out.append("</pre>\n");
        });
  }

  private static String escaped(String s) {
    return s.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
