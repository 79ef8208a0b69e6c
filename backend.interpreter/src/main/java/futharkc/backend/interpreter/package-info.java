/**
 * The interpreter of all representations, the reference of all tests.
 *
 * <p>Begin with {@link futharkc.backend.interpreter.Interpreter}, the interface to the other
 * modules, and {@link futharkc.backend.interpreter.Options}, the choices of an evaluation. Both
 * halves of the package compile a function to Java closures at its first call, and then run the
 * closures.
 *
 * <ul>
 *   <li>Programs of arrays: {@code Machine} holds the functions, {@code FunctionCompiler} compiles
 *       statements, and one class for each group of expressions compiles those ({@code BasicCode},
 *       {@code ControlCode}, {@code SoacCode}, {@code SegCode}, {@code MemoryCode}). At run time,
 *       an {@code Operand} reads from a {@code CallFrame} and a {@code Destination} binds there; an
 *       {@code ArrayView} is an array in a {@code Store}.
 *   <li>Imperative programs: {@code ImperativeMachine} holds the functions. {@code StepCompiler}
 *       compiles statements, {@code ExprCompiler} expressions, {@code RegionCompiler} parallel
 *       regions and {@code KernelCompiler} kernels. {@code CheckedBlock} detects invalid accesses
 *       and races.
 *   <li>Derivatives: {@code DerivativeCode}, with {@code Num}, {@code OperationTape} and {@code
 *       Partials}.
 *   <li>Checks of programs of arrays: {@code RaceCheckedStore} (races), {@code TaggedStore}
 *       (overwritten arrays), {@code PoisonValues} (results that depend on failures), {@code
 *       BlockUsage} (live ranges of blocks).
 * </ul>
 *
 * <p>The interpreter must not share code with passes or code generators: an error in shared code
 * would not be found. It is simple rather than fast. The public classes are used by tests and by
 * the test runner; all others may change freely.
 */
@org.jspecify.annotations.NullMarked
package futharkc.backend.interpreter;
