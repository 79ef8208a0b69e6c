package futharkc.pass.staging;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Block staging: a thread block fetches the window of an array that its threads read in the steps
 * of a loop, before the loop. The threads then wait for device memory once, instead of in every
 * step before the barrier. A window is the range of offsets from indices that the thread block
 * computes before the loop, for instance a slice. In each dimension, it has as many elements as the
 * operation has threads or the loop has steps. Each element is thus read at least once.
 *
 * <p>Before:
 *
 * <pre>
 * segmap block [b &lt; k] do {
 *   let at = mul(b, n)
 *   loop (xs = ..) for m &lt; n do {
 *     segmap thread_in_block [t &lt; n] do { .. let i = sub(m, t)  let p = add(at, i)  let x = as[p, t] .. } }
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * segmap block [b &lt; k] do {
 *   let at = mul(b, n)
 *   let near = segmap thread_in_block [r &lt; n, c &lt; n] do {
 *     let p = add(at, r)  let x = as[p, c] in {x} }
 *   loop (xs = ..) for m &lt; n do {
 *     segmap thread_in_block [t &lt; n] do {
 *       .. let i = sub(m, t)  let p = add(at, i)
 *       let x = if ult(i, n) &amp;&amp; ult(t, n) then {let y = near[i, t] in {y}} else {let z = as[p, t] in {z}} .. } }
 * </pre>
 *
 * <p>The checks before the loop must prove that the window is within the array. A test at each read
 * checks that the read is within the window; it only fails if 32-bit integers overflow.
 *
 * <p>Known gaps: the pass skips windows that are not known to have at most 16 KiB, and arrays that
 * the thread block creates itself.
 */
public final class BlockStagingPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "block-staging",
            "copies elements that a thread block reads in a loop to shared memory, before the loop",
            Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .after("sink")
        .options(KernelStaging.WINDOW);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new KernelStaging(function, program, context).run();
  }
}
