package futharkc.pass.strategies;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SegStrategy;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Target;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.memory.ReadOffsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A choice of the division of a GPU's segments among threads. */
final class Segments {
  private final Target.Kernels limits;
  private final Target.OnePass onePass;
  private final boolean inOnePass;

  /**
   * Creates the choice.
   *
   * @param inOnePass true if thread blocks of scans wait for earlier ones
   */
  Segments(Target.Kernels limits, Target.OnePass onePass, boolean inOnePass) {
    this.limits = limits;
    this.onePass = onePass;
    this.inOnePass = inOnePass;
  }

  /**
   * Chooses the division of a reduction.
   *
   * @param layouts the index functions of arrays
   */
  SegStrategy choose(SegOp.SegRed r, Function<Name, Lmad> layouts) {
    if (!areScalars(r.ops())) {
      return new SegStrategy.Threads();
    }
    if (alternate(r, layouts)) {
      return new SegStrategy.Columns(
          limits.warp(), limits.elementsForThread(), limits.sharedOfThread());
    }
    boolean isSegmented = isSegmented(r);
    boolean commutes = r.ops().stream().allMatch(UpdateStrategy::commutes);
    int bytes = bytes(r.ops());
    SegStrategy.Order order =
        commutes
            ? new SegStrategy.AnyOrder(
                limits.roundsOfPiece(), isSegmented ? limits.roundsOfPart() : 0)
            : windows(bytes);
    // Only a reduction of one segment needs all thread blocks to be resident at once; segmented
    // reductions are slower with few registers.
    boolean isResident = commutes && !isSegmented;
    return new SegStrategy.Blocks(
        isSegmented,
        order,
        isResident ? 1 : limits.roundsOfBlocks(),
        limits.partsOfThread(),
        isResident ? resident(bytesInRegisters(r.ops()), r.ops(), r.body().stms()) : 0,
        limits.sharedOfThread());
  }

  /** Chooses the passes of a scan. */
  SegStrategy choose(SegOp.SegScan c) {
    if (!areScalars(c.ops())) {
      return new SegStrategy.Threads();
    }
    int bytes = bytes(c.ops());
    if (!inOnePass) {
      return new SegStrategy.TwoPasses(windows(bytes), limits.sharedOfThread());
    }
    List<Stm> stms = new ArrayList<>(c.body().stms());
    stms.addAll(c.post().body().stms());
    boolean isSmall = bytes <= onePass.residentBytes();
    return new SegStrategy.OnePass(
        new SegStrategy.Windows(
            odd(onePass.elements(bytes, isSegmented(c))), limits.scanStatements()),
        isSmall ? resident(bytesInRegisters(c.ops()), c.ops(), stms) : 0,
        limits.sharedOfThread());
  }

  private static boolean areScalars(List<SegOp.SegBinOp> ops) {
    return ops.stream().allMatch(o -> o.shape().isEmpty());
  }

  private static boolean isSegmented(SegOp op) {
    List<SegSpace.Dim> dims = op.space().dims();
    return !dims.subList(0, dims.size() - 1).stream()
        .allMatch(d -> d.size() instanceof SubExp.Const c && c.value().asLong() == 1);
  }

  private SegStrategy.Windows windows(int bytes) {
    int items = Math.min(limits.scanElements(), limits.scanBytes() / Math.max(1, bytes));
    return new SegStrategy.Windows(odd(items), limits.scanStatements());
  }

  /** Returns an odd number of elements, so that threads access different banks. */
  private static int odd(int items) {
    return Math.max(1, items % 2 == 0 ? items - 1 : items);
  }

  /** Returns the bytes of an element of all operators. */
  private static int bytes(List<SegOp.SegBinOp> ops) {
    return operands(ops).stream().mapToInt(p -> p.type().elemPrim().bytes()).sum();
  }

  /** Returns the bytes of registers that hold an element of all operators. */
  private static int bytesInRegisters(List<SegOp.SegBinOp> ops) {
    return operands(ops).stream().mapToInt(p -> Math.max(4, p.type().elemPrim().bytes())).sum();
  }

  private static List<Param> operands(List<SegOp.SegBinOp> ops) {
    List<Param> all = new ArrayList<>();
    for (SegOp.SegBinOp o : ops) {
      all.addAll(o.op().params().subList(0, o.neutral().size()));
    }
    return all;
  }

  /**
   * Returns the desired number of resident threads per multiprocessor: the maximum if a thread
   * needs few registers, else 0 for any number.
   */
  private int resident(int bytes, List<SegOp.SegBinOp> ops, List<Stm> stms) {
    List<Stm> all = new ArrayList<>(stms);
    for (SegOp.SegBinOp o : ops) {
      all.addAll(o.op().body().stms());
    }
    int[] count = {0};
    boolean[] loops = {false};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        count[0]++;
        loops[0] |= e instanceof Exp.Loop;
        return super.exp(e);
      }
    }.stms(all);
    boolean isSmall = bytes <= limits.residentBytes() && count[0] <= limits.residentStatements();
    return isSmall && !loops[0] ? limits.resident() : 0;
  }

  /** Tests whether most reads are adjacent for adjacent segments, rather than within a segment. */
  private static boolean alternate(SegOp.SegRed r, Function<Name, Lmad> layouts) {
    List<SegSpace.Dim> dims = r.space().dims();
    Name inSegment = dims.get(dims.size() - 1).index();
    Name segment = dims.get(dims.size() - 2).index();
    int across = 0;
    int along = 0;
    for (Poly at : ReadOffsets.of(r.body().stms(), layouts)) {
      Poly inside = ReadOffsets.stride(at, inSegment);
      if (isOne(inside)) {
        along++;
      } else if (isOne(ReadOffsets.stride(at, segment)) && !inside.isZero()) {
        across++;
      }
    }
    return across > along;
  }

  private static boolean isOne(Poly stride) {
    Long c = stride.constant();
    return c != null && Math.abs(c) == 1;
  }
}
