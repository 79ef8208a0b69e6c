/**
 * The imperative language that memory representations are lowered to: statements over scalars and
 * memory blocks. Printers turn it into Java and kernels.
 *
 * <p>SEQ_IMP has what every program has; MC_IMP also {@link
 * futharkc.core.ir.imperative.Code.Multicore}: parallel regions, chained scans and locks. In
 * GPU_IMP a function is the host's, or a kernel's where it says that it is called on one thread.
 * {@link futharkc.core.ir.imperative.Code.Host Host} code has
 *
 * <ul>
 *   <li>{@code Alloc} (of so many bytes, as elements of i8), {@code Free}, {@code IfUnused}, {@code
 *       DeclareBlock}, {@code SetBlock}, {@code Pin}: blocks of device memory, which is bytes, in
 *       fact as many as the next multiple of 8
 *   <li>{@code ConstantBlock}: elements on the host, typed, only to be copied from
 *   <li>{@code CopyRun}: from device memory or constants to device memory. Copies in any other
 *       layout are kernels
 *   <li>{@code Launch} with the kernel's body in it; {@code ReadElements}, a batched read that
 *       waits for the device and reports its failures; {@code WriteElement}; {@code GetSize},
 *       {@code GetSizeMax} and {@code CompareSize} for tuning parameters
 *   <li>scalars, branches, loops, calls, assertions, traces as everywhere. Neither {@code Load},
 *       {@code Store}, {@code FillRun} nor scratch blocks
 * </ul>
 *
 * <p>and a {@link futharkc.core.ir.imperative.Code.Kernel Kernel} has
 *
 * <ul>
 *   <li>{@code Load} and {@code Store} on device, shared and private memory and on its own {@code
 *       ConstantBlock}s; {@code Private} arrays; {@code DeclarePointer}, {@code SetBlock} and
 *       {@code IfUnused} for block variables, each of one {@link
 *       futharkc.core.ir.imperative.Code.Memory}
 *   <li>{@code SineAndCosine}; {@code Barrier} and {@code Fence}; {@code Atomic}, {@code
 *       CompareAndSet}, {@code VolatileLoad}, {@code VolatileStore}
 *   <li>{@code Assert}, only in an {@code Attempt}, which is what a failing thread leaves; {@code
 *       LeaveIfFailed}. A kernel that is launched after a failure may do nothing
 *   <li>scalars, branches, loops, calls of functions on one thread. Nothing that allocates, copies
 *       runs, traces
 * </ul>
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.ir.imperative;
