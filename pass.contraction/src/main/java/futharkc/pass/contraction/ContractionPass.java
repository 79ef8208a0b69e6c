package futharkc.pass.contraction;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.UseCounts;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;

/**
 * Contracts a product and the sum it is for into a multiply-add, one instruction of a GPU where
 * they were two. Such an instruction rounds once: results may differ from those of other targets in
 * the last bit, which {@code --passes=-contraction} prevents. Compilers of C and CUDA contract
 * where nothing is said (C17 7.12.2, FP_CONTRACT; the CUDA C++ Programming Guide, "Floating-Point
 * Standard").
 *
 * <p>Before, in a kernel:
 *
 * <pre>
 * let p = fmul_f32(x, y)
 * let s = fadd_f32(acc, p)
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let s = mad_f32(x, y, acc)
 * </pre>
 *
 * <p>A difference is the sum with what is subtracted negated, which costs nothing: a GPU's
 * instructions negate their operands.
 *
 * <p>A product that does not vary in a loop stays outside of it: the other factor of a sum in the
 * loop may be the one to contract, and to compute it each time gains nothing.
 *
 * <p>Known gaps: a product that is used twice stays; a f16 is computed in f32 and rounded after
 * each operation, so that there is nothing to gain; code of the host, and functions that kernels
 * call, stay as they are.
 */
public final class ContractionPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named("contraction", "rounds a product and a sum once", Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .after("thread-loops");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    NameSource names = new NameSource(function.nextTag());
    Body body = new Contraction(names, UseCounts.of(function.body())).body(function.body());
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
