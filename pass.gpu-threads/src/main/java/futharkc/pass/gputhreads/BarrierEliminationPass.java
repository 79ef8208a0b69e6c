package futharkc.pass.gputhreads;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Remark;
import java.util.List;

/**
 * Redundant-barrier elimination: removes a barrier from a kernel if no thread accesses memory
 * between the previous barrier and this one, on any path.
 *
 * <p>Lowering puts one barrier before and one after each operation that the threads of a thread
 * block perform together. Between two such operations there are two barriers in a row.
 *
 * <pre>{@code
 * tile[t] = xs[i]            tile[t] = xs[i]
 * barrier                    barrier
 * var n: i64 = 2 * m    =>   var n: i64 = 2 * m
 * barrier                    x = tile[n]
 * x = tile[n]
 * }</pre>
 *
 * <p>The analysis is a forward data-flow problem over a lattice of two values. Each statement is
 * visited a constant number of times, so nests of loops cost linear time.
 *
 * <p>Known gaps: the pass does not tell accesses to private memory from accesses to shared memory.
 * A barrier after a branch stays, since PoCL requires one there.
 */
public final class BarrierEliminationPass implements Pass.OnImperative {
  /** Creates the pass for {@code ServiceLoader}. */
  public BarrierEliminationPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "barrier-elimination",
            "removes barriers of thread blocks that separate no memory accesses",
            Rep.GPU_IMP)
        .before("gpu-imp-early");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    List<Code> body =
        new CodeMapper() {
          @Override
          public Code statement(Code c) {
            if (!(c instanceof Code.Launch launch)) {
              return super.statement(c);
            }
            BarrierElimination elimination = new BarrierElimination(new AccessesSinceBarrier());
            Code.Launch now = launch.withBody(elimination.kernel(launch.body()));
            if (now != launch) {
              String what =
                  "removed "
                      + elimination.removed()
                      + (elimination.removed() == 1 ? " barrier" : " barriers")
                      + " from kernel "
                      + launch.label()
                      + ": no memory access separates it from the previous barrier";
              context.remark(Remark.Kind.APPLIED, function.name(), launch.loc(), what);
            }
            return now;
          }
        }.statements(function.body());
    return body == function.body() ? function : function.withBody(body, function.nextTag());
  }
}
