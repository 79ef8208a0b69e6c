/**
 * Allocation of memory for arrays.
 *
 * <p>Begin with {@link Allocation}, whose header has the rules and an example, then read {@link
 * Placement}.
 *
 * <ul>
 *   <li>Passes: {@link AllocateGpuPass}, {@link AllocateMulticorePass}, {@link
 *       AllocateSequentialPass}. They differ in {@link Spaces} only.
 *   <li>Translation of statements: {@link Allocation}, {@link ControlAllocation} (branches and
 *       loops), {@link SegAllocation} (parallel operations), {@link AccAllocation} (accumulations),
 *       {@link ThreadInlining} (calls by threads).
 *   <li>State: {@link Placement} (the memory of each array, copies, destinations), {@link
 *       AllocationLevel} (host, thread block or thread).
 *   <li>Analyses: {@link Destinations} (construction in place), {@link Layouts} and {@link Reads}
 *       (orders of dimensions), {@link Roots} (in-place updates), {@link ArrayUses}, {@link
 *       ArrayView}, {@link ArrayMemNames}.
 * </ul>
 *
 * <p>A new basic operation that returns a view needs a case in {@link ArrayView}; one that returns
 * a new array needs none. Memory is written on binders only: no other class may keep a table of it.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.allocate;
