/**
 * The passes {@code coalesce} and {@code reuse}, which reduce the number of memory blocks and
 * copies.
 *
 * <p>Begin reading at {@link futharkc.pass.memorymerge.CoalescePass} and {@link
 * futharkc.pass.memorymerge.ReusePass}, then {@code Coalescing} and {@code BlockReuse}, which
 * process one function each.
 *
 * <ul>
 *   <li><b>Both passes</b>: {@code BodyTraversal} (nested bodies), {@link
 *       futharkc.core.ir.memory.FunctionMemory} (bindings and current memory of arrays), {@code
 *       InPlaceOverwriteAnalysis} (an array computed in the memory of an operand).
 *   <li><b>Coalescing, legality</b>: {@code Copy} (the copies of a statement), {@link
 *       futharkc.core.ir.memory.Web} (blocks that move together), {@code DestinationInterference}
 *       (the destination is free until the copy), {@code ShapeConditions} and {@code
 *       ConcatSizeGuards} (the destination is within bounds).
 *   <li><b>Coalescing, order of statements</b>: {@code StatementOrder}, {@code StatementHoister},
 *       {@code LiveRangeTable} and {@code PeakMemoryHeuristic} (profitability).
 *   <li><b>Coalescing, speed of the pass</b>: {@code AccessIndex}, {@code DenseParts} and {@code
 *       RelevantAccesses} avoid comparisons of all pairs of accesses.
 *   <li><b>Coalescing, result</b>: {@link futharkc.core.ir.memory.PlacementRewriter}.
 *   <li><b>Reuse</b>: {@code BlockUseTable} (live ranges), {@code FreeBlockPool} (candidates),
 *       {@code LoopCarriedBlocks}, {@code LoopAllocations}.
 * </ul>
 *
 * <p>Everything under legality, and {@code InPlaceOverwriteAnalysis}, decides correctness: a change
 * there needs tests with overlapping regions. The heuristics and indices may change freely.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.memorymerge;
