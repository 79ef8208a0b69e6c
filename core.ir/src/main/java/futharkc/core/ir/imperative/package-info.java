/**
 * The imperative language: statements over scalars and memory blocks. Lowering translates memory
 * representations to this language, passes optimise it, and printers emit it as Java and kernel
 * source.
 *
 * <h2>Contents</h2>
 *
 * <ul>
 *   <li>Nodes: {@link ImperativeProgram}, {@link Code}, {@link Expr}, {@link ReductionOperator};
 *       {@link Legality} lists the legal nodes of each representation.
 *   <li>Traversals: {@link CodeMapper} with {@link CodeRenamer}, {@link InsertingMapper} and {@link
 *       CodeCopies}; {@link CodeSearch}, {@link Variables}, {@link Barriers}, {@link Failures}.
 *   <li>Analyses: {@link BlockAliases}, {@link Cost}, {@link ParallelTime}, {@link Updates}, {@link
 *       CodeSize}.
 *   <li>Transformations: {@link DeadCode}, {@link KernelVersions}.
 * </ul>
 *
 * <p>Begin with {@link Code}, then {@link CodeMapper}. A new statement needs a case in {@link
 * Legality}, in {@link CodeMapper}, in the text form, in the verifier, in the interpreter and in
 * the printers.
 *
 * <h2>Statements by representation</h2>
 *
 * <p>SEQ_IMP has the statements of all programs. MC_IMP adds {@link Code.Multicore}: parallel
 * regions, chained scans and locks. In GPU_IMP a function belongs to the host, or to kernels if it
 * is marked as called on one thread.
 *
 * <p>Programs for CPUs may have {@link Code.VectorLoop}s, whose bodies have {@link Code.Vector lane
 * statements}.
 *
 * <p>{@link Code.Host Host} code has
 *
 * <ul>
 *   <li>{@code Alloc}, {@code Free}, {@code IfUnused}, {@code DeclareBlock}, {@code SetBlock},
 *       {@code Pin} for blocks of device memory. Sizes count bytes, elements are i8, and the
 *       allocator rounds sizes up to a multiple of 8
 *   <li>{@code ConstantBlock} for typed elements on the host that are only sources of copies
 *   <li>{@code CopyRun} from device memory or constants to device memory. Kernels do all other
 *       copies
 *   <li>{@code Launch} with the kernel's body; {@code AskElement} and {@code AwaitElements}, a read
 *       in two steps, of which the second one waits for the device and reports its failures; {@code
 *       WriteElement}; {@code GetSize}, {@code GetSizeMax} and {@code CompareSize} for tuning
 *       parameters
 *   <li>{@code OnCopies} for code that accesses elements of copies of device blocks, with {@code
 *       Load}, {@code Store} and {@code CopyRun}, as code for CPUs
 *   <li>scalars, branches, loops, calls, assertions and traces. Outside {@code OnCopies}, it has no
 *       {@code Load}, {@code Store}, {@code FillRun}, {@code MapRun} or scratch blocks
 * </ul>
 *
 * <p>A {@link Code.Kernel kernel} has
 *
 * <ul>
 *   <li>{@code Load} and {@code Store} on device, shared and private memory and on its own {@code
 *       ConstantBlock}s; {@code Private} arrays; {@code DeclarePointer}, {@code SetBlock} and
 *       {@code IfUnused} for block variables, each in one {@link Code.Memory}
 *   <li>{@code SineAndCosine}; {@code Barrier} and {@code Fence}; {@code Atomic}, {@code
 *       CompareAndSet}, {@code VolatileLoad}, {@code VolatileStore}
 *   <li>{@code Assert} inside an {@code Attempt}, which a failing thread leaves; {@code
 *       LeaveIfFailed}. A kernel launched after a failure may have no effect
 *   <li>scalars, branches, loops and calls of functions on one thread. It has no allocations,
 *       copies of consecutive elements or traces
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.imperative;
