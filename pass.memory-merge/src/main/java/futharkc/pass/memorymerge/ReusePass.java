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
 * Makes an array in the block of one that dies there, instead of a block of its own.
 *
 * <pre>{@code
 * let m0 = alloc(n)                            let m0 = alloc(n)
 * let xs @ m0 = ...                            let xs @ m0 = ...
 * let m1 = alloc(n)                        =>  let ys @ m0 = map (+ 1) xs
 * let ys @ m1 = map (+ 1) xs
 * }</pre>
 *
 * <p>The block must be of the same size, used by nothing from then on, and either dead already when
 * the array is made or read there element by element, each for the last time before it is written.
 * It is one that the same body allocates, or that of a parameter which the function consumes.
 *
 * <p>On a CPU a block is released after its last use and the next allocation of its size takes it.
 * So a dead block is taken over only if nothing is allocated in between that is gone by then: else
 * it would have been free for that, and the program would need more memory, not less.
 *
 * <p>In kernels, what is left of blocks in loops is then allocated before these, loop by loop from
 * the inside out, and each time they get another chance: one block for arrays of several loops
 * ({@link LoopAllocations}).
 *
 * <p>Known gaps: blocks of different sizes, but for arrays of threads; loops that go back and forth
 * between two blocks, which {@code double-buffer} does.
 */
public final class ReusePass implements Pass.OnFunction {
  static final String IN_PLACE = "in-place";
  static final String ENLARGE = "enlarge";

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "reuse",
            "arrays are made in the blocks of dead ones",
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
                "arrays are made over what the same statement reads for the last time"),
            new Option(
                ENLARGE,
                Option.Kind.BOOLEAN,
                "true",
                "dead blocks of a parallel operation are allocated with more room for others"));
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    FunDef merged = new Reusing(function, program, context).run();
    if (!program.rep().hasDevice()) return merged;
    FunDef before = merged;
    while (true) {
      FunDef moved = LoopAllocations.moved(before);
      if (moved == before) return merged;
      before = new Reusing(moved, program, context).run();
      if (before != moved) merged = before;
    }
  }
}
