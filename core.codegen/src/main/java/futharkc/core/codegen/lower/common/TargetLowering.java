package futharkc.core.codegen.lower.common;

/**
 * The parts of a lowering that differ between targets. {@code lower.multicore} and {@code
 * lower.gpu} implement the interface; the common lowering knows neither package.
 */
public interface TargetLowering {
  /**
   * Enters the execution unit of a function.
   *
   * @param isInKernel whether parallel operations call the function
   */
  void enter(FunctionSymbols scope, boolean isInKernel);

  /** Returns the loops over elements by which a function copies and fills arrays. */
  CopyLoops copies(FunctionSymbols scope, BlockLifetimes blocks);

  /** Returns the functions that applications of reduction operators call. */
  OperatorCalls operatorCalls(FunctionSymbols scope, BlockLifetimes blocks, Statements statements);

  /** Returns the lowering of a function's parallel operations and updates. */
  ParallelOperations operations(
      FunctionSymbols scope,
      BlockLifetimes blocks,
      ArrayOps arrays,
      ControlFlow control,
      Accumulators accumulators,
      Statements statements);
}
