package futharkc.core.codegen.lower.multicore;

import futharkc.core.codegen.lower.common.BlockLifetimes;
import futharkc.core.codegen.lower.common.FunctionSymbols;
import futharkc.core.codegen.lower.common.LoopNest;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.SegSpace;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import java.util.List;
import java.util.function.Consumer;

/** A parallel region under construction: a range of indices that threads run in chunks. */
final class RegionBuilder {
  /** The number of chunks. */
  final Name chunks;

  /** The number of one chunk. */
  final Name chunk;

  /** The first index of the chunk. */
  final Name from;

  /** The index after the last one of the chunk. */
  final Name to;

  final Loc loc;
  private final FunctionSymbols scope;
  private final String kind;

  RegionBuilder(FunctionSymbols scope, String kind, Loc loc) {
    chunks = scope.names.fresh("chunks");
    chunk = scope.names.fresh("chunk");
    from = scope.names.fresh("from");
    to = scope.names.fresh("to");
    for (Name n : List.of(chunks, chunk, from, to)) {
      scope.add(n, Type.I64);
    }
    this.loc = loc;
    this.scope = scope;
    this.kind = kind;
  }

  /**
   * Computes the number of chunks.
   *
   * @param cost the cost of one index
   */
  void count(Poly total, Poly cost, int perThread, List<Code> out) {
    out.add(new Code.ChunkCount(chunks, new Expr.Index(total), cost, perThread));
  }

  /** Returns a fresh label. */
  String label() {
    return scope.label(kind);
  }

  /** Returns a kernel that runs code for each index of the region's chunk. */
  List<Code> kernel(
      BlockLifetimes blocks, LoopNest nest, List<SegSpace.Dim> dims, Consumer<List<Code>> body) {
    return blocks.kernel(k -> nest.range(dims, from, to, body, k));
  }

  /** Runs the body for each chunk in parallel. */
  void run(Poly total, List<Code> body, List<Code> out) {
    out.add(
        new Code.Parallel(
            label(), loc, new Expr.Index(total), Expr.i64(chunks), chunk, from, to, body));
  }

  /** Computes the number of chunks, and runs the body for each. */
  void emit(Poly total, Poly cost, int perThread, List<Code> body, List<Code> out) {
    count(total, scope.costs.outside(cost, body), perThread, out);
    run(total, body, out);
  }
}
