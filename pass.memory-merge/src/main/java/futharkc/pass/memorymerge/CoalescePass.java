package futharkc.pass.memorymerge;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Block coalescing: computes an array directly in the memory to which it is copied later. The copy
 * becomes unnecessary, and so does the allocation of the array's own block. (Coalescing: Serup,
 * "Memory block merging in Futhark", 2017; short-circuiting: Munksgaard et al., "Memory
 * optimizations in an array language", SC 2022.)
 *
 * <pre>{@code
 * let m0 = alloc(n)                           let m1 = alloc(n + k)
 * let xs @ m0 -> {n: 1} = ...                 let xs @ m1 -> {n: 1} = ...
 * let m1 = alloc(n + k)                   =>  let zs @ m1 -> {n + k: 1} = concat(xs, ys)
 * let zs @ m1 -> {n + k: 1} = concat(xs, ys)
 * }</pre>
 *
 * <p>Copies are concatenations, updates, copy operations, array literals of rows, and results of
 * parallel maps. The block of the array is removed under these conditions: all arrays in the block
 * have an index function relative to the destination; none of them is used after the copy; no
 * access to an overlapping region of the destination occurs between the computation of the array
 * and the copy; and the destination's block and index function are available before the array is
 * computed. To make them available, the pass moves allocations, checks and scalars up. Blocks that
 * branches choose or loops carry move together.
 *
 * <p>The pass processes the last copy first. If an array is copied into an array that is copied
 * itself, both copies can go only if the final destination is available early enough. If it is not,
 * the pass removes the later copy, which copies all elements of the earlier ones and the rest of
 * the array; no other choice leaves fewer bytes to copy.
 *
 * <p>Known gaps: blocks that hold more than the array; arrays that a call returns or a function
 * receives.
 */
public final class CoalescePass implements Pass.OnFunction {
  static final String ADVANCE = "advance";
  static final String UPDATES = "updates";

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "coalesce",
            "computes arrays in the memory to which they are copied",
            Rep.SEQ_MEM,
            Rep.MC_MEM,
            Rep.GPU_MEM)
        .requires(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED)
        .before("double-buffer")
        .options(
            new Option(
                ADVANCE,
                Option.Kind.BOOLEAN,
                "true",
                "moves the definition of a destination before the array"),
            new Option(
                UPDATES,
                Option.Kind.BOOLEAN,
                "true",
                "coalesces arrays that replace a slice of another array"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new Coalescing(function, program, context).run();
  }
}
