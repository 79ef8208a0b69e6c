package futharkc.core.codegen.lower;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
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
import org.jspecify.annotations.Nullable;

/**
 * A lowering of updates through accumulators by the strategies of {@link UpdateStrategy}. A
 * parallel region has up to three versions: for a single chunk, which updates without
 * synchronisation; for private copies of the destinations, if they pay off; and for locks.
 */
final class Accumulators {
  private final FunctionSymbols scope;
  private final BlockLifetimes blocks;
  private final ArrayOps arrays;
  private final ControlFlow control;
  private final Statements statements;
  private final Operators operators;

  /** The tokens of accumulators that only the current thread updates. */
  private final Set<Name> alone = new HashSet<>();

  /** The private copies that chunks update, by accumulator token. */
  private final Map<Name, Own> copies = new HashMap<>();

  private record Own(HistogramPrivatisation copies, RegionBuilder region) {}

  private final Map<Name, Together> together = new HashMap<>();

  /**
   * An accumulator that several threads of a GPU update concurrently.
   *
   * @param locks the locks of its elements; null if updates need none
   */
  private record Together(@Nullable Name locks) {}

  Accumulators(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      ControlFlow control,
      Statements statements) {
    this.scope = scope;
    this.blocks = blocks;
    this.arrays = arrays;
    this.control = control;
    this.statements = statements;
    this.operators = new Operators(scope, blocks, arrays.copies(), statements);
  }

  void withAcc(List<PatElem> pat, Exp.WithAcc w, List<Code> out) {
    List<Param> params = w.lambda().params();
    int n = w.inputs().size();
    List<Code> release = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      Exp.AccInput in = w.inputs().get(i);
      scope.accumulates(params.get(i).name(), in);
      boolean others = scope.place() == ExecutionUnit.HOST || scope.place() == ExecutionUnit.BLOCK;
      Name own = others && needsLock(in) ? locks(out) : null;
      if (others) {
        together.put(params.get(i).name(), new Together(own));
      }
      if (own != null && scope.place() == ExecutionUnit.HOST) {
        release.add(new Code.Free(own, PrimType.I8, List.of()));
      }
      if (blocks.isShared()) {
        alone.add(params.get(i).name());
      }
      scope.add(params.get(i).name(), params.get(i).type());
      scope.add(params.get(n + i).name(), params.get(n + i).type());
    }
    List<SubExp> results = w.lambda().body().results();
    int accumulated = pat.size() - (results.size() - n);
    statements.lower(w.lambda().body().stms(), results, List.of(), out);
    List<PatElem> others = pat.subList(accumulated, pat.size());
    control.declare(others, out);
    control.assign(others, results.subList(n, results.size()), out);
    out.addAll(release);
  }

  private boolean isLocked(Name token) {
    return scope.place() == ExecutionUnit.CORES && blocks.isShared() && !alone.contains(token);
  }

  private Name locks(List<Code> out) {
    Kernels kernels = new Kernels(scope, blocks);
    return scope.place() == ExecutionUnit.HOST
        ? kernels.locks(out)
        : kernels.locksInBlock(scope.frame(), out);
  }

  /**
   * Tests whether the accumulator has an operator whose updates need a lock, because operands
   * cannot be updated one by one.
   */
  private boolean needsLock(Exp.AccInput in) {
    List<Type> types = in.arrays().stream().map(scope::type).toList();
    List<UpdateStrategy> choices = UpdateStrategy.choices(in, types, false);
    return choices.contains(UpdateStrategy.LOCK)
        && !choices.contains(UpdateStrategy.COMPARE_AND_SET);
  }

  /** Returns the operator on scalars, without its index parameters. */
  private static Lambda scalars(Exp.AccInput in) {
    Lambda op = Objects.requireNonNull(in.op()).lambda();
    List<Param> params = op.params().subList(in.space().size(), op.params().size());
    return new Lambda(params, op.body(), op.results());
  }

  // Updates

  /** Lowers an update at an index; an update outside the bounds has no effect. */
  void update(BasicOp.UpdateAcc x, List<Code> out) {
    Name token = ((Type.Acc) scope.type(x.acc())).token();
    Exp.AccInput in = scope.accumulated((Type.Acc) scope.type(x.acc()));
    if (in == null) {
      throw new IllegalStateException("accumulator " + x.acc() + " of no WithAcc");
    }
    List<Code> body = new ArrayList<>();
    Own own = copies.get(token);
    Together others = together.get(token);
    if (in.op() == null) {
      store(x, in, x.values(), body);
    } else if (own != null) {
      own(x, own, body);
    } else if (others != null && scope.place() == ExecutionUnit.BLOCK) {
      byOne(x, in, others, body);
    } else if (others != null) {
      combine(x, in, others, body);
    } else {
      combine(x, in, in.op().lambda(), isLocked(token), body);
    }
    if (x.inRange()) {
      out.add(new Code.Scope(body));
    } else {
      out.add(arrays.whereInside(x.index(), in.space(), body));
    }
  }

  private void store(BasicOp.UpdateAcc x, Exp.AccInput in, List<SubExp> values, List<Code> out) {
    for (int k = 0; k < in.arrays().size(); k++) {
      arrays.store(scope.type(in.arrays().get(k)), x.index(), values.get(k), out);
    }
  }

  /** Combines an element of the chunk's private copies with the values. */
  private void own(BasicOp.UpdateAcc x, Own own, List<Code> out) {
    List<Poly> index = x.index().stream().map(scope::poly).toList();
    Poly at = own.copies.at(Poly.of(own.region.chunk), index);
    own.copies.combine(at, x.values().stream().map(scope::expr).toList(), out);
  }

  /** Lowers an update by code that all threads of a thread block run: the first thread updates. */
  private void byOne(BasicOp.UpdateAcc x, Exp.AccInput in, Together others, List<Code> out) {
    KernelFrame k = scope.frame();
    List<Code> one = new ArrayList<>();
    ExecutionUnit block = scope.enter(ExecutionUnit.THREAD, k);
    combine(x, in, others, one);
    scope.leave(block);
    out.add(new Code.Barrier());
    out.add(new Code.If(k.isFirst(), one, List.of()));
    out.add(new Code.Barrier());
  }

  /** Lowers an update that other threads of a GPU may perform concurrently. */
  private void combine(BasicOp.UpdateAcc x, Exp.AccInput in, Together others, List<Code> out) {
    AtomicUpdates atomics = new AtomicUpdates(scope, operators);
    int rank = in.space().size();
    Lambda op = Objects.requireNonNull(in.op()).lambda();
    Poly key = Poly.ZERO;
    for (SubExp i : x.index()) {
      key = key.times(31).plus(scope.poly(i));
    }
    Set<Name> written = new HashSet<>();
    for (Name a : in.arrays()) {
      written.add(scope.mem(a).block());
    }
    Name locks = others.locks;
    if (locks != null) {
      List<Code> body = new ArrayList<>();
      combine(x, in, op, false, body);
      atomics.locked(locks, key, written, body, out);
      return;
    }
    for (int i = 0; i < rank; i++) {
      scope.declare(op.params().get(i).name(), Type.I64, scope.expr(x.index().get(i)), out);
    }
    List<AtomicUpdates.Target> targets = new ArrayList<>();
    List<Expr> values = new ArrayList<>();
    for (int k = 0; k < in.arrays().size(); k++) {
      Expr.Load l = (Expr.Load) arrays.element(in.arrays().get(k), x.index());
      targets.add(new AtomicUpdates.Target(l.block(), l.type(), l.index()));
      values.add(scope.expr(x.values().get(k)));
    }
    atomics.combine(scalars(in), targets, values, key, null, out);
  }

  /**
   * Stores the operator's results. The operator's parameters are the index, the old values and the
   * new values; an array parameter follows its block.
   */
  private void combine(
      BasicOp.UpdateAcc x, Exp.AccInput in, Lambda op, boolean locked, List<Code> out) {
    int rank = in.space().size();
    List<Code> body = new ArrayList<>();
    for (int i = 0; i < rank; i++) {
      scope.declare(op.params().get(i).name(), Type.I64, scope.expr(x.index().get(i)), body);
    }
    int n = in.arrays().size();
    int next = rank + n;
    for (int k = 0; k < n; k++) {
      Name array = in.arrays().get(k);
      Type t = scope.type(array);
      SubExp added = x.values().get(k);
      Param old = op.params().get(rank + k);
      scope.add(old.name(), old.type());
      if (t.rank() > rank) {
        Param block = op.params().get(next++);
        scope.add(block.name(), block.type());
        Name from = scope.mem(((SubExp.Var) added).name()).block();
        body.add(scope.declareBlock(block.name(), (Type.Mem) block.type(), from));
      }
      Param value = op.params().get(next++);
      scope.add(value.name(), value.type());
      if (t.rank() == rank) {
        scope.declare(old.name(), old.type(), arrays.element(array, x.index()), body);
        scope.declare(value.name(), value.type(), scope.expr(added), body);
      }
    }
    statements.lower(op.body().stms(), op.body().results(), List.of(), body);
    store(x, in, op.body().results(), body);
    if (!locked) {
      out.add(new Code.Scope(body));
      return;
    }
    Poly key = Poly.ZERO;
    for (SubExp i : x.index()) {
      key = key.times(31).plus(scope.poly(i));
    }
    out.add(new Code.Locked(new Expr.Index(key), body));
  }

  // Parallel regions

  /** Tests whether one of the names is an accumulator with an operator. */
  boolean isCombined(Set<Name> names) {
    for (Name n : names) {
      if (!(scope.find(n) instanceof Type.Acc acc)) {
        continue;
      }
      Exp.AccInput in = scope.accumulated(acc);
      if (in != null && in.op() != null) {
        return true;
      }
    }
    return false;
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
            new HistogramPrivatisation(scope, blocks, operators, histogram(accumulated(token)));
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
      return owned.isEmpty() ? scope.target.regions().chunks() : 1;
    }

    /** Returns the number of chunks per thread, which is larger for iterations of uneven cost. */
    int perThread(boolean uneven) {
      return uneven && owned.isEmpty() ? scope.target.regions().chunksOfUneven() : perThread();
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
        Expr pays = HistogramPrivatisation.pay(region, elements, updates.times(total));
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
