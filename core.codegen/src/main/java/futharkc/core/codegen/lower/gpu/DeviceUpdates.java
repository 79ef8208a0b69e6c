package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.AccumulatorUpdates;
import futharkc.core.codegen.lower.common.Accumulators;
import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.UpdateStrategy;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The synchronisation of updates through accumulators on a GPU: by atomic operations, or by locks
 * if the operands cannot be updated one by one.
 */
final class DeviceUpdates implements AccumulatorUpdates {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Operators operators;
  private final Accumulators accumulators;
  private final Map<Name, Together> together = new HashMap<>();

  /**
   * An accumulator that several threads of a GPU update concurrently.
   *
   * @param locks the locks of its elements; null if updates need none
   */
  private record Together(@Nullable Name locks) {}

  DeviceUpdates(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Operators operators,
      Accumulators accumulators) {
    this.scope = scope;
    this.kernels = kernels;
    this.arrays = arrays;
    this.operators = operators;
    this.accumulators = accumulators;
  }

  @Override
  public void create(Name token, Exp.AccInput in, List<Code> release, List<Code> out) {
    if (scope.place() == ExecutionUnit.THREAD) {
      return;
    }
    Name own = needsLock(in) ? locks(out) : null;
    together.put(token, new Together(own));
    if (own != null && scope.place() == ExecutionUnit.HOST) {
      release.add(new Code.Free(own, PrimType.I8, List.of()));
    }
  }

  private Name locks(List<Code> out) {
    return scope.place() == ExecutionUnit.HOST
        ? kernels.locks(out)
        : kernels.locksInBlock(KernelFrame.of(scope), out);
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

  @Override
  public void combine(BasicOp.UpdateAcc x, Name token, Exp.AccInput in, List<Code> out) {
    Together others = together.get(token);
    if (others == null) {
      accumulators.combine(x, in, Objects.requireNonNull(in.op()).lambda(), false, out);
    } else if (scope.place() == ExecutionUnit.BLOCK) {
      byOne(x, in, others, out);
    } else {
      combine(x, in, others, out);
    }
  }

  /** Lowers an update by code that all threads of a thread block run: the first thread updates. */
  private void byOne(BasicOp.UpdateAcc x, Exp.AccInput in, Together others, List<Code> out) {
    KernelFrame k = KernelFrame.of(scope);
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
      accumulators.combine(x, in, op, false, body);
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
}
