package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The accumulators of each thread of a thread block, for operators on scalars, and their
 * combination across threads by shared memory or shuffles. Only adjacent values are combined, so
 * that operators need not commute.
 */
final class ThreadAccumulators {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final Operators operators;
  private final KernelFrame frame;
  private final List<SegOp.SegBinOp> ops;
  private final List<List<Name>> own = new ArrayList<>();
  private final List<List<Name>> exchange = new ArrayList<>();

  /** Declares accumulators with neutral elements, and shared memory for all threads. */
  ThreadAccumulators(
      FunctionSymbols scope,
      Kernels kernels,
      Operators operators,
      KernelFrame frame,
      List<SegOp.SegBinOp> ops,
      List<Code> out) {
    this(scope, kernels, operators, frame, ops, Poly.of(frame.threads), out);
  }

  /**
   * Declares accumulators with neutral elements, and shared memory for some threads.
   *
   * @param slots the number of threads that publish accumulated values
   */
  ThreadAccumulators(
      FunctionSymbols scope,
      Kernels kernels,
      Operators operators,
      KernelFrame frame,
      List<SegOp.SegBinOp> ops,
      Poly slots,
      List<Code> out) {
    this.scope = scope;
    this.kernels = kernels;
    this.operators = operators;
    this.frame = frame;
    this.ops = ops;
    for (SegOp.SegBinOp op : ops) {
      List<Name> names = new ArrayList<>();
      List<Name> blocks = new ArrayList<>();
      for (SubExp neutral : op.neutral()) {
        PrimType elem = scope.type(neutral).elemPrim();
        Name n = scope.names.fresh("acc");
        scope.declare(n, Type.prim(elem), scope.expr(neutral), out);
        names.add(n);
        blocks.add(frame.shared("exchange", slots.times(elem.bytes())));
      }
      own.add(names);
      exchange.add(blocks);
    }
  }

  /** Tests whether all operators are on scalars. */
  static boolean fit(List<SegOp.SegBinOp> ops) {
    return ops.stream().allMatch(o -> o.shape().isEmpty());
  }

  private PrimType elem(int op, int j) {
    return scope.type(ops.get(op).neutral().get(j)).elemPrim();
  }

  private Expr own(int op, int j) {
    return new Expr.Var(own.get(op).get(j), elem(op, j));
  }

  private Expr exchanged(int op, int j, Poly thread) {
    return new Expr.Load(exchange.get(op).get(j), elem(op, j), thread);
  }

  /**
   * Applies a function to each operand, given the index of its operator and its index among that
   * operator's operands.
   */
  <T> List<T> each(BiFunction<Integer, Integer, T> f) {
    List<T> all = new ArrayList<>();
    for (int o = 0; o < ops.size(); o++) {
      for (int j = 0; j < own.get(o).size(); j++) {
        all.add(f.apply(o, j));
      }
    }
    return all;
  }

  /** Returns the element types of all operands. */
  List<PrimType> types() {
    return each(this::elem);
  }

  /** Returns the accumulated values. */
  List<Expr> values() {
    return each(this::own);
  }

  /** Resets the accumulators to the neutral elements. */
  void reset(List<Code> out) {
    each((o, j) -> out.add(new Code.Assign(own.get(o).get(j), neutral(o, j))));
  }

  Expr neutral(int op, int j) {
    return scope.expr(ops.get(op).neutral().get(j));
  }

  /** Replaces the accumulated values. */
  void set(List<Expr> values, List<Code> out) {
    int[] k = {0};
    each((o, j) -> out.add(new Code.Assign(own.get(o).get(j), values.get(k[0]++))));
  }

  /** Combines the accumulated values with later ones. */
  void append(List<Expr> right, List<Code> out) {
    combine(values(), right, out);
  }

  /** Combines earlier values with the accumulated ones. */
  void prepend(List<Expr> left, List<Code> out) {
    combine(left, values(), out);
  }

  /** Replaces the accumulated values by a combination of two others. */
  void combine(List<Expr> left, List<Expr> right, List<Code> out) {
    int at = 0;
    for (int o = 0; o < ops.size(); o++) {
      int op = o;
      int n = own.get(o).size();
      List<Code> step = new ArrayList<>();
      operators.apply(
          ops.get(o).op(),
          left.subList(at, at + n),
          right.subList(at, at + n),
          results -> {
            for (int j = 0; j < n; j++) {
              step.add(new Code.Assign(own.get(op).get(j), scope.expr(results.get(j))));
            }
          },
          step);
      out.add(new Code.Scope(step));
      at += n;
    }
  }

  // Across threads

  /** Publishes the accumulated values; other threads can read them after a barrier. */
  void publish(List<Code> out) {
    publish(Poly.of(frame.thread), out);
  }

  /** Publishes the accumulated values in the slot of another thread. */
  void publish(Poly place, List<Code> out) {
    each((o, j) -> out.add(new Code.Store(exchange.get(o).get(j), elem(o, j), place, own(o, j))));
  }

  /** Returns the values that a thread has published. */
  List<Expr> published(Poly thread) {
    return each((o, j) -> exchanged(o, j, thread));
  }

  /**
   * Combines the accumulated values of groups of {@code limit} adjacent threads; the first thread
   * of a group has the result. The code begins by publishing, so earlier reads must be behind a
   * barrier.
   *
   * @param position the index of the thread in its group
   * @param limit the size of the group; 0 for a thread in no group
   * @param most the maximum size of a group, equal for all threads of the thread block
   */
  void reduce(Expr position, Expr limit, Poly most, List<Code> out) {
    reduce(position, limit, most, Poly.ONE, out);
  }

  /**
   * Combines the accumulated values of all threads of the thread block. The first thread has the
   * result and has published it. Earlier reads of published values must be behind a barrier.
   */
  void reduce(List<Code> out) {
    int width = scope.number(KernelOptions.SHUFFLED);
    if (width == 1) {
      reduceShared(out);
    } else {
      shuffle(width, out);
    }
  }

  /**
   * Combines the accumulated values of all threads through shared memory, which is faster for
   * repeated reductions.
   */
  void reduceShared(List<Code> out) {
    reduce(Expr.i64(frame.thread), Expr.i64(frame.threads), Poly.of(frame.threads), out);
  }

  /**
   * Combines the accumulated values of all threads by shuffles within warps, until one warp has all
   * values.
   */
  private void shuffle(int width, List<Code> out) {
    Expr thread = Expr.i64(frame.thread);
    Name left = kernels.let("left", Expr.i64(frame.threads), out);
    Name more = scope.names.fresh("more");
    out.add(new Code.Declare(more, PrimType.BOOL, Expr.bool(true)));
    List<Code> round = new ArrayList<>();
    kernels.doubling(
        Poly.of(width),
        (stride, code) -> {
          List<Expr> further = shuffled(Expr.i64(stride), width, code);
          List<Code> take = new ArrayList<>();
          kernels.attempt(c -> append(further, c), take);
          code.add(new Code.If(takesPart(thread, stride, Expr.i64(left)), take, List.of()));
        },
        round);
    Poly group = Poly.of(kernels.let("group", binary(BinOp.Kind.SQUOT, thread, width), round));
    List<Code> show = new ArrayList<>();
    publish(group, show);
    Expr isFirst = isZero(binary(BinOp.Kind.AND, thread, width - 1));
    round.add(new Code.If(isFirst, show, List.of()));
    round.add(new Code.Assign(left, binary(BinOp.Kind.SDIV_UP, Expr.i64(left), width)));
    round.add(new Code.Barrier());
    List<Code> see = new ArrayList<>();
    set(published(Poly.of(frame.thread)), see);
    round.add(new Code.If(Expr.less(thread, Expr.i64(left)), see, List.of()));
    round.add(new Code.Barrier());
    round.add(new Code.Assign(more, Expr.less(Expr.i64(1), Expr.i64(left))));
    out.add(new Code.While(more, round));
  }

  /**
   * Returns the accumulated values of the thread at a distance within the warp; a negative distance
   * means an earlier thread.
   */
  List<Expr> shuffled(Expr distance, int width, List<Code> out) {
    return each(
        (o, j) -> {
          Name n = scope.names.fresh("other");
          out.add(new Code.Shuffle(n, elem(o, j), own(o, j), distance, width));
          return new Expr.Var(n, elem(o, j));
        });
  }

  private static Expr binary(BinOp.Kind kind, Expr e, long by) {
    return Expr.binary(kind, e, Expr.i64(by));
  }

  private static Expr isZero(Expr e) {
    return new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I64), e, Expr.i64(0));
  }

  /**
   * Returns an expression for whether a thread combines its value with that of the thread at a
   * stride.
   */
  private static Expr takesPart(Expr position, Name stride, Expr limit) {
    Expr mask = new Expr.Index(Poly.of(stride).times(2).minus(Poly.ONE));
    Expr peer = Expr.binary(BinOp.Kind.ADD, position, Expr.i64(stride));
    return Expr.and(isZero(Expr.binary(BinOp.Kind.AND, position, mask)), Expr.less(peer, limit));
  }

  /**
   * Combines the accumulated values of groups whose adjacent members are several threads apart.
   *
   * @param apart the distance of adjacent members in threads, equal for all threads of the thread
   *     block
   */
  void reduce(Expr position, Expr limit, Poly most, Poly apart, List<Code> out) {
    publish(out);
    out.add(new Code.Barrier());
    kernels.doubling(
        most,
        (stride, code) -> {
          List<Code> take = new ArrayList<>();
          Poly neighbour = Poly.of(frame.thread).plus(Poly.of(stride).times(apart));
          kernels.attempt(c -> append(published(neighbour), c), take);
          publish(take);
          code.add(new Code.If(takesPart(position, stride, limit), take, List.of()));
          code.add(new Code.Barrier());
        },
        out);
  }

  /**
   * Combines the accumulated values of each thread with those of all earlier threads (an inclusive
   * scan). Other threads may still read the published values afterwards.
   *
   * @param crosses tests whether a segment boundary separates two threads; null if there is one
   *     segment
   * @param reach a distance in threads from which on a segment boundary separates threads, or the
   *     number of threads; equal for all threads
   */
  void scan(@Nullable BiFunction<Poly, Poly, Expr> crosses, Poly reach, List<Code> out) {
    int width = scope.number(KernelOptions.SHUFFLED);
    if (width == 1) {
      scanShared(crosses, reach, out);
    } else {
      scanShuffled(width, crosses, out);
    }
  }

  private void scanShared(
      @Nullable BiFunction<Poly, Poly, Expr> crosses, Poly reach, List<Code> out) {
    publish(out);
    out.add(new Code.Barrier());
    kernels.doubling(
        reach,
        (stride, code) -> {
          Poly before = Poly.of(frame.thread).minus(Poly.of(stride));
          Expr has = Expr.atMost(Expr.i64(stride), Expr.i64(frame.thread));
          List<Code> take = new ArrayList<>();
          precede(published(before), before, crosses, take);
          code.add(new Code.If(has, take, List.of()));
          code.add(new Code.Barrier());
          publish(code);
          code.add(new Code.Barrier());
        },
        out);
  }

  /** Scans by shuffles within warps; then the last thread of each warp publishes its result. */
  private void scanShuffled(
      int width, @Nullable BiFunction<Poly, Poly, Expr> crosses, List<Code> out) {
    Poly thread = Poly.of(frame.thread);
    Expr inWarp =
        Expr.i64(
            kernels.let("in_warp", binary(BinOp.Kind.AND, Expr.i64(frame.thread), width - 1), out));
    Poly group =
        Poly.of(kernels.let("group", binary(BinOp.Kind.SQUOT, Expr.i64(frame.thread), width), out));
    kernels.doubling(
        Poly.of(width),
        (stride, code) -> {
          Poly by = Poly.of(stride);
          List<Expr> others = shuffled(new Expr.Index(Poly.ZERO.minus(by)), width, code);
          List<Code> take = new ArrayList<>();
          precede(others, thread.minus(by), crosses, take);
          code.add(new Code.If(Expr.atMost(Expr.i64(stride), inWarp), take, List.of()));
        },
        out);
    List<Code> show = new ArrayList<>();
    publish(group, show);
    out.add(new Code.If(Expr.atMost(Expr.i64(width - 1), inWarp), show, List.of()));
    out.add(new Code.Barrier());
    Name n = scope.names.fresh("before");
    scope.add(n, Type.I64);
    Poly other = group.minus(Poly.of(n)).minus(Poly.ONE);
    List<Code> take = new ArrayList<>();
    precede(published(other), other.plus(Poly.ONE).times(width).minus(Poly.ONE), crosses, take);
    out.add(new Code.For(n, PrimType.I64, Expr.i64(0), new Expr.Index(group), take));
  }

  /**
   * Combines the values of an earlier thread with the accumulated ones, unless a segment boundary
   * separates them.
   */
  private void precede(
      List<Expr> theirs,
      Poly other,
      @Nullable BiFunction<Poly, Poly, Expr> crosses,
      List<Code> out) {
    List<Code> take = new ArrayList<>();
    kernels.attempt(c -> prepend(theirs, c), take);
    if (crosses == null) {
      out.addAll(take);
    } else {
      Expr apart = crosses.apply(other, Poly.of(frame.thread));
      out.add(new Code.If(apart, List.of(), take));
    }
  }

  // Results

  /** Declares parameters as values, in order. */
  void bind(List<Param> params, List<Expr> values, List<Code> out) {
    for (int k = 0; k < values.size(); k++) {
      Param p = params.get(k);
      scope.declare(p.name(), p.type(), values.get(k), out);
    }
  }

  /** Allocates blocks of device memory with that many elements, one block for each operand. */
  List<Name> partials(Poly count, List<Code> out) {
    return types().stream()
        .map(
            t -> {
              Name n = scope.names.fresh("partials");
              Expr size = new Expr.Index(count.times(t.bytes()));
              out.add(new Code.Alloc(n, PrimType.I8, size, scope.loc()));
              return n;
            })
        .toList();
  }

  /** Returns an element of the block of each operand. */
  static List<Expr> load(List<Name> blocks, List<PrimType> types, Function<PrimType, Poly> at) {
    List<Expr> all = new ArrayList<>();
    for (int k = 0; k < blocks.size(); k++) {
      all.add(new Expr.Load(blocks.get(k), types.get(k), at.apply(types.get(k))));
    }
    return all;
  }
}
