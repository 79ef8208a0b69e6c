package futharkc.core.codegen.lower;

import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.imperative.Code;
import java.util.List;

/**
 * Lowers scans on a GPU. In one pass over the data, where blocks can wait for those before: each
 * scans a window, and learns what comes before it by looking back. Else in two: each block reduces
 * a chunk, one block scans what these give, and then each block scans its chunk, window by window.
 * In a window each thread has several neighbouring elements, in shared memory. Segments are scanned
 * as one, whose operator starts again at each boundary.
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
    if (scope.place() == ExecutionUnit.BLOCK) code.inBlock(out);
    else code.onHost(out);
  }
}
