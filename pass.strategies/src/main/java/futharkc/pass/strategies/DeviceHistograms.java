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
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A choice of the memory, copies and passes of a GPU's histograms. */
final class DeviceHistograms {
  /** The maximum bytes that all passes of a histogram in shared memory read per input element. */
  static final Option PASS_BYTES =
      Option.integer(
          "pass-bytes",
          32,
          "maximum bytes that all passes of a histogram in shared memory read per input"
              + " element");

  /** The bytes of bins for which one pass suffices on any device. */
  static final Option CERTAIN_BYTES =
      Option.integer(
          "certain-bytes",
          16 << 10,
          "bytes of bins for which one pass suffices on any device: half of the shared memory"
              + " that OpenCL guarantees");

  /** The maximum number of statements of a body that each pass evaluates. */
  static final Option STATEMENTS =
      Option.integer(
          "statements", 16, "maximum number of statements of a body that each pass evaluates");

  /**
   * The maximum number of copies of a thread block's bins, which reduce conflicts of neighbouring
   * threads.
   */
  static final Option COPIES =
      Option.integer(
              "copies",
              8,
              "maximum number of copies of a thread block's bins, which reduce conflicts of"
                  + " neighbouring threads")
          .within(1, 1024);

  /** The maximum number of copies of bins that are updated under a lock. */
  static final Option LOCKED_COPIES =
      Option.integer(
              "locked-copies",
              256,
              "maximum number of copies of bins that are updated under a lock: the threads per"
                  + " block, so that no thread waits")
          .within(1, 1024);

  /**
   * The number of bins of all thread blocks up to which a separate kernel combines the bins,
   * instead of updates under locks.
   */
  static final Option PARTS =
      Option.integer(
          "parts",
          1 << 20,
          "number of bins of all thread blocks up to which a separate kernel combines the"
              + " bins, instead of updates under locks");

  /** The threads per block if bins take much of the shared memory. */
  static final Option THREADS =
      Option.integer("threads", 1024, "threads per block if bins take much of the shared memory")
          .within(1, 1024);

  /** The number of smaller thread blocks that share a multiprocessor's shared memory. */
  static final Option BLOCKS =
      Option.integer(
              "blocks",
              8,
              "number of smaller thread blocks that share a multiprocessor's shared memory")
          .within(1, 1024);

  /**
   * The factor by which more thread blocks are launched for bins in device memory, where the times
   * of thread blocks vary.
   */
  static final Option MORE_BLOCKS =
      Option.integer(
              "more-blocks",
              4,
              "factor by which more thread blocks are launched for bins in device memory, where"
                  + " the times of thread blocks vary")
          .within(1, 1024);

  /**
   * The approximate bytes of the bins in device memory that a GPU updates in one pass, which should
   * stay in a cache.
   */
  static final Option BIN_BYTES =
      Option.integer(
              "bin-bytes",
              32 << 20,
              "approximate bytes of the bins in device memory that a GPU updates in one pass,"
                  + " which should stay in a cache")
          .within(1, Integer.MAX_VALUE);

  /** The maximum bytes that all passes of a histogram in device memory read per input element. */
  static final Option BIN_READS =
      Option.integer(
          "bin-reads",
          96,
          "maximum bytes that all passes of a histogram in device memory read per input"
              + " element");

  private final PassContext context;

  DeviceHistograms(PassContext context) {
    this.context = context;
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
    boolean fits = bytes.isPresent() && bytes.getAsLong() <= context.number(CERTAIN_BYTES);
    boolean mayBeSeveral = h.ops().size() == 1 && isCheap(h.body()) && !fits;
    int read = Math.max(4, Math.min(context.number(PASS_BYTES), bytesRead(h.body())));
    boolean isLocked =
        !h.ops().stream().allMatch(o -> UpdateStrategy.isOneByOne(o.op(), o.dests().size()));
    boolean isOne = h.ops().size() == 1 && h.ops().get(0).opShape().isEmpty();
    return new HistStrategy.Shared(
        mayBeSeveral ? context.number(PASS_BYTES) / read : 1,
        isLocked ? context.number(LOCKED_COPIES) : context.number(COPIES),
        context.number(THREADS),
        context.number(BLOCKS),
        isLocked && isOne ? context.number(PARTS) : 0);
  }

  private HistStrategy.Global global(SegOp.SegHist h, int binBytes, boolean isOpen) {
    int blocks = isOpen ? context.number(MORE_BLOCKS) : 1;
    SegOp.SegHistOp op = h.ops().get(0);
    boolean isOne = h.ops().size() == 1 && op.shape().size() == 1 && op.opShape().isEmpty();
    long part = Math.max(1, context.number(BIN_BYTES) / Math.max(1, binBytes));
    OptionalLong count = binCount(op);
    boolean fits = count.isPresent() && count.getAsLong() <= part;
    int passes = context.number(BIN_READS) / Math.max(1, bytesRead(h.body()));
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
    return !loops[0] && count[0] <= context.number(STATEMENTS);
  }
}
