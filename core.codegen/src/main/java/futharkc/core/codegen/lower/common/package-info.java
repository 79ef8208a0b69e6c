/**
 * The lowering from the memory representations to the imperative language, as far as all targets
 * share it.
 *
 * <p>Begin reading at {@code ProgramLowering} (a program), {@code Statements} (statements of a
 * function) and {@code FunctionSymbols} (the state of a function's lowering).
 *
 * <ul>
 *   <li><b>Scalars and arrays</b>: {@code BasicOps}, {@code ArrayOps}, {@code Copies}.
 *   <li><b>Control</b>: {@code ControlFlow} (calls, branches, loops), {@code SwitchLowering}.
 *   <li><b>Memory</b>: {@code BlockLifetimes} (allocation and release).
 *   <li><b>Parallel operations</b>: {@code LoopNest} and {@code Operators} (loops and
 *       accumulators), {@code Accumulators} (updates).
 *   <li><b>Targets</b>: {@code TargetLowering} gives {@code ParallelOperations}, {@code
 *       AccumulatorUpdates}, {@code CopyLoops} and {@code OperatorCalls}; {@code EnclosingKernel}
 *       and {@code ExecutionUnit} describe the code's surroundings; {@code CannotExpandException}
 *       refuses a version.
 * </ul>
 *
 * <p>Lowering translates and reads facts from the program; optimisations belong in passes over a
 * representation, and choices of versions in annotations such as {@link
 * futharkc.core.ir.HistStrategy} and {@link futharkc.core.ir.SegStrategy}, with their thresholds.
 * The package uses neither {@code lower.multicore} nor {@code lower.gpu}; what differs between
 * targets belongs behind {@code TargetLowering}.
 */
@org.jspecify.annotations.NullMarked
package futharkc.core.codegen.lower.common;
