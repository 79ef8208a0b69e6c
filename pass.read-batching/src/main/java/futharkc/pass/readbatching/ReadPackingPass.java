package futharkc.pass.readbatching;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Puts small results of one kernel that the host reads into one block. A transfer takes
 * microseconds, however short it is, and takes the surroundings of an element along. The host then
 * reads the other results without a wait, until it launches the next kernel.
 *
 * <p>Before:
 *
 * <pre>
 * let a = alloc(8, device)  let b = alloc(4, device)
 * let {sum: [1]f64 @ a -> 0 + {1: 1}, count: [1]i32 @ b -> 0 + {1: 1}} = segred ...
 * let {s: f64, c: i32} = read(sum[0], count[0])
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let m = alloc(16, device)
 * let {sum: [1]f64 @ m -> 0 + {1: 1}, count: [1]i32 @ m -> 2 + {1: 1}} = segred ...
 * let {s: f64, c: i32} = read(sum[0], count[0])
 * </pre>
 *
 * <p>Known gaps: blocks that branches, loops or calls pass on; results of different kernels.
 */
public final class ReadPackingPass implements Pass.OnFunction {
  private static final Option BYTES =
      new Option("bytes", Option.Kind.INTEGER, "64", "the largest block that is packed with others")
          .within(1, 2048);

  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public ReadPackingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "read-packing", "packs small results that the host reads together", Rep.GPU_MEM)
        .before("galop", "coalesce", "reuse")
        .options(BYTES);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    return new PackedBlocks(function, context.integer(BYTES.name()), context).rewritten(function);
  }
}
