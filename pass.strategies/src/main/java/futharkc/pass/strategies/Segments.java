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
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.memory.ReadOffsets;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A choice of the division of a GPU's segments among threads. */
final class Segments {
  /** The elements of a long segment that justify a thread of its reduction. */
  static final Option ELEMENTS_PER_THREAD =
      Option.integer(
              "thread-elements",
              16,
              "elements of a long segment that justify a thread of its reduction")
          .within(1, Integer.MAX_VALUE);

  /**
   * The approximate bytes of shared memory per thread for its elements in a window of a two-pass
   * scan or ordered reduction.
   */
  static final Option WINDOW_BYTES =
      Option.integer(
              "window-bytes",
              120,
              "approximate bytes of shared memory per thread for its elements in a window of a"
                  + " two-pass scan or ordered reduction")
          .within(1, 1 << 16);

  /**
   * The maximum number of elements per thread in a window of a two-pass scan or ordered reduction.
   */
  static final Option WINDOW_ELEMENTS =
      Option.integer(
              "window-elements",
              15,
              "maximum number of elements per thread in a window of a two-pass scan or ordered"
                  + " reduction; odd, so that threads use different banks")
          .within(1, 1024);

  /** The bytes of shared memory per thread that thread blocks of 256 threads may use. */
  static final Option SHARED_BYTES =
      Option.integer(
              "shared-bytes",
              175,
              "bytes of shared memory per thread that thread blocks of 256 threads may use;"
                  + " larger needs lead to smaller thread blocks")
          .within(1, 1 << 16);

  /** The maximum number of statements, at any depth, of a scan's body that is emitted twice. */
  static final Option SCAN_STATEMENTS =
      Option.integer(
          "scan-statements",
          40,
          "maximum number of statements, at any depth, of a scan's body that is emitted"
              + " twice; a longer body is emitted once, with a bounds test per element");

  /** The maximum number of partial results of a segment that a single thread combines. */
  static final Option PARTS =
      Option.integer(
          "parts",
          8,
          "maximum number of partial results of a segment that a single thread combines");

  /**
   * The elements per thread of a reduction in one contiguous chunk, before the thread block
   * continues after the chunks of all others.
   */
  static final Option CHUNK_ROUNDS =
      Option.integer(
              "chunk-rounds",
              32,
              "elements per thread of a reduction in one contiguous chunk, before the thread"
                  + " block continues after the chunks of all others")
          .within(1, 1 << 16);

  /**
   * The maximum number of thread blocks, as a multiple of the grid, of a segmented or
   * non-commutative reduction.
   */
  static final Option BLOCK_ROUNDS =
      Option.integer(
              "block-rounds",
              8,
              "maximum number of thread blocks, as a multiple of the grid, of a segmented or"
                  + " non-commutative reduction")
          .within(1, 1 << 16);

  /**
   * The minimum number of elements per thread in a chunk of a segment if there are more chunks than
   * thread blocks.
   */
  static final Option PART_ROUNDS =
      Option.integer(
              "part-rounds",
              8,
              "minimum number of elements per thread in a chunk of a segment if there are more"
                  + " chunks than thread blocks: the elements that a thread loads at a time")
          .within(1, 1 << 16);

  /**
   * The maximum number of statements of a reduction's body and operators for which 32 registers
   * suffice.
   */
  static final Option RESIDENT_STATEMENTS =
      Option.integer(
          "resident-statements",
          16,
          "maximum number of statements of a reduction's body and operators for which 32"
              + " registers suffice");

  /** The maximum bytes of a reduction's operands for which 32 registers suffice. */
  static final Option RESIDENT_BYTES =
      Option.integer(
          "resident-bytes",
          8,
          "maximum bytes of a reduction's operands for which 32 registers suffice");

  /** The maximum number of elements per thread of a single-pass scan. */
  static final Option SCAN_ELEMENTS =
      Option.integer(
              "scan-elements",
              31,
              "maximum number of elements per thread of a single-pass scan; odd, so that threads"
                  + " use different banks. With more elements, fewer thread blocks wait, but less"
                  + " of the cache remains beside shared memory")
          .within(1, 1024);

  /** The maximum number of elements per thread of a segmented single-pass scan. */
  static final Option SEGMENTED_ELEMENTS =
      Option.integer(
              "segmented-elements",
              23,
              "maximum number of elements per thread of a segmented single-pass scan; odd")
          .within(1, 1024);

  /** The approximate bytes of shared memory per thread of a single-pass scan for its elements. */
  static final Option SCAN_BYTES =
      Option.integer(
              "scan-bytes",
              124,
              "approximate bytes of shared memory per thread of a single-pass scan for its"
                  + " elements")
          .within(1, 1 << 16);

  /** The minimum number of elements per thread of a single-pass scan if they fit in least-bytes. */
  static final Option LEAST_ELEMENTS =
      Option.integer(
          "least-elements",
          7,
          "minimum number of elements per thread of a single-pass scan if they fit in"
              + " least-bytes");

  /** The bytes of shared memory per thread for least-elements elements. */
  static final Option LEAST_BYTES =
      Option.integer(
          "least-bytes", 224, "bytes of shared memory per thread for least-elements elements");

  /**
   * The maximum element size in bytes for which light single-pass scans are compiled with a
   * register limit that fills a multiprocessor.
   */
  static final Option RESIDENT_SCAN_BYTES =
      Option.integer(
          "resident-scan-bytes",
          4,
          "maximum element size in bytes for which light single-pass scans are compiled with"
              + " a register limit that fills a multiprocessor");

  /** The options of the pass. */
  static final List<Option> OPTIONS =
      List.of(
          ELEMENTS_PER_THREAD,
          WINDOW_BYTES,
          WINDOW_ELEMENTS,
          SHARED_BYTES,
          SCAN_STATEMENTS,
          PARTS,
          CHUNK_ROUNDS,
          BLOCK_ROUNDS,
          PART_ROUNDS,
          RESIDENT_STATEMENTS,
          RESIDENT_BYTES,
          SCAN_ELEMENTS,
          SEGMENTED_ELEMENTS,
          SCAN_BYTES,
          LEAST_ELEMENTS,
          LEAST_BYTES,
          RESIDENT_SCAN_BYTES);

  private final PassContext context;
  private final boolean inOnePass;

  /**
   * Creates the choice.
   *
   * @param inOnePass true if thread blocks of scans wait for earlier ones
   */
  Segments(PassContext context, boolean inOnePass) {
    this.context = context;
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
          context.machine().device().warp(),
          context.number(ELEMENTS_PER_THREAD),
          context.number(SHARED_BYTES));
    }
    boolean isSegmented = isSegmented(r);
    boolean commutes = r.ops().stream().allMatch(UpdateStrategy::commutes);
    int bytes = bytes(r.ops());
    SegStrategy.Order order =
        commutes
            ? new SegStrategy.AnyOrder(
                context.number(CHUNK_ROUNDS), isSegmented ? context.number(PART_ROUNDS) : 0)
            : windows(bytes);
    // Only a reduction of one segment needs all thread blocks to be resident at once; segmented
    // reductions are slower with few registers.
    boolean isResident = commutes && !isSegmented;
    return new SegStrategy.Blocks(
        isSegmented,
        order,
        isResident ? 1 : context.number(BLOCK_ROUNDS),
        context.number(PARTS),
        isResident ? resident(bytesInRegisters(r.ops()), r.ops(), r.body().stms()) : 0,
        context.number(SHARED_BYTES));
  }

  /** Chooses the passes of a scan. */
  SegStrategy choose(SegOp.SegScan c) {
    if (!areScalars(c.ops())) {
      return new SegStrategy.Threads();
    }
    int bytes = bytes(c.ops());
    if (!inOnePass) {
      return new SegStrategy.TwoPasses(windows(bytes), context.number(SHARED_BYTES));
    }
    List<Stm> stms = new ArrayList<>(c.body().stms());
    stms.addAll(c.post().body().stms());
    boolean isSmall = bytes <= context.number(RESIDENT_SCAN_BYTES);
    return new SegStrategy.OnePass(
        new SegStrategy.Windows(
            odd(scanElements(bytes, isSegmented(c))), context.number(SCAN_STATEMENTS)),
        isSmall ? resident(bytesInRegisters(c.ops()), c.ops(), stms) : 0,
        context.number(SHARED_BYTES));
  }

  /**
   * Returns the number of elements per thread of a single-pass scan.
   *
   * @param each the bytes per element
   */
  private int scanElements(int each, boolean segmented) {
    int size = Math.max(1, each);
    int least = Math.min(context.number(LEAST_ELEMENTS), context.number(LEAST_BYTES) / size);
    int some =
        Math.min(context.number(SCAN_ELEMENTS), Math.max(context.number(SCAN_BYTES) / size, least));
    return segmented ? Math.min(some, context.number(SEGMENTED_ELEMENTS)) : some;
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
    int items =
        Math.min(
            context.number(WINDOW_ELEMENTS), context.number(WINDOW_BYTES) / Math.max(1, bytes));
    return new SegStrategy.Windows(odd(items), context.number(SCAN_STATEMENTS));
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
    boolean isSmall =
        bytes <= context.number(RESIDENT_BYTES) && count[0] <= context.number(RESIDENT_STATEMENTS);
    return isSmall && !loops[0] ? context.machine().device().threads().resident() : 0;
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
