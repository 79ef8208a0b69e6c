package futharkc.core.ir.verify;

import static futharkc.core.ir.verify.Check.require;

import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.analysis.Effects;
import futharkc.core.ir.analysis.UpdateStrategy;

/** The rules for strategies of histograms. */
final class StrategyCheck {
  private StrategyCheck() {}

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
