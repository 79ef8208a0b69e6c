/**
 * Movement of allocations out of threads and thread blocks.
 *
 * <p>Begin with {@link ExpandAllocationsPass}, then read {@link HostExpansion} and {@link
 * KernelExpansion}.
 *
 * <ul>
 *   <li>Traversal: {@link HostExpansion} visits host code and drops versions, {@link
 *       KernelExpansion} expands one kernel.
 *   <li>Preparation of a kernel: {@link LoopBuffers} (one block for a loop), {@link
 *       OuterArrayCopies} (names that refer to two kinds of blocks), {@link PrivateMemory}
 *       (constant sizes), {@link RowMajorCopies}.
 *   <li>Analyses: {@link BlockFlows} (names of a block), {@link HostSizes} (sizes as values of the
 *       host), {@link SizeMeasurement} (code that computes a maximal size).
 * </ul>
 *
 * <p>After the pass no thread allocates, except in private memory: lowering relies on this. The
 * layout of a thread's part is determined in {@link KernelExpansion} only.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.expandallocations;
