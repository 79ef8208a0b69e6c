/**
 * The run time of compiled programs on the host.
 *
 * <p>Begin with {@link futharkc.core.runtime.FutharkProgram} and {@link
 * futharkc.core.runtime.EntryPoint}, which generated code extends, and {@link
 * futharkc.core.runtime.Context}, which runs calls.
 *
 * <ul>
 *   <li>Values: {@link futharkc.core.runtime.Value} with its three kinds, their types in {@link
 *       futharkc.core.runtime.ValueType}, and {@link futharkc.core.runtime.Opaques} for records and
 *       sums.
 *   <li>Memory: {@link futharkc.core.runtime.Memory} allocates and recycles blocks; {@link
 *       futharkc.core.runtime.Ownership} counts the references of a program's user.
 *   <li>Parallelism: a {@link futharkc.core.runtime.Region} has tasks, a {@code Scheduler}
 *       distributes them among threads ({@code ChunkScheduler} by default), and {@link
 *       futharkc.core.runtime.Parallel} chooses the number of chunks.
 *   <li>Calls: {@link futharkc.core.runtime.CallQueue} admits one call at a time, and {@link
 *       futharkc.core.runtime.Cancelling} ends calls early.
 *   <li>Scalar operations: {@code I8} to {@code I64}, {@code F16} to {@code F64} and {@code
 *       Convert}, one static method for each operation of the IR that Java does not have.
 * </ul>
 *
 * <p>Generated code calls the public classes by name, and compiled executables contain a copy of
 * this module. A change of a public signature therefore needs a change of the code generators. The
 * other classes may change freely. The module depends on no other module of the compiler.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.runtime;
