package futharkc.pass.strategies;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Target;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A choice of the memory, copies and passes of a GPU's histograms. */
final class DeviceHistograms {
  private final Target.DeviceHistograms limits;
  private final Target.Bins bins;

  DeviceHistograms(Target.DeviceHistograms limits, Target.Bins bins) {
    this.limits = limits;
    this.bins = bins;
  }

  /**
   * Chooses the versions of a histogram.
   *
   * @return null if the threads of a thread block compute the histogram
   */
  @Nullable HistStrategy choose(Stm s, SegOp.SegHist h) {
    if (!(h.level() instanceof SegLevel.Thread t)) {
      return null;
    }
    List<Integer> binBytes = binBytes(s, h);
    return new HistStrategy.Device(
        shared(h, binBytes), global(h, binBytes.get(0), t.grid() == null));
  }

  private HistStrategy.Shared shared(SegOp.SegHist h, List<Integer> binBytes) {
    OptionalLong bytes = OptionalLong.of(0);
    for (int o = 0; o < h.ops().size(); o++) {
      OptionalLong count = binCount(h.ops().get(o));
      bytes =
          bytes.isPresent() && count.isPresent()
              ? OptionalLong.of(bytes.getAsLong() + count.getAsLong() * binBytes.get(o))
              : OptionalLong.empty();
    }
    boolean fits = bytes.isPresent() && bytes.getAsLong() <= limits.certainBytes();
    boolean mayBeSeveral = h.ops().size() == 1 && isCheap(h.body()) && !fits;
    int read = Math.max(4, Math.min(limits.passBytes(), bytesRead(h.body())));
    boolean isLocked =
        !h.ops().stream().allMatch(o -> UpdateStrategy.isOneByOne(o.op(), o.dests().size()));
    boolean isOne = h.ops().size() == 1 && h.ops().get(0).opShape().isEmpty();
    return new HistStrategy.Shared(
        mayBeSeveral ? limits.passBytes() / read : 1,
        isLocked ? limits.lockedCopies() : limits.copies(),
        limits.threads(),
        limits.blocks(),
        isLocked && isOne ? limits.parts() : 0);
  }

  private HistStrategy.Global global(SegOp.SegHist h, int binBytes, boolean isOpen) {
    int blocks = isOpen ? limits.moreBlocks() : 1;
    SegOp.SegHistOp op = h.ops().get(0);
    boolean isOne = h.ops().size() == 1 && op.shape().size() == 1 && op.opShape().isEmpty();
    long part = Math.max(1, bins.bytes() / Math.max(1, binBytes));
    OptionalLong count = binCount(op);
    boolean fits = count.isPresent() && count.getAsLong() <= part;
    int passes = bins.read() / Math.max(1, bytesRead(h.body()));
    if (h.space().dims().size() > 1 || !isOne || !isCheap(h.body()) || fits || passes <= 1) {
      return new HistStrategy.Global(blocks, 1, 0);
    }
    return new HistStrategy.Global(blocks, passes, part);
  }

  /** Returns the bytes of a bin of each operator. */
  private static List<Integer> binBytes(Stm s, SegOp.SegHist h) {
    List<Integer> all = new ArrayList<>();
    int next = 0;
    for (SegOp.SegHistOp o : h.ops()) {
      List<PatElem> results = s.pat().subList(next, next + o.dests().size());
      next += o.dests().size();
      all.add(results.stream().mapToInt(p -> p.type().elemPrim().bytes()).sum());
    }
    return all;
  }

  /** Returns the number of bins of an operator, if the program contains the number. */
  private static OptionalLong binCount(SegOp.SegHistOp op) {
    List<SubExp> shape = new ArrayList<>(op.shape());
    shape.addAll(op.opShape());
    long n = 1;
    for (SubExp d : shape) {
      if (!(d instanceof SubExp.Const c)) {
        return OptionalLong.empty();
      }
      n *= c.value().asLong();
    }
    return OptionalLong.of(n);
  }

  /** Returns the bytes of the elements that a body reads. */
  private static int bytesRead(SegBody body) {
    int bytes = 0;
    for (Stm s : body.stms()) {
      Type t = s.pat().get(0).type();
      if (s.exp() instanceof BasicOp.Index && t instanceof Type.Prim) {
        bytes += t.elemPrim().bytes();
      }
    }
    return bytes;
  }

  /** Tests whether a body is cheap enough to be evaluated in several passes. */
  private boolean isCheap(SegBody body) {
    int[] count = {0};
    boolean[] loops = {false};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        count[0]++;
        loops[0] |= e instanceof Exp.Loop;
        return super.exp(e);
      }
    }.stms(body.stms());
    return !loops[0] && count[0] <= limits.statements();
  }
}
