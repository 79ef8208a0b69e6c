package futharkc.core.codegen.lower.gpu;

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

/** The lowering of programs for a GPU: parallel operations become kernels. */
final class KernelLowering implements TargetLowering {
  @Override
  public void enter(FunctionSymbols scope, boolean isInKernel) {
    if (isInKernel) {
      scope.enter(ExecutionUnit.THREAD, new KernelFrame(scope));
    } else {
      scope.enter(ExecutionUnit.HOST, null);
    }
  }

  @Override
  public CopyLoops copies(FunctionSymbols scope, BlockLifetimes blocks) {
    return new DeviceCopies(scope, new Kernels(scope, blocks));
  }

  @Override
  public OperatorCalls operatorCalls(
      FunctionSymbols scope, BlockLifetimes blocks, Statements statements) {
    return new OperatorFunctions(scope, blocks, statements);
  }

  @Override
  public ParallelOperations operations(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      ControlFlow control,
      Accumulators accumulators,
      Statements statements) {
    return new GpuLowering(scope, blocks, arrays, control, accumulators, statements);
  }
}
