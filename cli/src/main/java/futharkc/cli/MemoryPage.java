package futharkc.cli;

import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.memory.BlockLiveRanges;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A page about a program's memory. For each function, the page has bars for the live range of each
 * block, before and after merging. A table lists the merged and unmerged blocks with reasons.
 */
final class MemoryPage extends ExplanationPage {
  private static final int WIDTH = 900;
  private static final int ROW = 18;
  private static final int LABEL = 240;
  private static final Set<String> PASSES = Set.of("coalesce", "reuse", "double-buffer");
  private final Program before;
  private final Program after;
  private final BlockChanges changes;

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
    super("Memory", name, target, remarks);
    this.before = before;
    this.after = after;
    this.changes = changes;
  }

  @Override
  void content() {
    out.append("<p>Each bar is a memory block, from its first to its last use;")
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
      remarks(f.name(), "Merged and unmerged blocks", PASSES);
    }
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
}
