package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.Accumulators;
import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.ControlFlow;
import futharkc.core.codegen.lower.common.CopyLoops;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.OperatorCalls;
import futharkc.core.codegen.lower.common.ParallelOperations;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.codegen.lower.common.TargetLowering;

/** The lowering of programs for a CPU: parallel operations become regions of threads. */
final class RegionLowering implements TargetLowering {
  @Override
  public void enter(FunctionSymbols scope, boolean isInKernel) {
    scope.enter(ExecutionUnit.CORES, null);
  }

  @Override
  public CopyLoops copies(FunctionSymbols scope, BlockLifetimes blocks) {
    return new RegionCopies(scope, blocks);
  }

  @Override
  public OperatorCalls operatorCalls(
      FunctionSymbols scope, BlockLifetimes blocks, Statements statements) {
    return (op, operands, out) -> null;
  }

  @Override
  public ParallelOperations operations(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      ControlFlow control,
      Accumulators accumulators,
      Statements statements) {
    return new SegLowering(scope, blocks, arrays, control, accumulators, statements);
  }
}
