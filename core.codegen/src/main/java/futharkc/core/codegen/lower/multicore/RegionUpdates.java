package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.AccumulatorUpdates;
import futharkc.core.codegen.lower.common.Accumulators;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Updates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The synchronisation of updates through accumulators in regions, by the strategies of {@link
 * UpdateStrategy}. A region has up to three versions: for a single chunk, which updates without
 * synchronisation; for private copies of the destinations, if they pay off; and for locks.
 */
final class RegionUpdates implements AccumulatorUpdates {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final Operators operators;
  private final Accumulators accumulators;

  /** The tokens of accumulators that only the current thread updates. */
  private final Set<Name> alone = new HashSet<>();

  /** The private copies that chunks update, by accumulator token. */
  private final Map<Name, Own> copies = new HashMap<>();

  private record Own(HistogramPrivatisation copies, RegionBuilder region) {}

  RegionUpdates(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      Operators operators,
      Accumulators accumulators) {
    this.scope = scope;
    this.blocks = blocks;
    this.operators = operators;
    this.accumulators = accumulators;
  }

  @Override
  public void create(Name token, Exp.AccInput in, List<Code> release, List<Code> out) {
    if (blocks.isShared()) {
      alone.add(token);
    }
  }

  @Override
  public void combine(BasicOp.UpdateAcc x, Name token, Exp.AccInput in, List<Code> out) {
    Own own = copies.get(token);
    if (own != null) {
      own(x, own, out);
    } else {
      Lambda op = Objects.requireNonNull(in.op()).lambda();
      accumulators.combine(x, in, op, blocks.isShared() && !alone.contains(token), out);
    }
  }

  /** Combines an element of the chunk's private copies with the values. */
  private void own(BasicOp.UpdateAcc x, Own own, List<Code> out) {
    List<Poly> index = x.index().stream().map(scope::poly).toList();
    Poly at = own.copies.at(Poly.of(own.region.chunk), index);
    own.copies.combine(at, x.values().stream().map(scope::expr).toList(), out);
  }

  /** A parallel region whose kernel may update accumulators that are created outside of it. */
  final class UpdatingRegion {
    private final RegionBuilder region;
    private final List<Name> tokens = new ArrayList<>();
    private final List<HistogramPrivatisation> all = new ArrayList<>();
    private final List<Code> locked;
    private final List<Code> single;
    private final List<Code> owned;

    /**
     * Lowers the kernel once for each version.
     *
     * @param free the free names of the kernel
     * @param kernel lowers the kernel; it is called several times
     */
    UpdatingRegion(RegionBuilder region, Set<Name> free, Supplier<List<Code>> kernel) {
      this.region = region;
      boolean copyable = find(free);
      locked = kernel.get();
      alone.addAll(tokens);
      single = tokens.isEmpty() ? locked : kernel.get();
      alone.removeAll(tokens);
      if (!copyable || tokens.isEmpty()) {
        owned = List.of();
        return;
      }
      for (Name token : tokens) {
        HistogramPrivatisation c =
            new HistogramPrivatisation(
                scope,
                blocks,
                operators,
                histogram(accumulated(token)),
                scope.number(RegionOptions.APART));
        all.add(c);
        copies.put(token, new Own(c, region));
      }
      List<Code> code = new ArrayList<>();
      for (HistogramPrivatisation c : all) {
        c.clear(region, code);
      }
      code.addAll(kernel.get());
      owned = code;
      tokens.forEach(copies::remove);
    }

    /**
     * Finds the accumulators that the kernel updates concurrently.
     *
     * @return true if private copies of all of them are possible
     */
    private boolean find(Set<Name> free) {
      boolean copyable = true;
      for (Name n : free) {
        if (!(scope.find(n) instanceof Type.Acc acc)) {
          continue;
        }
        Exp.AccInput in = scope.accumulated(acc);
        if (in == null || tokens.contains(acc.token())) {
          continue;
        }
        List<Type> types = in.arrays().stream().map(scope::type).toList();
        boolean mine = alone.contains(acc.token());
        List<UpdateStrategy> choices = UpdateStrategy.choices(in, types, mine);
        if (!choices.contains(UpdateStrategy.LOCK)) {
          continue;
        }
        tokens.add(acc.token());
        copyable &= choices.contains(UpdateStrategy.COPIES);
      }
      return copyable;
    }

    /** Returns the version with locks, from which the cost is estimated. */
    List<Code> code() {
      return locked;
    }

    /** Returns the number of chunks per thread: one if there are private copies. */
    int perThread() {
      return owned.isEmpty() ? scope.number(RegionOptions.CHUNKS) : 1;
    }

    /** Returns the number of chunks per thread, which is larger for iterations of uneven cost. */
    int perThread(boolean uneven) {
      return uneven && owned.isEmpty() ? scope.number(RegionOptions.UNEVEN_CHUNKS) : perThread();
    }

    /** Runs the region, whose number of chunks is already computed. */
    void run(Poly total, List<Code> out) {
      if (tokens.isEmpty()) {
        region.run(total, locked, out);
        return;
      }
      List<Code> one = new ArrayList<>();
      region.run(total, single, one);
      List<Code> several = new ArrayList<>();
      region.run(total, locked, several);
      if (!owned.isEmpty()) {
        List<Code> privately = new ArrayList<>();
        Poly elements = Poly.ZERO;
        for (HistogramPrivatisation c : all) {
          elements = elements.plus(c.elements());
          c.alloc(region, privately);
        }
        region.run(total, owned, privately);
        for (HistogramPrivatisation c : all) {
          c.merge(region, privately);
        }
        for (HistogramPrivatisation c : all) {
          c.free(privately);
        }
        Poly updates = Updates.of(locked, Set.of(region.chunk, region.from, region.to));
        Expr pays =
            HistogramPrivatisation.pay(
                region, elements, updates.times(total), UpdateStrategy.ELEMENTS_PER_UPDATE);
        several = List.of(new Code.If(pays, privately, several));
      }
      Expr isOne = Expr.atMost(Expr.i64(region.chunks), Expr.i64(1));
      out.add(new Code.If(isOne, one, several));
    }
  }

  private Exp.AccInput accumulated(Name token) {
    Exp.AccInput in = scope.accumulated(token);
    if (in == null) {
      throw new IllegalStateException("accumulator of no WithAcc");
    }
    return in;
  }

  /** Returns an accumulator of scalars as a histogram. */
  private static SegOp.SegHistOp histogram(Exp.AccInput in) {
    Exp.AccOp op = in.op();
    if (op == null) {
      throw new IllegalStateException("no operator");
    }
    Lambda l = op.lambda();
    List<Param> params = l.params().subList(in.space().size(), l.params().size());
    return new SegOp.SegHistOp(
        in.space(),
        SubExp.i64(1),
        in.arrays(),
        op.neutral(),
        List.of(),
        new Lambda(params, l.body(), l.results()));
  }
}
