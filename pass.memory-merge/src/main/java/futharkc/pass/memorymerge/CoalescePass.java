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
 * Makes an array where it is going to be copied to, so that nothing is left to copy and no block to
 * allocate. (Coalescing: Serup, "Memory block merging in Futhark", 2017; short-circuiting:
 * Munksgaard et al., "Memory optimizations in an array language", SC 2022.)
 *
 * <pre>{@code
 * let m0 = alloc(n)                           let m1 = alloc(n + k)
 * let xs @ m0 -> {n: 1} = ...                 let xs @ m1 -> {n: 1} = ...
 * let m1 = alloc(n + k)                   =>  let zs @ m1 -> {n + k: 1} = concat(xs, ys)
 * let zs @ m1 -> {n + k: 1} = concat(xs, ys)
 * }</pre>
 *
 * <p>The places that an array is copied to are concatenations, updates, copies, literals of rows
 * and results of parallel maps. Its block goes if all arrays in it can be said relative to the
 * destination; if it dies with the copy; if between the two nothing touches the destination, as far
 * as it overlaps; and if destination and index function are known before, after allocations, checks
 * and scalars that these need have been moved up. Blocks that branches choose and loops carry move
 * as one.
 *
 * <p>The last copy goes first. Of a copy into an array that is copied itself, both can go only if
 * the destination is known before the first; if it is not, the later one takes with it all that the
 * earlier ones copy, and the rest of the array: no other choice leaves fewer bytes to copy.
 *
 * <p>Known gaps: blocks that hold more than the array; arrays that a call returns or a function is
 * given.
 */
public final class CoalescePass implements Pass.OnFunction {
  static final String ADVANCE = "advance";
  static final String UPDATES = "updates";

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "coalesce",
            "arrays are made where they are going to be copied to",
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
                "what a destination needs is moved up to before the array"),
            new Option(
                UPDATES,
                Option.Kind.BOOLEAN,
                "true",
                "what replaces a part of an array is made in that part"));
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
