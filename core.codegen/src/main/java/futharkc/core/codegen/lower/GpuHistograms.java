package futharkc.core.codegen.lower;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegBody;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Target;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lowers histograms on a GPU: all threads update the destinations. Where the bins fit in shared
 * memory, in a few passes if need be, and there are more inputs than those, each block has its own,
 * of few bins several copies, which are combined with the destinations in the end.
 */
final class GpuHistograms {
  private final Scope scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final Nest nest;
  private final Operators operators;
  private final AtomicUpdates atomics;
  private final Target.DeviceHistograms limits;

  GpuHistograms(
      Scope scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      Nest nest,
      Operators operators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.statements = statements;
    this.nest = nest;
    this.operators = operators;
    this.atomics = new AtomicUpdates(scope, operators);
    this.limits = scope.target.kernels().histograms();
  }

  /** Whether some operator needs locks. */
  static boolean needsLocks(SegOp.SegHist h) {
    return !h.ops().stream().allMatch(o -> UpdateStrategy.isOneByOne(o.op(), o.dests().size()));
  }

  void lower(Stm s, SegOp.SegHist h, List<Code> all) {
    List<Code> out = new ArrayList<>();
    Name locks = needsLocks(h) ? kernels.locks(out) : null;
    Kernels.Grid grid = kernels.grid(h.level(), "seghist", true, out);
    List<Code> global = new ArrayList<>();
    global(h, grid, locks, global);
    Name most = scope.names.fresh("most");
    out.add(new Code.GetSizeMax(most, SizeClass.Plain.SHARED_MEMORY));
    Plan plan = plan(h, grid, most, out);
    List<Code> shared = new ArrayList<>();
    new Shared(h, plan, locks).lower(grid, shared);
    out.add(new Code.If(plan.isChosen, shared, global));
    if (locks != null) out.add(new Code.Free(locks, PrimType.I8, List.of()));
    all.add(new Code.Scope(out));
  }

  /**
   * How a histogram is made in shared memory.
   *
   * @param per how many bins of an operator a block has at a time
   * @param copies of them
   * @param threads of a block
   * @param inSeveralPasses whether there may be more bins than that
   */
  private record Plan(
      Expr isChosen, @Nullable Poly per, Poly copies, Expr threads, boolean inSeveralPasses) {}

  private Plan plan(SegOp.SegHist h, Kernels.Grid grid, Name memory, List<Code> out) {
    Poly bytes = Poly.ZERO;
    Poly bins = Poly.ZERO;
    for (SegOp.SegHistOp o : h.ops()) {
      bins = bins.plus(bins(o));
      bytes = bytes.plus(bins(o).times(binBytes(o)));
    }
    // Of the shared memory, a half: so that two blocks can run on a multiprocessor.
    Expr half = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(memory), Expr.i64(2));
    Long known = bytes.constant();
    boolean isLittle = known != null && known <= limits.certainBytes();
    boolean severalPasses = h.ops().size() == 1 && isCheap(h.body()) && !isLittle;
    Poly per = null;
    Expr fits = Expr.atMost(new Expr.Index(bytes.times(2)), Expr.i64(memory));
    if (severalPasses) {
      int each = binBytes(h.ops().get(0));
      Expr room = Expr.binary(BinOp.Kind.SQUOT, half, Expr.i64(each));
      Expr some = Expr.binary(BinOp.Kind.SMIN, new Expr.Index(bins), room);
      per = Poly.of(kernels.let("per", Expr.binary(BinOp.Kind.SMAX, some, Expr.i64(1)), out));
      bytes = per.times(each);
      fits =
          Expr.atMost(
              new Expr.Index(bins),
              new Expr.Index(
                  per.times(
                      limits.passBytes()
                          / Math.max(4, Math.min(limits.passBytes(), bytesRead(h.body()))))));
    }
    List<SegSpace.Dim> dims = h.space().dims();
    Poly inputs = scope.poly(dims.get(dims.size() - 1).size());
    Expr worthIt = Expr.atMost(new Expr.Index(bins), new Expr.Index(inputs));
    if (dims.size() > 1) {
      Expr enough = Expr.atMost(grid.threads(), new Expr.Index(inputs));
      worthIt = Expr.and(worthIt, enough);
    }
    // An eighth for each of the blocks that run on a multiprocessor, and half of that to spare.
    Expr few = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(memory), Expr.i64(16));
    Expr used = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(bytes), Expr.i64(1));
    Expr copies = Expr.binary(BinOp.Kind.SQUOT, few, used);
    int most = needsLocks(h) ? limits.lockedCopies() : limits.copies();
    Expr limited = Expr.binary(BinOp.Kind.SMIN, copies, Expr.i64(most));
    Name own = kernels.let("copies", Expr.binary(BinOp.Kind.SMAX, limited, Expr.i64(1)), out);
    Name maximum = scope.names.fresh("maximum");
    out.add(new Code.GetSizeMax(maximum, SizeClass.Plain.THREAD_BLOCK_SIZE));
    Name threads = kernels.let("threads", grid.threads(), out);
    Expr many = Expr.binary(BinOp.Kind.SMIN, Expr.i64(maximum), Expr.i64(limits.threads()));
    Expr more = Expr.binary(BinOp.Kind.SMAX, many, grid.threads());
    Expr isMuch = Expr.less(Expr.i64(memory), new Expr.Index(bytes.times(8)));
    out.add(new Code.If(isMuch, List.of(new Code.Assign(threads, more)), List.of()));
    return new Plan(Expr.and(fits, worthIt), per, Poly.of(own), Expr.i64(threads), severalPasses);
  }

  private int binBytes(SegOp.SegHistOp op) {
    return op.dests().stream().mapToInt(d -> scope.type(d).elemPrim().bytes()).sum();
  }

  /** Bytes of the elements that a body reads. */
  private int bytesRead(SegBody body) {
    int bytes = 0;
    for (Stm s : body.stms()) {
      Type t = s.pat().get(0).type();
      if (s.exp() instanceof BasicOp.Index && t instanceof Type.Prim) bytes += t.elemPrim().bytes();
    }
    return bytes;
  }

  /** Whether a body can be evaluated several times, and cheaply. */
  private boolean isCheap(SegBody body) {
    int[] count = {0};
    boolean[] pure = {true};
    new Mapper() {
      @Override
      public Exp exp(Exp e) {
        count[0]++;
        pure[0] &= !(e instanceof BasicOp.UpdateAcc || e instanceof Exp.Loop);
        return super.exp(e);
      }
    }.stms(body.stms());
    return pure[0] && count[0] <= limits.statements();
  }

  /** Updates by the threads of a block. */
  void inBlock(SegOp.SegHist h, List<Code> out) {
    KernelFrame k = scope.frame();
    List<SegSpace.Dim> dims = h.space().dims();
    Name locks = needsLocks(h) ? kernels.locksInBlock(k, out) : null;
    kernels.together(
        code -> {
          Place block = scope.enter(Place.THREAD, k);
          kernels.strided(
              Poly.of(k.thread),
              Poly.of(k.threads),
              nest.size(dims),
              (i, one) -> {
                nest.decompose(dims, i, one);
                element(h, null, null, locks, one);
              },
              code);
          scope.leave(block);
        },
        out);
  }

  /**
   * Updates of the destinations: where there are many bins, but fewer than inputs, those of a part
   * at a time, which stays in a cache.
   */
  private void global(SegOp.SegHist h, Kernels.Grid grid, @Nullable Name locks, List<Code> out) {
    List<SegSpace.Dim> dims = h.space().dims();
    SegOp.SegHistOp op = h.ops().get(0);
    boolean isOne = h.ops().size() == 1 && op.shape().size() == 1 && op.opShape().isEmpty();
    Target.Bins passes = scope.target.threads().bins();
    long part = Math.max(1, passes.bytes() / Math.max(1, binBytes(op)));
    Long known = bins(op).constant();
    boolean isLittle = known != null && known <= part;
    if (dims.size() > 1 || !isOne || !isCheap(h.body()) || isLittle) {
      global(h, grid, null, locks, out);
      return;
    }
    Poly inputs = scope.poly(dims.get(0).size());
    Name bins = kernels.let("bins", new Expr.Index(bins(op)), out);
    long most = part * (passes.read() / Math.max(1, bytesRead(h.body())));
    Expr fit = Expr.atMost(Expr.i64(bins), Expr.i64(most));
    Expr isWorthIt = Expr.and(fit, Expr.atMost(Expr.i64(bins), new Expr.Index(inputs)));
    Name some = kernels.let("part", Expr.i64(bins), out);
    out.add(
        new Code.If(
            isWorthIt,
            List.of(
                new Code.Assign(
                    some, Expr.binary(BinOp.Kind.SMIN, Expr.i64(some), Expr.i64(part)))),
            List.of()));
    Name from = kernels.let("from", Expr.i64(0), out);
    Name more = scope.names.fresh("more");
    out.add(new Code.Declare(more, PrimType.BOOL, Expr.bool(true)));
    List<Code> pass = new ArrayList<>();
    Poly left = Poly.of(bins).minus(Poly.of(from));
    Expr count = Expr.binary(BinOp.Kind.SMIN, new Expr.Index(left), Expr.i64(some));
    Pass now = new Pass(Poly.of(from), Poly.of(kernels.let("count", count, pass)));
    global(h, grid, now, locks, pass);
    pass.add(new Code.Assign(from, new Expr.Index(Poly.of(from).plus(Poly.of(some)))));
    pass.add(new Code.Assign(more, Expr.less(Expr.i64(from), Expr.i64(bins))));
    out.add(new Code.While(more, pass));
  }

  private void global(
      SegOp.SegHist h,
      Kernels.Grid grid,
      @Nullable Pass pass,
      @Nullable Name locks,
      List<Code> out) {
    List<SegSpace.Dim> dims = h.space().dims();
    kernels.forEach(
        "seghist_global",
        grid,
        nest.size(dims),
        (i, one) -> {
          nest.decompose(dims, i, one);
          element(h, null, pass, locks, one);
        },
        out);
  }

  /** Evaluates the body, and updates the destinations or a block's own bins. */
  private void element(
      SegOp.SegHist h,
      @Nullable Own own,
      @Nullable Pass pass,
      @Nullable Name locks,
      List<Code> out) {
    List<SubExp> results = h.body().values();
    statements.lower(h.body().stms(), results, List.of(), out);
    int indices = h.ops().stream().mapToInt(o -> o.shape().size()).sum();
    int at = 0;
    int value = indices;
    List<SegSpace.Dim> dims = h.space().dims();
    List<Poly> outer =
        dims.subList(0, dims.size() - 1).stream().map(d -> Poly.of(d.index())).toList();
    for (int o = 0; o < h.ops().size(); o++) {
      SegOp.SegHistOp op = h.ops().get(o);
      List<SubExp> bin = results.subList(at, at + op.shape().size());
      List<SubExp> values = results.subList(value, value + op.dests().size());
      at += bin.size();
      value += values.size();
      int number = o;
      List<Code> update = new ArrayList<>();
      operators.elementwise(
          op.opShape(),
          v -> {
            List<Poly> place = new ArrayList<>(outer);
            for (SubExp b : bin) place.add(scope.poly(b));
            place.addAll(v);
            List<Expr> added = new ArrayList<>();
            for (SubExp x : values) added.add(operators.value(x, v));
            List<Code> step = new ArrayList<>();
            Poly flat = Poly.ZERO;
            List<SubExp> shape = shape(op);
            List<Poly> inBins = place.subList(outer.size(), place.size());
            for (int d = 0; d < shape.size(); d++) {
              flat = flat.times(scope.poly(shape.get(d))).plus(inBins.get(d));
            }
            List<AtomicUpdates.Target> targets =
                own == null
                    ? destinations(op, place)
                    : own.targets(number, Poly.of(kernels.let("bin", new Expr.Index(flat), step)));
            Poly key = own == null ? key(number, flat, outer) : targets.get(0).at();
            List<Code> combined = new ArrayList<>();
            atomics.combine(op.op(), targets, added, key, locks, combined);
            step.addAll(pass == null ? combined : pass.guarded(flat, combined));
            return List.of(new Code.Scope(step));
          },
          update);
      // A bin that is none is in no pass either.
      boolean guardsAll = pass != null && op.shape().size() == 1 && op.opShape().isEmpty();
      if (guardsAll) out.addAll(update);
      else out.add(arrays.whereInside(bin, op.shape(), update));
    }
  }

  /** Which updates of destinations exclude each other, where they take a lock. */
  private static Poly key(int operator, Poly bin, List<Poly> outer) {
    Poly key = Poly.of(operator).times(7919).plus(bin);
    for (Poly p : outer) key = key.times(31).plus(p);
    return key;
  }

  private static List<SubExp> shape(SegOp.SegHistOp op) {
    List<SubExp> shape = new ArrayList<>(op.shape());
    shape.addAll(op.opShape());
    return shape;
  }

  private Poly bins(SegOp.SegHistOp op) {
    return operators.size(shape(op));
  }

  private List<AtomicUpdates.Target> destinations(SegOp.SegHistOp op, List<Poly> place) {
    List<AtomicUpdates.Target> targets = new ArrayList<>();
    for (Name d : op.dests()) {
      ArrayMem m = scope.mem(d);
      Poly at = scope.place(m.lmad().index(place));
      targets.add(new AtomicUpdates.Target(m.block(), scope.type(d).elemPrim(), at));
    }
    return targets;
  }

  /**
   * A block's own bins.
   *
   * @param blocks of each operator, for each operand
   * @param copy which of the copies the thread updates
   * @param count bins of each operator that a copy has
   * @param pass which bins these are; null if there are all
   */
  private record Own(
      List<List<AtomicUpdates.Target>> blocks, Poly copy, List<Poly> count, @Nullable Pass pass) {
    List<AtomicUpdates.Target> targets(int op, Poly bin) {
      Poly base = copy.times(count.get(op));
      Poly at = base.plus(pass == null ? bin : bin.minus(pass.from));
      return blocks.get(op).stream()
          .map(t -> new AtomicUpdates.Target(t.block(), t.elem(), at))
          .toList();
    }
  }

  /**
   * The bins of a pass.
   *
   * @param count how many there are, in the last pass those that are left
   */
  private record Pass(Poly from, Poly count) {
    /** The code, if the bin is one of the pass. */
    List<Code> guarded(Poly bin, List<Code> code) {
      // As unsigned numbers, so that what comes before the first is no less than their number.
      Expr isIn =
          new Expr.Compare(
              new CmpOp(CmpOp.Kind.ULT, PrimType.I64),
              new Expr.Index(bin.minus(from)),
              new Expr.Index(count));
      return List.of(new Code.If(isIn, code, List.of()));
    }
  }

  /** The kernel whose blocks have their own bins. */
  private final class Shared {
    private final SegOp.SegHist h;
    private final Plan plan;
    private final List<SegSpace.Dim> outer;
    private final SegSpace.Dim last;
    private final List<Poly> counts = new ArrayList<>();

    /** Of the destinations; null if none are needed. */
    private final @Nullable Name locks;

    /** Of a block's bins, likewise. */
    private @Nullable Name locksOfBlock;

    Shared(SegOp.SegHist h, Plan plan, @Nullable Name locks) {
      this.h = h;
      this.plan = plan;
      this.locks = locks;
      List<SegSpace.Dim> dims = h.space().dims();
      this.outer = dims.subList(0, dims.size() - 1);
      this.last = dims.get(dims.size() - 1);
      for (SegOp.SegHistOp op : h.ops()) counts.add(plan.per == null ? bins(op) : plan.per);
    }

    /** Blocks share out segments; where there are fewer of these, several have one together. */
    void lower(Kernels.Grid grid, List<Code> out) {
      Poly segments = nest.size(outer);
      Poly inputs = scope.poly(last.size());
      Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
      Expr all = Expr.binary(BinOp.Kind.MUL, most, grid.threads());
      Expr resident = Expr.binary(BinOp.Kind.SDIV_UP, all, plan.threads);
      Expr some = Expr.binary(BinOp.Kind.SMAX, new Expr.Index(segments), Expr.i64(1));
      Expr shared = Expr.binary(BinOp.Kind.SQUOT, resident, some);
      Expr useful = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(inputs), plan.threads);
      Expr parts = Expr.binary(BinOp.Kind.SMIN, shared, useful);
      Poly each =
          Poly.of(kernels.let("parts", Expr.binary(BinOp.Kind.SMAX, parts, Expr.i64(1)), out));
      Poly total = segments.times(each);
      Name blocks =
          kernels.let("blocks", Expr.binary(BinOp.Kind.SMIN, new Expr.Index(total), resident), out);
      if (locks == null || h.ops().size() > 1 || !h.ops().get(0).opShape().isEmpty()) {
        kernel(each, total, blocks, List.of(), out);
        return;
      }
      Poly found = total.times(bins(h.ops().get(0)));
      List<Code> inParts = new ArrayList<>();
      List<Name> partials = partials(found, inParts);
      kernel(each, total, blocks, partials, inParts);
      finish(each, partials, grid, inParts);
      for (Name p : partials) inParts.add(new Code.Free(p, PrimType.I8, List.of()));
      List<Code> locked = new ArrayList<>();
      kernel(each, total, blocks, List.of(), locked);
      Expr areFew = Expr.atMost(new Expr.Index(found), Expr.i64(limits.parts()));
      out.add(new Code.If(areFew, inParts, locked));
    }

    private List<Name> partials(Poly count, List<Code> out) {
      List<Name> all = new ArrayList<>();
      for (Name d : h.ops().get(0).dests()) {
        Name n = scope.names.fresh("partials");
        scope.add(n, new Type.Mem(new Space.Device()));
        Expr bytes = new Expr.Index(count.times(scope.type(d).elemPrim().bytes()));
        out.add(new Code.Alloc(n, PrimType.I8, bytes, scope.loc()));
        all.add(n);
      }
      return all;
    }

    /** Combines each bin of the destinations with what all parts have for it: a block does. */
    private void finish(Poly parts, List<Name> partials, Kernels.Grid grid, List<Code> out) {
      SegOp.SegHistOp op = h.ops().get(0);
      Poly each = bins(op);
      Poly all = nest.size(outer).times(each);
      SegOp.SegBinOp operator = new SegOp.SegBinOp(true, op.op(), op.neutral(), List.of());
      kernels.launch(
          "seghist_parts",
          Place.THREAD,
          grid.blocks(new Expr.Index(all)),
          grid.threads(),
          (k, code) -> {
            ThreadAccumulators accs =
                new ThreadAccumulators(scope, kernels, operators, k, List.of(operator), code);
            kernels.forBlocks(
                k,
                all,
                (number, one) -> {
                  Expr of = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(number), new Expr.Index(each));
                  Name segment = kernels.let("segment", of, one);
                  Poly which = Poly.of(number).minus(Poly.of(segment).times(each));
                  Name bin = kernels.let("bin", new Expr.Index(which), one);
                  Poly first = Poly.of(segment).times(parts);
                  accs.reset(one);
                  kernels.attempt(
                      c -> {
                        Poly thread = Poly.of(k.thread);
                        Poly threads = Poly.of(k.threads);
                        found(partials, first, parts, each, bin, thread, threads, accs, c);
                      },
                      one);
                  accs.reduce(one);
                  List<Code> end = new ArrayList<>();
                  kernels.attempt(c -> add(op, segment, bin, accs, c), end);
                  one.add(new Code.If(k.isFirst(), end, List.of()));
                  one.add(new Code.Barrier());
                },
                code);
          },
          out);
    }

    /** Accumulates what some parts have for a bin. */
    private void found(
        List<Name> partials,
        Poly first,
        Poly parts,
        Poly each,
        Name bin,
        Poly thread,
        Poly threads,
        ThreadAccumulators accs,
        List<Code> out) {
      List<PrimType> types = accs.types();
      List<Expr> values = new ArrayList<>();
      kernels.strided(
          thread,
          threads,
          parts,
          (i, body) -> {
            Poly at = first.plus(Poly.of(i)).times(each).plus(Poly.of(bin));
            for (int j = 0; j < partials.size(); j++) {
              Name n = scope.names.fresh("found");
              Expr load = new Expr.Load(partials.get(j), types.get(j), at);
              scope.declare(n, Type.prim(types.get(j)), load, body);
              values.add(new Expr.Var(n, types.get(j)));
            }
          },
          body -> accs.append(values, body),
          out);
    }

    /** Combines a bin of the destinations with what is accumulated. */
    private void add(
        SegOp.SegHistOp op, Name segment, Name bin, ThreadAccumulators accs, List<Code> out) {
      nest.decompose(outer, segment, out);
      List<Poly> place = new ArrayList<>();
      for (SegSpace.Dim d : outer) place.add(Poly.of(d.index()));
      place.addAll(nest.indices(bin, shape(op), out));
      List<AtomicUpdates.Target> targets = destinations(op, place);
      List<Expr> old = new ArrayList<>();
      for (AtomicUpdates.Target t : targets) old.add(new Expr.Load(t.block(), t.elem(), t.at()));
      accs.prepend(old, out);
      for (int j = 0; j < targets.size(); j++) {
        AtomicUpdates.Target t = targets.get(j);
        out.add(new Code.Store(t.block(), t.elem(), t.at(), accs.values().get(j)));
      }
    }

    /**
     * The kernel that reads the inputs.
     *
     * @param partials where blocks put their bins, one for each operand; none if they update the
     *     destinations
     */
    private void kernel(Poly each, Poly total, Name blocks, List<Name> partials, List<Code> out) {
      locksOfBlock = null;
      kernels.launch(
          "seghist_shared",
          Place.THREAD,
          Expr.i64(blocks),
          plan.threads,
          (k, code) -> {
            List<List<AtomicUpdates.Target>> bins = new ArrayList<>();
            for (int o = 0; o < h.ops().size(); o++) {
              List<AtomicUpdates.Target> mine = new ArrayList<>();
              for (Name d : h.ops().get(o).dests()) {
                PrimType elem = scope.type(d).elemPrim();
                Poly size = counts.get(o).times(plan.copies).times(elem.bytes());
                mine.add(new AtomicUpdates.Target(k.shared("bins", size), elem, Poly.ZERO));
              }
              bins.add(mine);
            }
            if (locks != null) locksOfBlock = kernels.locksInBlock(k, code);
            Expr which =
                Expr.binary(BinOp.Kind.SREM, Expr.i64(k.thread), new Expr.Index(plan.copies));
            Poly copy = Poly.of(kernels.let("copy", which, code));
            kernels.forBlocks(
                k,
                total,
                (v, one) -> {
                  Expr of = Expr.binary(BinOp.Kind.SQUOT, Expr.i64(v), new Expr.Index(each));
                  Name segment = kernels.let("segment", of, one);
                  Poly part = Poly.of(v).minus(Poly.of(segment).times(each));
                  nest.decompose(outer, segment, one);
                  if (!plan.inSeveralPasses) {
                    pass(k, new Own(bins, copy, counts, null), part, each, v, partials, one);
                    return;
                  }
                  kernels.inSteps(
                      Poly.ZERO,
                      counts.get(0),
                      bins(h.ops().get(0)),
                      (from, c) -> {
                        Pass now = pass(Poly.of(from), c);
                        Own own = new Own(bins, copy, counts, now);
                        pass(k, own, part, each, v, partials, c);
                      },
                      one);
                },
                code);
          },
          out);
    }

    /** The bins from one on. */
    private Pass pass(Poly from, List<Code> out) {
      Expr rest = new Expr.Index(bins(h.ops().get(0)).minus(from));
      Expr some = Expr.binary(BinOp.Kind.SMIN, rest, new Expr.Index(counts.get(0)));
      return new Pass(from, Poly.of(kernels.let("some", some, out)));
    }

    private void pass(
        KernelFrame k,
        Own own,
        Poly part,
        Poly parts,
        Name number,
        List<Name> partials,
        List<Code> out) {
      Poly thread = Poly.of(k.thread);
      Poly threads = Poly.of(k.threads);
      for (int o = 0; o < h.ops().size(); o++) {
        SegOp.SegHistOp op = h.ops().get(o);
        Poly all = counts.get(o).times(plan.copies);
        for (int j = 0; j < op.dests().size(); j++) {
          AtomicUpdates.Target t = own.blocks.get(o).get(j);
          Expr neutral = scope.expr(op.neutral().get(j));
          kernels.strided(
              thread,
              threads,
              all,
              (i, c) -> c.add(new Code.Store(t.block(), t.elem(), Poly.of(i), neutral)),
              out);
        }
      }
      out.add(new Code.Barrier());
      kernels.attempt(
          c ->
              kernels.strided(
                  part.times(threads).plus(thread),
                  parts.times(threads),
                  scope.poly(last.size()),
                  (i, one) -> {
                    scope.declare(last.index(), Type.I64, Expr.i64(i), one);
                    element(h, own, own.pass, locksOfBlock, one);
                  },
                  c),
          out);
      out.add(new Code.Barrier());
      if (!partials.isEmpty()) {
        keep(k, own, Poly.of(number).times(bins(h.ops().get(0))), partials, out);
      } else {
        for (int o = 0; o < h.ops().size(); o++) combine(k, own, o, out);
      }
      out.add(new Code.Barrier());
    }

    /** Keeps a block's own bins, whose copies are combined before, for another kernel. */
    private void keep(KernelFrame k, Own own, Poly first, List<Name> partials, List<Code> out) {
      SegOp.SegHistOp op = h.ops().get(0);
      Poly count = counts.get(0);
      Poly at = own.pass == null ? first : first.plus(own.pass.from);
      List<AtomicUpdates.Target> bins = own.blocks.get(0);
      kernels.attempt(
          c ->
              kernels.strided(
                  Poly.of(k.thread),
                  Poly.of(k.threads),
                  own.pass == null ? count : own.pass.count,
                  (i, one) -> {
                    List<Expr> sums = combined(bins, op, Poly.of(i), count, one);
                    for (int j = 0; j < partials.size(); j++) {
                      PrimType elem = bins.get(j).elem();
                      Poly place = at.plus(Poly.of(i));
                      one.add(new Code.Store(partials.get(j), elem, place, sums.get(j)));
                    }
                  },
                  c),
          out);
    }

    /** Combines the destinations with a block's own bins, whose copies are combined before. */
    private void combine(KernelFrame k, Own own, int number, List<Code> out) {
      SegOp.SegHistOp op = h.ops().get(number);
      Poly from = own.pass == null ? Poly.ZERO : own.pass.from;
      Poly count = counts.get(number);
      Poly last = own.pass == null ? count : own.pass.count;
      List<Poly> segment = outer.stream().map(d -> Poly.of(d.index())).toList();
      kernels.attempt(
          c ->
              kernels.strided(
                  Poly.of(k.thread),
                  Poly.of(k.threads),
                  last,
                  (i, one) -> {
                    Name bin = kernels.let("bin", new Expr.Index(from.plus(Poly.of(i))), one);
                    List<Poly> place = new ArrayList<>(segment);
                    place.addAll(nest.indices(bin, shape(op), one));
                    atomics.combine(
                        op.op(),
                        destinations(op, place),
                        combined(own.blocks.get(number), op, Poly.of(i), count, one),
                        key(number, Poly.of(bin), segment),
                        locks,
                        one);
                  },
                  c),
          out);
    }

    private List<Expr> combined(
        List<AtomicUpdates.Target> bins, SegOp.SegHistOp op, Poly at, Poly apart, List<Code> out) {
      List<Name> names = new ArrayList<>();
      List<Expr> sum = new ArrayList<>();
      for (AtomicUpdates.Target t : bins) {
        Name n = scope.names.fresh("sum");
        scope.declare(n, Type.prim(t.elem()), new Expr.Load(t.block(), t.elem(), at), out);
        names.add(n);
        sum.add(new Expr.Var(n, t.elem()));
      }
      Name copy = scope.names.fresh("copy");
      scope.add(copy, Type.I64);
      List<Expr> next = new ArrayList<>();
      for (AtomicUpdates.Target t : bins) {
        Poly there = at.plus(Poly.of(copy).times(apart));
        next.add(new Expr.Load(t.block(), t.elem(), there));
      }
      List<Code> body = new ArrayList<>();
      operators.apply(
          op.op(),
          sum,
          next,
          results -> {
            for (int j = 0; j < names.size(); j++) {
              body.add(new Code.Assign(names.get(j), scope.expr(results.get(j))));
            }
          },
          body);
      Expr end = new Expr.Index(plan.copies);
      out.add(new Code.For(copy, PrimType.I64, Expr.i64(1), end, body));
      return sum;
    }
  }
}
