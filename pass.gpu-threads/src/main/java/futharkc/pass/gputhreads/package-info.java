/**
 * Passes that rewrite the bodies of kernels in imperative GPU code.
 *
 * <p>{@link futharkc.pass.gputhreads.BarrierEliminationPass} is the only pass so far. Its analysis
 * is {@link futharkc.pass.gputhreads.AccessesSinceBarrier}.
 */
@NullMarked
package futharkc.pass.gputhreads;

import org.jspecify.annotations.NullMarked;
