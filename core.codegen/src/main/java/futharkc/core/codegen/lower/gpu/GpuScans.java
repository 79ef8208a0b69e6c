package futharkc.core.codegen.lower.gpu;

import futharkc.core.codegen.lower.common.ArrayOps;
import futharkc.core.codegen.lower.common.ExecutionUnit;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.codegen.lower.common.Operators;
import futharkc.core.codegen.lower.common.Statements;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.imperative.Code;
import java.util.List;

/**
 * A lowering of scans on a GPU, in the passes that their {@link futharkc.core.ir.SegStrategy}
 * names. One pass has decoupled look-back: each thread block scans a window and obtains its prefix
 * from its predecessors.
 *
 * <p>In two passes, each thread block reduces a chunk, one thread block scans the results, and then
 * each thread block scans its chunk window by window. In a window, each thread has several
 * consecutive elements in shared memory. A segmented scan is one scan whose operator restarts at
 * segment boundaries.
 */
final class GpuScans {
  private final FunctionSymbols scope;
  private final Kernels kernels;
  private final ArrayOps arrays;
  private final Statements statements;
  private final LoopNest nest;
  private final Operators operators;
  private final SequentialSegments sequential;

  GpuScans(
      FunctionSymbols scope,
      Kernels kernels,
      ArrayOps arrays,
      Statements statements,
      LoopNest nest,
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
    GpuScan scan = new GpuScan(scope, kernels, arrays, statements, nest, operators, s, c);
    ScanKernels code = new ScanKernels(scan);
    if (scope.place() == ExecutionUnit.BLOCK) {
      code.inBlock(out);
    } else {
      code.onHost(out);
    }
  }
}
