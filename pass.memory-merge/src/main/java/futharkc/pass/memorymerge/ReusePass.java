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
 * Block reuse: stores an array in the block of a dead array, instead of a block of its own.
 *
 * <pre>{@code
 * let m0 = alloc(n)                            let m0 = alloc(n)
 * let xs @ m0 = ...                            let xs @ m0 = ...
 * let m1 = alloc(n)                        =>  let ys @ m0 = map (+ 1) xs
 * let ys @ m1 = map (+ 1) xs
 * }</pre>
 *
 * <p>The blocks must have the same size. The old block has no later use. It is dead when the new
 * array is computed, or each of its elements has its last read before it is overwritten. The same
 * body allocates the old block, or the function consumes the parameter that it belongs to.
 *
 * <p>On a CPU, a block is released after its last use and serves the next allocation of its size.
 * The pass therefore reuses a dead block only if no intermediate allocation with a shorter live
 * range could use it; else the program would need more memory.
 *
 * <p>In kernels, the pass then moves remaining allocations out of loops, one depth at a time from
 * the inside, and tries again after each step. Arrays of several loops then share one block ({@link
 * LoopAllocations}).
 *
 * <p>Known gaps: blocks of different sizes, except for arrays of threads; loops that alternate
 * between two blocks, which {@code double-buffer} creates.
 */
public final class ReusePass implements Pass.OnFunction {
  static final String IN_PLACE = "in-place";
  static final String ENLARGE = "enlarge";

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "reuse",
            "stores arrays in the blocks of dead arrays",
            Rep.SEQ_MEM,
            Rep.MC_MEM,
            Rep.GPU_MEM)
        .requires(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED)
        .after("coalesce")
        .before("double-buffer")
        .options(
            new Option(
                IN_PLACE,
                Option.Kind.BOOLEAN,
                "true",
                "overwrites arrays that the same statement reads for the last time"),
            new Option(
                ENLARGE,
                Option.Kind.BOOLEAN,
                "true",
                "enlarges dead blocks in parallel operations, so that other arrays fit"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    FunDef merged = new BlockReuse(function, program, context).run();
    if (!program.rep().hasDevice()) {
      return merged;
    }
    FunDef before = merged;
    while (true) {
      FunDef moved = LoopAllocations.moved(before);
      if (moved == before) {
        return merged;
      }
      before = new BlockReuse(moved, program, context).run();
      if (before != moved) {
        merged = before;
      }
    }
  }
}
