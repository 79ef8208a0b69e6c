/**
 * The execution of a plan: passes in parallel over functions, with verification, timing, remarks
 * and crash reports. Begin reading at {@link futharkc.core.driver.pipeline.Pipeline}.
 *
 * <ul>
 *   <li>{@code Pipeline} runs the steps of a plan; {@code RunContext} is the {@code PassContext}
 *       that it hands to passes; {@code InParallel} and {@code DeepStack} supply threads with large
 *       stacks.
 *   <li>{@code Verifications} queues the verifier's checks, {@code Timings} records times, {@code
 *       Changes} limits changes for bisection.
 *   <li>{@code PassObserver} and {@code PassRemark} are the interface to embedding programs.
 *   <li>{@code IrText} prints and parses programs with their properties; {@code CrashReport} writes
 *       them as reproducers.
 * </ul>
 *
 * <p>The comments that {@code IrText} writes are a file format: old reproducers must stay readable.
 */
@NullMarked
package futharkc.core.driver.pipeline;

import org.jspecify.annotations.NullMarked;
