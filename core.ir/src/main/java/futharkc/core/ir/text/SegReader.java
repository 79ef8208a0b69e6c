package futharkc.core.ir.text;

import futharkc.core.ir.Body;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegResult;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parser of operations over index spaces. */
final class SegReader {
  private final ExpReader in;

  SegReader(ExpReader in) {
    this.in = in;
  }

  /** Reads an expression whose first word has been read. */
  SegExp exp(String word) {
    if (!word.equals("par")) {
      return new SegExp.Seg(segOp(word));
    }
    SegOp op = segOp(in.word());
    Body nested = in.skip("nested") ? in.body() : null;
    SegExp.Choice choice = in.skip("choose") ? choice() : null;
    int invariant = in.skip("invariant") ? Math.toIntExact(in.number()) : 0;
    return new SegExp.ParOp(op, nested, choice, invariant);
  }

  private SegExp.Choice choice() {
    in.expect("(");
    int slack = labelled("slack");
    in.expect(",");
    in.expect("idle");
    long idle = in.number();
    in.expect(")");
    return new SegExp.Choice(slack, idle);
  }

  private SegOp segOp(String word) {
    if (!List.of("segmap", "segred", "segscan", "seghist").contains(word)) {
      throw in.expected("an operation over an index space before this");
    }
    SegLevel level = level();
    SegSpace space = space();
    List<SegOp.SegBinOp> ops = new ArrayList<>();
    List<SegOp.SegHistOp> histOps = new ArrayList<>();
    Lambda post = null;
    switch (word) {
      case "segred" -> {
        binOps("reduce", ops);
        if (in.skip("post")) {
          post = in.lambda();
        }
      }
      case "segscan" -> {
        binOps("scan", ops);
        in.expect("post");
        post = in.lambda();
      }
      case "seghist" -> {
        while (in.skip("op")) {
          histOps.add(histOp());
        }
      }
      default -> {}
    }
    HistStrategy strategy = histOps.isEmpty() ? null : strategy();
    SegStrategy division = word.equals("segred") || word.equals("segscan") ? division() : null;
    in.expect("do");
    List<Type> types = in.types();
    SegBody body = body();
    if (post != null && word.equals("segscan")) {
      return new SegOp.SegScan(level, space, ops, types, body, post, division);
    }
    return switch (word) {
      case "segred" -> new SegOp.SegRed(level, space, ops, types, body, post, division);
      case "seghist" -> new SegOp.SegHist(level, space, histOps, types, body, strategy);
      default -> new SegOp.SegMap(level, space, types, body);
    };
  }

  private void binOps(String keyword, List<SegOp.SegBinOp> ops) {
    String commutative = keyword + "_comm";
    while (in.sees(keyword) || in.sees(commutative)) {
      boolean comm = in.next().text().equals(commutative);
      in.expect("(");
      List<SubExp> neutral = in.subExps();
      in.expect(",");
      List<SubExp> shape = in.shape();
      in.expect(")");
      ops.add(new SegOp.SegBinOp(comm, in.lambda(), neutral, shape));
    }
  }

  private SegOp.SegHistOp histOp() {
    in.expect("(");
    List<SubExp> shape = in.shape();
    in.expect(",");
    SubExp race = in.subExp();
    in.expect(",");
    List<Name> dests = in.names();
    in.expect(",");
    List<SubExp> neutral = in.subExps();
    in.expect(",");
    List<SubExp> opShape = in.shape();
    in.expect(")");
    return new SegOp.SegHistOp(shape, race, dests, neutral, opShape, in.lambda());
  }

  private @Nullable HistStrategy strategy() {
    if (in.skip("private")) {
      in.expect("(");
      int own = labelled("own");
      in.expect(",");
      int apart = labelled("apart");
      in.expect(",");
      int perUpdate = labelled("per_update");
      in.expect(",");
      int perBin = labelled("per_bin");
      boolean inAnyOrder = in.skip(",");
      if (inAnyOrder) {
        in.expect("in_any_order");
      }
      in.expect(")");
      return new HistStrategy.Cores(own, apart, perUpdate, perBin, inAnyOrder);
    }
    HistStrategy.Shared shared = in.skip("in_shared") ? shared() : null;
    if (!in.skip("in_global")) {
      return null;
    }
    in.expect("(");
    int blocks = labelled("blocks");
    in.expect(",");
    int passes = labelled("passes");
    in.expect(",");
    in.expect("bins");
    long bins = in.number();
    in.expect(")");
    return new HistStrategy.Device(shared, new HistStrategy.Global(blocks, passes, bins));
  }

  private @Nullable SegStrategy division() {
    if (in.skip("by_threads")) {
      return new SegStrategy.Threads();
    }
    if (in.skip("by_columns")) {
      in.expect("(");
      int width = labelled("width");
      int elements = next("elements");
      int bytes = next("bytes");
      in.expect(")");
      return new SegStrategy.Columns(width, elements, bytes);
    }
    if (in.skip("by_blocks")) {
      in.expect("(");
      boolean severalSegments = in.skip("several_segments");
      if (severalSegments) {
        in.expect(",");
      }
      SegStrategy.Order order = in.skip("any_order") ? anyOrder() : windows();
      int rounds = next("rounds");
      int partsOfThread = next("parts_of_thread");
      int resident = next("resident");
      int bytes = next("bytes");
      in.expect(")");
      return new SegStrategy.Blocks(severalSegments, order, rounds, partsOfThread, resident, bytes);
    }
    if (in.skip("in_one_pass")) {
      in.expect("(");
      SegStrategy.Windows windows = windows();
      int resident = next("resident");
      int bytes = next("bytes");
      in.expect(")");
      return new SegStrategy.OnePass(windows, resident, bytes);
    }
    if (in.skip("in_two_passes")) {
      in.expect("(");
      SegStrategy.Windows windows = windows();
      int bytes = next("bytes");
      in.expect(")");
      return new SegStrategy.TwoPasses(windows, bytes);
    }
    return null;
  }

  private SegStrategy.AnyOrder anyOrder() {
    in.expect("(");
    int piece = labelled("piece");
    int part = next("part");
    in.expect(")");
    return new SegStrategy.AnyOrder(piece, part);
  }

  private SegStrategy.Windows windows() {
    in.expect("windows");
    in.expect("(");
    int items = labelled("items");
    int repeated = next("repeated");
    in.expect(")");
    return new SegStrategy.Windows(items, repeated);
  }

  private int next(String label) {
    in.expect(",");
    return labelled(label);
  }

  private HistStrategy.Shared shared() {
    in.expect("(");
    int passes = labelled("passes");
    in.expect(",");
    int copies = labelled("copies");
    in.expect(",");
    int threads = labelled("threads");
    in.expect(",");
    int resident = labelled("resident");
    in.expect(",");
    in.expect("partials");
    long partials = in.number();
    in.expect(")");
    return new HistStrategy.Shared(passes, copies, threads, resident, partials);
  }

  private int labelled(String label) {
    in.expect(label);
    return in.smallNumber();
  }

  private SegLevel level() {
    if (in.skip("cores")) {
      return new SegLevel.Cores();
    }
    if (in.skip("thread")) {
      SegVirt virt = virt();
      return new SegLevel.Thread(virt, grid());
    }
    if (in.skip("block")) {
      SegVirt virt = virt();
      return new SegLevel.Block(virt, grid());
    }
    if (in.skip("thread_in_block")) {
      return new SegLevel.ThreadInBlock(virt());
    }
    throw in.expected("'cores', 'thread', 'block' or 'thread_in_block'");
  }

  private SegVirt virt() {
    if (in.skip("virt")) {
      return SegVirt.VIRT;
    }
    if (in.skip("full")) {
      return new SegVirt.Full(in.list("(", in::smallNumber, ")"));
    }
    return SegVirt.NO_VIRT;
  }

  private SegLevel.@Nullable Grid grid() {
    if (!in.skip("(")) {
      return null;
    }
    SubExp blocks = in.subExp();
    in.expect(",");
    SubExp size = in.subExp();
    in.expect(")");
    return new SegLevel.Grid(blocks, size);
  }

  private SegSpace space() {
    in.expect("[");
    Name flat = in.name();
    in.expect(";");
    List<SegSpace.Dim> dims =
        in.rest(
            () -> {
              Name i = in.name();
              in.expect("<");
              return new SegSpace.Dim(i, in.subExp());
            },
            "]");
    return new SegSpace(flat, dims);
  }

  private SegBody body() {
    List<Stm> stms = in.stms();
    List<SegResult> results = in.list("{", this::result, "}");
    in.expect("}");
    return new SegBody(stms, results);
  }

  private SegResult result() {
    if (in.skip("checked")) {
      return new SegResult.Checked(in.subExp());
    }
    if (in.skip("tile")) {
      List<SegResult.TileDim> dims =
          in.list(
              "(",
              () -> {
                SubExp size = in.subExp();
                in.expect("/");
                return new SegResult.TileDim(size, in.subExp());
              },
              ")");
      return new SegResult.TileReturns(dims, in.subExp());
    }
    if (in.skip("reg_tile")) {
      List<SegResult.RegTileDim> dims =
          in.list(
              "(",
              () -> {
                SubExp size = in.subExp();
                in.expect("/");
                SubExp block = in.subExp();
                in.expect("/");
                return new SegResult.RegTileDim(size, block, in.subExp());
              },
              ")");
      return new SegResult.RegTileReturns(dims, in.subExp());
    }
    return new SegResult.Returns(in.subExp());
  }
}
