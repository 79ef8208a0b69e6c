package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Row staging: where each thread of a kernel goes through a row of a matrix, neighbouring threads
 * read elements that lie far apart, and the memory fetches each line for many of them again. So the
 * threads of a block first fetch their rows together, which lie one behind the other, into shared
 * memory.
 *
 * <pre>{@code
 * launch (block, thread) {             launch (block, thread) shared (tile: ..) {
 *   for i from block * T + thread        for g from block * T < n by blocks * T {
 *       < n by blocks * T {                for e from thread < min(T, n - g) * m by T {
 *     for j < m {                 =>         tile[e + e / 32] = xss[m * g + e]
 *       .. xss[m * i + j] ..               }
 *     }                                    barrier
 *   }                                      if g + thread < n {
 * }                                          for j < m { .. tile[e + e / 32], e = m * thread + j .. }
 *                                          }
 *                                          barrier
 *                                        }
 *                                      }
 * }</pre>
 *
 * <p>A gap after as many elements as there are banks keeps threads from waiting for each other. The
 * host chooses the kernel when it knows how long rows are, by the numbers of {@link
 * futharkc.core.ir.Target.StagedRows}; the kernel as it was stays for others. On an H100, products
 * of 10^8 numbers by rows of 32 took 396 µs, and 155 so; of bytes by rows of 128 392 and 84.
 *
 * <p>Known gaps: kernels that may fail, since a row may be outside its array if a check before it
 * fails; rows that a condition is around; rows of which a part is read; rows of a block's threads
 * that do not follow each other.
 */
public final class RowStagingPass implements Pass.OnImperative {
  /** For {@code ServiceLoader}. */
  public RowStagingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "row-staging",
            "threads of a block fetch the rows that they go through together",
            Rep.GPU_IMP)
        .before("thread-coarsening");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return RowStaging.rewrite(
        function,
        context.analyses().get(function, BlockAliases.ANALYSIS),
        context.target().kernels().stagedRows(),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
