package futharkc.core.codegen.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Stm;
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
 * Lowers scans on a GPU, in two passes over the data: each block reduces a chunk, one block scans
 * what these give, and then each block scans its chunk from what comes before. A block goes through
 * its chunk in windows, in which each thread has several neighbouring elements, in shared memory.
 * Segments are scanned as one, whose operator starts again at each boundary.
 */
final class GpuScans {
  /** Bytes of shared memory for the elements of a thread, about. */
  private static final int BYTES = 64;

  /** Elements of a thread in a window, at most. */
  private static final int MOST_ITEMS = 15;

  private final Scope scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final Nest nest;
  private final Operators operators;
  private final SequentialSegments sequential;

  GpuScans(
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
    this.sequential = new SequentialSegments(scope, kernels, arrays, statements, nest, operators);
  }

  void lower(Stm s, SegOp.SegScan c, List<Code> out) {
    if (!ThreadAccumulators.fit(c.ops())) {
      sequential.scan(s, c, out);
      return;
    }
    Scan scan = new Scan(s, c);
    if (scope.place() == Place.BLOCK) scan.inBlock(out);
    else scan.onHost(out);
  }

  /** One scan. */
  private final class Scan {
    private final Stm stm;
    private final SegOp.SegScan scan;
    private final List<SegSpace.Dim> dims;
    private final boolean segmented;
    private final Poly size;
    private final Poly total;
    private final int operands;
    private final List<PrimType> types = new ArrayList<>();

    Scan(Stm stm, SegOp.SegScan scan) {
      this.stm = stm;
      this.scan = scan;
      this.dims = scan.space().dims();
      this.segmented = !nest.size(dims.subList(0, dims.size() - 1)).equals(Poly.ONE);
      this.size = scope.poly(dims.get(dims.size() - 1).size());
      this.total = nest.size(dims);
      for (SegOp.SegBinOp op : scan.ops()) {
        for (SubExp n : op.neutral()) types.add(scope.type(n).elemPrim());
      }
      this.operands = types.size();
    }

    /** Elements of a thread in a window: an odd number, so that threads use different banks. */
    private int items() {
      int bytes = types.stream().mapToInt(PrimType::bytes).sum();
      int items = Math.min(MOST_ITEMS, BYTES / Math.max(1, bytes));
      return Math.max(1, items % 2 == 0 ? items - 1 : items);
    }

    /** Whether there is a boundary of segments after the one place, up to the other. */
    private @Nullable BiFunction<Poly, Poly, Expr> crosses(Function<Poly, Poly> place) {
      if (!segmented) return null;
      return (from, to) -> crosses(place.apply(from), place.apply(to));
    }

    private Expr crosses(Poly from, Poly to) {
      Expr inSegment = Expr.binary(BinOp.Kind.SREM, new Expr.Index(to), new Expr.Index(size));
      return Expr.less(inSegment, new Expr.Index(to.minus(from)));
    }

    // Kernels

    void onHost(List<Code> all) {
      List<Code> out = new ArrayList<>();
      int items = items();
      Kernels.Grid grid = kernels.grid(scan.level(), "segscan", true, out);
      Expr most = grid.blocks() == null ? Expr.i64(1) : grid.blocks();
      Poly window =
          Poly.of(
              kernels.let(
                  "window", Expr.binary(BinOp.Kind.MUL, grid.threads(), Expr.i64(items)), out));
      Expr atOnce = Expr.binary(BinOp.Kind.MUL, new Expr.Index(window), most);
      Expr windows = Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), atOnce);
      Expr some = Expr.binary(BinOp.Kind.SMAX, windows, Expr.i64(1));
      Poly chunk =
          Poly.of(
              kernels.let("chunk", Expr.binary(BinOp.Kind.MUL, new Expr.Index(window), some), out));
      Name used =
          kernels.let(
              "used",
              Expr.binary(BinOp.Kind.SDIV_UP, new Expr.Index(total), new Expr.Index(chunk)),
              out);
      List<Name> partials = new ArrayList<>();
      for (PrimType t : types) {
        Name n = scope.names.fresh("partials");
        Expr bytes = new Expr.Index(Poly.of(used).times(t.bytes()));
        out.add(new Code.Alloc(n, PrimType.I8, bytes, scope.loc()));
        partials.add(n);
      }
      List<Code> before = new ArrayList<>();
      kernels.launch(
          "segscan_reduce",
          Place.THREAD,
          Expr.i64(used),
          grid.threads(),
          (k, code) -> {
            Windows w = new Windows(k, items, code);
            Poly start = Poly.of(k.block).times(chunk);
            Expr end = GpuReductions.smaller(start.plus(chunk), total);
            w.run(start, Poly.of(kernels.let("end", end, code)), false, code);
            List<Code> save = new ArrayList<>();
            for (int j = 0; j < operands; j++) {
              save.add(new Code.Store(partials.get(j), types.get(j), Poly.of(k.block), w.carry(j)));
            }
            code.add(new Code.If(k.isFirst(), save, List.of()));
          },
          before);
      kernels.launch(
          "segscan_chunks",
          Place.THREAD,
          Expr.i64(1),
          grid.threads(),
          (k, code) -> chunks(k, partials, Poly.of(used), chunk, code),
          before);
      out.add(new Code.If(Expr.less(Expr.i64(1), Expr.i64(used)), before, List.of()));
      kernels.launch(
          "segscan",
          Place.THREAD,
          Expr.i64(used),
          grid.threads(),
          (k, code) -> {
            Windows w = new Windows(k, items, code);
            List<Code> load = new ArrayList<>();
            for (int j = 0; j < operands; j++) {
              load.add(
                  new Code.Assign(
                      w.carry.get(j),
                      new Expr.Load(partials.get(j), types.get(j), Poly.of(k.block))));
            }
            code.add(new Code.If(Expr.less(Expr.i64(0), Expr.i64(k.block)), load, List.of()));
            Poly start = Poly.of(k.block).times(chunk);
            Expr end = GpuReductions.smaller(start.plus(chunk), total);
            w.run(start, Poly.of(kernels.let("end", end, code)), true, code);
          },
          out);
      for (Name p : partials) out.add(new Code.Free(p, PrimType.I8, List.of()));
      all.add(new Code.Scope(out));
    }

    /** Replaces what each chunk was reduced to by what comes before it. */
    private void chunks(KernelFrame k, List<Name> partials, Poly used, Poly chunk, List<Code> out) {
      Windows w = new Windows(k, 1, out);
      kernels.inSteps(
          Poly.ZERO,
          Poly.of(k.threads),
          used,
          (first, code) -> {
            Poly base = Poly.of(first);
            Name number = kernels.let("number", new Expr.Index(base.plus(Poly.of(k.thread))), code);
            w.accs.reset(code);
            List<Expr> loaded = ThreadAccumulators.load(partials, types, t -> Poly.of(number));
            List<Code> load = new ArrayList<>();
            w.accs.set(loaded, load);
            Expr isOne = Expr.less(Expr.i64(number), new Expr.Index(used));
            code.add(new Code.If(isOne, load, List.of()));
            Function<Poly, Poly> place =
                t -> base.plus(t).plus(Poly.ONE).times(chunk).minus(Poly.ONE);
            w.advance(place, code);
            List<Code> save = new ArrayList<>();
            for (int j = 0; j < operands; j++) {
              save.add(new Code.Store(partials.get(j), types.get(j), Poly.of(number), w.prefix(j)));
            }
            code.add(new Code.If(isOne, save, List.of()));
            code.add(new Code.Barrier());
          },
          out);
    }

    void inBlock(List<Code> out) {
      KernelFrame k = scope.frame();
      List<Code> code = new ArrayList<>();
      Place block = scope.enter(Place.THREAD, k);
      code.add(new Code.Barrier());
      new Windows(k, 1, code).run(Poly.ZERO, total, true, code);
      scope.leave(block);
      out.add(new Code.Scope(code));
      if (Kernels.mayFail(code)) out.add(new Code.LeaveIfFailed());
    }

    /** How a block goes through elements. */
    private final class Windows {
      private final KernelFrame k;
      private final int items;
      private final ThreadAccumulators accs;
      private final List<Name> carry = new ArrayList<>();
      private final List<Name> prefix = new ArrayList<>();
      private final List<Name> shared = new ArrayList<>();

      Windows(KernelFrame k, int items, List<Code> out) {
        this.k = k;
        this.items = items;
        this.accs = new ThreadAccumulators(scope, kernels, operators, k, scan.ops(), out);
        List<Expr> neutral = accs.each(accs::neutral);
        for (int j = 0; j < operands; j++) {
          carry.add(scope.names.fresh("carry"));
          prefix.add(scope.names.fresh("prefix"));
          scope.declare(carry.get(j), Type.prim(types.get(j)), neutral.get(j), out);
          scope.declare(prefix.get(j), Type.prim(types.get(j)), neutral.get(j), out);
        }
      }

      Expr carry(int j) {
        return new Expr.Var(carry.get(j), types.get(j));
      }

      Expr prefix(int j) {
        return new Expr.Var(prefix.get(j), types.get(j));
      }

      private List<Expr> all(List<Name> names) {
        List<Expr> all = new ArrayList<>();
        for (int j = 0; j < operands; j++) all.add(new Expr.Var(names.get(j), types.get(j)));
        return all;
      }

      private void keep(List<Name> in, List<Code> out) {
        List<Expr> values = accs.values();
        for (int j = 0; j < operands; j++) out.add(new Code.Assign(in.get(j), values.get(j)));
      }

      /**
       * Scans what the threads have accumulated: the prefix of a thread is what comes before its
       * elements, and the carry what comes before the next window.
       *
       * @param place of the last element of a thread
       */
      void advance(Function<Poly, Poly> place, List<Code> out) {
        accs.scan(crosses(place), out);
        Poly start = Poly.of(-1);
        Poly thread = Poly.of(k.thread);
        List<Code> later = new ArrayList<>();
        upTo(thread.minus(Poly.ONE), start, place, later);
        List<Code> first = new ArrayList<>();
        accs.set(all(carry), first);
        out.add(new Code.If(k.isFirst(), first, later));
        keep(prefix, out);
        upTo(Poly.of(k.threads).minus(Poly.ONE), start, place, out);
        keep(carry, out);
        out.add(new Code.Barrier());
      }

      /** What the threads up to one have accumulated, with the carry. */
      private void upTo(Poly thread, Poly start, Function<Poly, Poly> place, List<Code> out) {
        accs.set(accs.published(thread), out);
        List<Code> take = new ArrayList<>();
        kernels.attempt(c -> accs.prepend(all(carry), c), take);
        if (!segmented) out.addAll(take);
        else {
          Expr apart = crosses(place.apply(start), place.apply(thread));
          out.add(new Code.If(apart, List.of(), take));
        }
      }

      /** Scans a range, from the carry on. */
      void run(Poly from, Poly to, boolean store, List<Code> out) {
        for (PrimType t : types) {
          shared.add(k.shared("items", Poly.of(k.threads).times((long) items * t.bytes())));
        }
        Poly window = Poly.of(k.threads).times(items);
        kernels.inSteps(
            from,
            window,
            to,
            (first, code) -> {
              Poly base = Poly.of(first);
              items((j, idx) -> load(base, idx, to), code);
              code.add(new Code.Barrier());
              own(base, code);
              Function<Poly, Poly> place =
                  t -> base.plus(t.plus(Poly.ONE).times(items)).minus(Poly.ONE);
              advance(place, code);
              if (store) {
                accs.set(all(prefix), code);
                accs.publish(code);
                code.add(new Code.Barrier());
                items((j, idx) -> store(base, idx, to), code);
              }
              code.add(new Code.Barrier());
            },
            out);
      }

      /** Code for each of a thread's places in a window, neighbouring threads side by side. */
      private void items(BiFunction<Name, Poly, List<Code>> body, List<Code> out) {
        Name j = scope.names.fresh("item");
        scope.add(j, Type.I64);
        Poly idx = Poly.of(j).times(Poly.of(k.threads)).plus(Poly.of(k.thread));
        out.add(new Code.For(j, PrimType.I64, Expr.i64(0), Expr.i64(items), body.apply(j, idx)));
      }

      private Expr item(int j, Poly idx) {
        return new Expr.Load(shared.get(j), types.get(j), idx);
      }

      private void put(int j, Poly idx, Expr value, List<Code> out) {
        out.add(new Code.Store(shared.get(j), types.get(j), idx, value));
      }

      /** Evaluates the body at a place. */
      private List<Code> load(Poly base, Poly idx, Poly to) {
        List<Code> out = new ArrayList<>();
        Name at = kernels.let("at", new Expr.Index(base.plus(idx)), out);
        List<Code> inside = new ArrayList<>();
        List<SubExp> results = scan.body().values();
        kernels.attempt(
            c -> {
              nest.decompose(dims, at, c);
              statements.lower(scan.body().stms(), results, List.of(), c);
              for (int j = 0; j < operands; j++) put(j, idx, scope.expr(results.get(j)), c);
            },
            inside);
        List<Code> outside = new ArrayList<>();
        List<Expr> neutral = accs.each(accs::neutral);
        for (int j = 0; j < operands; j++) put(j, idx, neutral.get(j), outside);
        out.add(new Code.If(Expr.less(Expr.i64(at), new Expr.Index(to)), inside, outside));
        return out;
      }

      /** Scans the elements of a thread. */
      private void own(Poly base, List<Code> out) {
        Poly mine = Poly.of(k.thread).times(items);
        List<Expr> first = new ArrayList<>();
        for (int j = 0; j < operands; j++) first.add(item(j, mine));
        accs.set(first, out);
        if (items == 1) return;
        Name n = scope.names.fresh("item");
        scope.add(n, Type.I64);
        Poly idx = mine.plus(Poly.of(n));
        List<Expr> next = new ArrayList<>();
        for (int j = 0; j < operands; j++) next.add(item(j, idx));
        List<Code> take = new ArrayList<>();
        kernels.attempt(c -> accs.append(next, c), take);
        List<Code> code = new ArrayList<>();
        if (segmented) {
          List<Code> restart = new ArrayList<>();
          accs.set(next, restart);
          Expr place =
              Expr.binary(BinOp.Kind.SREM, new Expr.Index(base.plus(idx)), new Expr.Index(size));
          Expr starts =
              new Expr.Compare(new CmpOp(CmpOp.Kind.EQ, PrimType.I64), place, Expr.i64(0));
          code.add(new Code.If(starts, restart, take));
        } else {
          code.addAll(take);
        }
        List<Expr> values = accs.values();
        for (int j = 0; j < operands; j++) put(j, idx, values.get(j), code);
        out.add(new Code.For(n, PrimType.I64, Expr.i64(1), Expr.i64(items), code));
      }

      /** Gives what is scanned at a place to what follows. */
      private List<Code> store(Poly base, Poly idx, Poly to) {
        List<Code> out = new ArrayList<>();
        Name at = kernels.let("at", new Expr.Index(base.plus(idx)), out);
        List<Code> inside = new ArrayList<>();
        kernels.attempt(c -> posted(base, idx, at, c), inside);
        out.add(new Code.If(Expr.less(Expr.i64(at), new Expr.Index(to)), inside, List.of()));
        return out;
      }

      private void posted(Poly base, Poly idx, Name at, List<Code> out) {
        Expr quotient = Expr.binary(BinOp.Kind.SQUOT, new Expr.Index(idx), Expr.i64(items));
        Poly owner = items == 1 ? idx : Poly.of(kernels.let("owner", quotient, out));
        List<Expr> value = new ArrayList<>();
        for (int j = 0; j < operands; j++) value.add(item(j, idx));
        accs.set(value, out);
        List<Code> take = new ArrayList<>();
        accs.prepend(accs.published(owner), take);
        if (!segmented) out.addAll(take);
        else {
          Poly last = base.plus(owner.times(items)).minus(Poly.ONE);
          out.add(new Code.If(crosses(last, Poly.of(at)), List.of(), take));
        }
        nest.decompose(dims, at, out);
        List<Param> params = scan.post().params();
        accs.bind(params.subList(0, operands), accs.values(), out);
        List<SubExp> results = scan.body().values();
        if (params.size() > operands) {
          statements.lower(scan.body().stms(), results, List.of(), out);
          for (int j = operands; j < params.size(); j++) {
            Param p = params.get(j);
            if (p.type() instanceof Type.Prim) {
              scope.declare(p.name(), p.type(), scope.expr(results.get(j)), out);
            } else {
              scope.add(p.name(), scope.type(results.get(j)));
            }
          }
        }
        List<SubExp> posted = scan.post().body().results();
        statements.lower(scan.post().body().stms(), posted, List.of(), out);
        arrays.storeAt(stm.pat(), dims, posted, out);
      }
    }
  }
}
