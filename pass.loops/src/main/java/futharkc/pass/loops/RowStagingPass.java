package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;

/**
 * Row staging: if each thread of a kernel walks through a row of a matrix, adjacent threads read
 * elements that are far apart. Many threads then fetch the same cache line again. The pass lets the
 * threads of a thread block first copy their rows, which are consecutive, to shared memory
 * together.
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
 * <p>A gap after as many elements as shared memory has banks avoids bank conflicts. The host
 * chooses between this kernel and the original one when the length of rows is known, by the limits
 * of {@link StagedRows}.
 *
 * <p>Known gaps: kernels that may fail, since a row may be outside its array if an earlier check
 * fails; rows under a condition; rows that are read partially; rows of a thread block that are not
 * consecutive.
 */
public final class RowStagingPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public RowStagingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "row-staging",
            "lets the threads of a thread block copy their rows to shared memory together",
            Rep.GPU_IMP)
        .before("thread-coarsening")
        .options(StagedRows.LEAST, StagedRows.MOST);
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
        StagedRows.of(context),
        (message, loc) -> context.remark(Remark.Kind.APPLIED, function.name(), loc, message));
  }
}
