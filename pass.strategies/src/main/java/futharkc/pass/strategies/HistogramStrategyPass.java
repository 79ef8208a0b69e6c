package futharkc.pass.strategies;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HistStrategy;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.spi.Decisions;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import org.jspecify.annotations.Nullable;

/**
 * Choice of the versions of histograms: private bins beside updates of the destinations.
 *
 * <p>Before:
 *
 * <pre>
 * seghist thread [flat; i &lt; n] op([k], 1, {dest}, {0}, []) add do {i64, i32} {...}
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * seghist thread [flat; i &lt; n] op([k], 1, {dest}, {0}, []) add
 *   in_shared(passes 2, copies 8, threads 1024, resident 8, partials 0)
 *   in_global(blocks 4, passes 10, bins 65536) do {i64, i32} {...}
 * </pre>
 *
 * <p>On a GPU, thread blocks have bins in shared memory if all passes over the inputs read little.
 * In device memory, a pass updates as many bins as a cache holds. On a CPU, chunks have private
 * bins; few bins are in a scratch block. The lowered program chooses by the number of bins.
 *
 * <p>Known gaps: histograms within a thread block, and segmented histograms on a CPU, have no
 * strategy.
 */
public final class HistogramStrategyPass implements Pass.OnFunction {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public HistogramStrategyPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "histogram-strategy",
            "chooses the memory, copies and passes of histograms",
            Rep.GPU_MEM,
            Rep.MC_MEM)
        .after("gpu-mem-late", "mc-mem-late")
        .options(
            CoreHistograms.OWN_BINS,
            CoreHistograms.APART,
            CoreHistograms.OPERATIONS,
            DeviceHistograms.PASS_BYTES,
            DeviceHistograms.CERTAIN_BYTES,
            DeviceHistograms.STATEMENTS,
            DeviceHistograms.COPIES,
            DeviceHistograms.LOCKED_COPIES,
            DeviceHistograms.PARTS,
            DeviceHistograms.THREADS,
            DeviceHistograms.BLOCKS,
            DeviceHistograms.MORE_BLOCKS,
            DeviceHistograms.BIN_BYTES,
            DeviceHistograms.BIN_READS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    Decisions decisions = new Decisions(context, function.name());
    Body body = new Annotation(context, decisions).body(function.body());
    return body == function.body() ? function : function.withBody(body, function.nextTag());
  }

  /** A mapper that annotates histograms. */
  private static final class Annotation extends Mapper {
    private final DeviceHistograms device;
    private final CoreHistograms cores;
    private final Decisions decisions;

    Annotation(PassContext context, Decisions decisions) {
      this.device = new DeviceHistograms(context);
      this.cores = new CoreHistograms(context);
      this.decisions = decisions;
    }

    @Override
    public Stm stm(Stm statement) {
      Stm s = super.stm(statement);
      return switch (s.exp()) {
        case SegExp.Seg(SegOp.SegHist h) -> {
          SegOp.SegHist annotated = annotated(s, h, device.choose(s, h));
          yield annotated == h ? s : s.withExp(new SegExp.Seg(annotated));
        }
        case SegExp.ParOp p when p.op() instanceof SegOp.SegHist h -> {
          SegOp.SegHist annotated = annotated(s, h, cores.choose(h));
          yield annotated == h ? s : s.withExp(p.with(annotated, p.nested()));
        }
        default -> s;
      };
    }

    private SegOp.SegHist annotated(Stm s, SegOp.SegHist h, @Nullable HistStrategy strategy) {
      if (strategy == null || strategy.equals(h.strategy()) || !decisions.mayGoOn()) {
        return h;
      }
      decisions.count();
      decisions.say(Remark.Kind.APPLIED, s.aux().loc(), description(strategy));
      return h.withStrategy(strategy);
    }

    private static String description(HistStrategy strategy) {
      return switch (strategy) {
        case HistStrategy.Cores(int own, _, _, _, _) ->
            own == 0
                ? "chunks have private copies of the bins, or update bins under locks"
                : "chunks have up to "
                    + own
                    + " bins in a scratch block, private copies of more bins, or update bins under"
                    + " locks";
        case HistStrategy.Device(HistStrategy.Shared shared, HistStrategy.Global global) ->
            (shared == null
                    ? "threads"
                    : "thread blocks have bins in shared memory, in up to "
                        + passes(shared.passes())
                        + " over the inputs; else threads")
                + " update bins in device memory, in up to "
                + passes(global.passes());
      };
    }

    private static String passes(int n) {
      return n == 1 ? "1 pass" : n + " passes";
    }
  }
}
