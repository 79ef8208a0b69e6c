package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.broken;
import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.UpdateStrategy;
import java.util.List;

/** The rules for strategies of reductions, scans and histograms. */
final class StrategyCheck {
  private StrategyCheck() {}

  /** Checks that a reduction admits its strategy. */
  static void check(SegOp.SegRed r) {
    SegStrategy strategy = r.strategy();
    if (strategy == null) {
      return;
    }
    isOfThreads(r);
    switch (strategy) {
      case SegStrategy.Threads _ -> ofArrays(r.ops());
      case SegStrategy.Columns(int width, int elements, int bytes) -> {
        ofScalars(r.ops());
        atLeast(1, width, elements);
        atLeast(0, bytes);
      }
      case SegStrategy.Blocks b -> {
        ofScalars(r.ops());
        atLeast(1, b.rounds(), b.partsOfThread());
        atLeast(0, b.resident(), b.bytes());
        switch (b.order()) {
          case SegStrategy.Windows w -> windows(w);
          case SegStrategy.AnyOrder(int piece, int part) -> {
            atLeast(1, piece);
            atLeast(0, part);
            require(
                r.ops().stream().allMatch(UpdateStrategy::commutes),
                "the result of an operator depends on the order of elements");
          }
        }
      }
      case SegStrategy.OnePass _, SegStrategy.TwoPasses _ ->
          throw broken("a reduction has the passes of a scan");
    }
  }

  /** Checks that a scan admits its strategy. */
  static void check(SegOp.SegScan c) {
    SegStrategy strategy = c.strategy();
    if (strategy == null) {
      return;
    }
    isOfThreads(c);
    switch (strategy) {
      case SegStrategy.Threads _ -> ofArrays(c.ops());
      case SegStrategy.OnePass(SegStrategy.Windows windows, int resident, int bytes) -> {
        ofScalars(c.ops());
        windows(windows);
        atLeast(0, resident, bytes);
      }
      case SegStrategy.TwoPasses(SegStrategy.Windows windows, int bytes) -> {
        ofScalars(c.ops());
        windows(windows);
        atLeast(0, bytes);
      }
      case SegStrategy.Columns _, SegStrategy.Blocks _ ->
          throw broken("a scan has the division of a reduction");
    }
  }

  private static void isOfThreads(SegOp op) {
    require(op.level() instanceof SegLevel.Thread, "a division among threads needs level 'thread'");
  }

  private static void ofArrays(List<SegOp.SegBinOp> ops) {
    require(
        ops.stream().anyMatch(o -> !o.shape().isEmpty()),
        "a thread for each segment needs an operator on arrays");
  }

  private static void ofScalars(List<SegOp.SegBinOp> ops) {
    require(
        ops.stream().allMatch(o -> o.shape().isEmpty()),
        "thread blocks combine scalars, not arrays");
  }

  private static void windows(SegStrategy.Windows w) {
    atLeast(1, w.items());
    atLeast(0, w.repeated());
  }

  private static void atLeast(int least, int... numbers) {
    for (int n : numbers) {
      require(n >= least, "a number of the division among threads is " + n + ", below " + least);
    }
  }

  /** Checks that a histogram admits the versions of its strategy. */
  static void check(SegOp.SegHist h) {
    switch (h.strategy()) {
      case null -> {}
      case HistStrategy.Cores c -> cores(h, c);
      case HistStrategy.Device d -> {
        require(h.level() instanceof SegLevel.Thread, "versions of a device need level 'thread'");
        global(h, d.global());
        HistStrategy.Shared s = d.shared();
        if (s != null) {
          shared(h, s);
        }
      }
    }
  }

  private static void cores(SegOp.SegHist h, HistStrategy.Cores c) {
    require(h.level() instanceof SegLevel.Cores, "private bins of chunks need level 'cores'");
    require(
        c.own() >= 0 && c.apart() >= 0 && c.perUpdate() >= 0 && c.perBin() >= 1,
        "a number of private bins is too small");
    require(
        c.own() == 0 || h.ops().stream().allMatch(StrategyCheck::isOfScalars),
        "scratch bins need one index and one destination of scalars per operator, which cannot"
            + " fail");
    require(
        !c.inAnyOrder()
            || h.ops().stream()
                .allMatch(o -> UpdateStrategy.isExactInAnyOrder(o.op(), o.dests().size())),
        "the result of an operator depends on the order of chunks");
  }

  /** Tests whether code for an index outside the bins may run for an operator. */
  private static boolean isOfScalars(SegOp.SegHistOp o) {
    return o.shape().size() == 1
        && o.opShape().isEmpty()
        && o.dests().size() == 1
        && o.op().body().stms().stream().noneMatch(s -> Effects.of(s.exp()).fails());
  }

  private static void global(SegOp.SegHist h, HistStrategy.Global g) {
    require(
        g.blocks() >= 1 && g.passes() >= 1 && g.bins() >= (g.passes() == 1 ? 0 : 1),
        "a number of the version in device memory is too small");
    require(
        g.passes() == 1
            || h.space().dims().size() == 1 && isOne(h) && h.ops().get(0).shape().size() == 1,
        "several passes in device memory need one operator with one index, and one dimension");
  }

  private static void shared(SegOp.SegHist h, HistStrategy.Shared s) {
    require(
        s.passes() >= 1
            && s.copies() >= 1
            && s.threads() >= 1
            && s.resident() >= 1
            && s.partials() >= 0,
        "a number of the version in shared memory is too small");
    require(
        s.passes() == 1 || h.ops().size() == 1,
        "several passes in shared memory need one operator");
    require(s.partials() == 0 || isOne(h), "partial bins need one operator on scalars");
  }

  private static boolean isOne(SegOp.SegHist h) {
    return h.ops().size() == 1 && h.ops().get(0).opShape().isEmpty();
  }
}
