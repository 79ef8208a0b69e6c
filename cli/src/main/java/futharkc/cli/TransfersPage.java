package futharkc.cli;

import futharkc.core.driver.pipeline.PassRemark;
import futharkc.core.ir.Loc;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A page about the transfers between the host and the device. For each function of the host, the
 * page has an outline of the host's program: loops, branches, kernel launches, reads, waits, writes
 * and copies. A table lists what the passes moved to the device and what they left, with reasons.
 */
final class TransfersPage extends ExplanationPage {
  private static final Set<String> PASSES =
      Set.of("migration", "merge-gpu-bodies", "read-batching", "speculative-launch");

  private final ImperativeProgram program;

  /** The lines of the current function's outline. */
  private final List<String> lines = new ArrayList<>();

  private int launches;
  private int reads;
  private int waits;
  private int waitsInLoops;
  private int writes;
  private int copies;

  /** The number of loops around the current statement. */
  private int loops;

  /**
   * Creates a page.
   *
   * @param program the lowered program, in GPU_IMP
   */
  TransfersPage(String name, String target, ImperativeProgram program, List<PassRemark> remarks) {
    super("Transfers", name, target, remarks);
    this.program = program;
  }

  @Override
  void content() {
    out.append("<p>The host waits at each line in red until the device has computed the elements.")
        .append(" Kernels between a request and its wait run meanwhile.</p>\n");
    function("Constants", program.initialise());
    for (ImperativeProgram.Function f : program.functions()) {
      if (!f.onOneThread()) {
        function(f.name(), f);
      }
    }
  }

  private void function(String heading, ImperativeProgram.Function f) {
    lines.clear();
    launches = reads = waits = waitsInLoops = writes = copies = 0;
    outline(f.body(), 0);
    if (lines.isEmpty() && f == program.initialise()) {
      return;
    }
    out.append("<h2>").append(escaped(heading)).append("</h2>\n<p>");
    out.append(counted(launches, "kernel launch", "kernel launches")).append(", ");
    out.append(counted(reads, "element read", "elements read")).append(" in ");
    out.append(counted(waits, "wait", "waits"));
    if (waits > 0) {
      out.append(" (").append(waitsInLoops).append(" in loops)");
    }
    out.append(", ").append(counted(writes, "write", "writes")).append(", ");
    out.append(counted(copies, "copy", "copies")).append(".</p>\n");
    if (!lines.isEmpty()) {
      out.append("<h3>The host's program</h3>\n<table>\n");
      lines.forEach(out::append);
      out.append("</table>\n");
    }
    remarks(f.name(), "What moved, and what stayed", PASSES);
  }

  private static String counted(int n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }

  private void line(int depth, Loc loc, String style, String text) {
    lines.add(
        "<tr><td>"
            + link(loc)
            + "</td><td class=\""
            + style
            + "\" style=\"padding-left: "
            + 2 * depth
            + "em\">"
            + escaped(text)
            + "</td></tr>\n");
  }

  private void outline(List<Code> code, int depth) {
    for (Code c : code) {
      outline(c, depth);
    }
  }

  private void outline(Code code, int depth) {
    switch (code) {
      case Code.Launch l -> {
        launches++;
        line(depth, l.loc(), "", "launch " + l.label());
      }
      case Code.AskElement a -> {
        reads++;
        line(depth, a.loc(), "note", "request an element of type " + a.elem());
      }
      case Code.AwaitElements w -> {
        waits++;
        waitsInLoops += loops > 0 ? 1 : 0;
        String elements = counted(w.elements().size(), "element", "elements");
        line(depth, Loc.NONE, "missed", "wait for " + elements);
      }
      case Code.WriteElement w -> {
        writes++;
        line(depth, Loc.NONE, "", "write an element of type " + w.elem());
      }
      case Code.OnCopies c -> {
        waits++;
        waitsInLoops += loops > 0 ? 1 : 0;
        String blocks = counted(c.copies().size(), "array", "arrays");
        line(depth, Loc.NONE, "missed", "wait, and compute on copies of " + blocks);
      }
      case Code.CopyRun c -> {
        copies++;
        line(depth, Loc.NONE, "", "copy elements of type " + c.elem());
      }
      case Code.Call c -> line(depth, Loc.NONE, "", "call " + c.function());
      case Code.For f -> loop("for loop", f.body(), depth);
      case Code.While w -> loop("while loop", w.body(), depth);
      case Code.If i -> {
        nested("if", i.then(), depth);
        nested("else", i.otherwise(), depth);
      }
      case Code.IfUnused i -> {
        nested("if a block is unused", i.then(), depth);
        nested("else", i.otherwise(), depth);
      }
      case Code.Compound c -> c.bodies().forEach(body -> outline(body, depth));
      case Code.Simple s -> {}
    }
  }

  private void loop(String what, List<Code> body, int depth) {
    loops++;
    nested(what, body, depth);
    loops--;
  }

  /** Appends an outline of nested statements, unless it is empty. */
  private void nested(String what, List<Code> body, int depth) {
    int before = lines.size();
    line(depth, Loc.NONE, "note", what);
    outline(body, depth + 1);
    if (lines.size() == before + 1) {
      lines.removeLast();
    }
  }
}
