package futharkc.pass.staging;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Has a thread block fetch the window of an array that its threads read in the steps of a loop,
 * before the loop: all of it at once, so that its threads wait for device memory once, and not in
 * every step until the next barrier. The window is where the array is read at an offset from what
 * the block knows before the loop, a part of the array that the program took out, say; it has as
 * many elements in each dimension as the block has threads, or the loop steps, and so is read once
 * at least.
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
 * <p>The window has to be part of the array, by the checks that the block makes before the loop.
 * That reads are inside the window is tested where they are; it is known to be so but for 32-bit
 * integers that overflow.
 *
 * <p>Known gaps: windows of which the size is not known to be at most 16 KiB stay where they are,
 * and so do those of arrays that the block makes itself.
 */
public final class BlockStagingPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "block-staging",
            "fetches what the threads of a block read in a loop into shared memory before it",
            Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .after("sink");
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
