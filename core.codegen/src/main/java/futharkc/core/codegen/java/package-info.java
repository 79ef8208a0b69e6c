/**
 * Printers of the imperative language as Java source.
 *
 * <p>Begin reading at {@link futharkc.core.codegen.java.JavaEmitter}, which writes the compilation
 * unit.
 *
 * <ul>
 *   <li>Program class: {@code EntryWriter}, {@code ConstantArrays}, {@code TuningParameters}.
 *   <li>Statements: {@code CodeWriter}; {@code HostWriter} and {@code DeviceCode} for programs with
 *       kernels; {@code MethodSplitting} for methods above the JVM's limits; {@code MemoryTraffic}
 *       for time reports.
 *   <li>Expressions and types: {@code JavaExprs}, {@code Reciprocal}, {@code JavaTypes}.
 * </ul>
 *
 * <p>A printer decides nothing: an optimisation belongs in a pass over the imperative language. A
 * new node of that language needs a case in {@code CodeWriter} or {@code HostWriter}, and in {@code
 * JavaExprs} if it is an expression.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.java;
