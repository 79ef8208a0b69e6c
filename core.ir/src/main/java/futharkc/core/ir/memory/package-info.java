/**
 * Analyses of memory representations: aliases and live ranges of blocks, and accesses of
 * statements.
 *
 * <p>Begin with {@link Access} and {@link Accesses}, which serve proofs, and {@link
 * ElementAccesses}, which serves costs. {@link FunctionMemory} is the table of a function's arrays;
 * {@link Web} moves blocks together, and {@link PlacementRewriter} writes the result. {@link
 * BlockAliases}, {@link BlockUses} and {@link BlockLiveRanges} concern block variables; {@link
 * ScalarValues} and {@link Scopes} are their symbolic basis.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.memory;
