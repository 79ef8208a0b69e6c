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
 * Contracts a product and a sum into a multiply-add, which is one GPU instruction instead of two.
 * The instruction rounds once, so that results may differ from those of other targets in the last
 * bit. {@code --passes=-contraction} prevents this. C and CUDA compilers contract by default (C17
 * 7.12.2, FP_CONTRACT; the CUDA C++ Programming Guide, "Floating-Point Standard").
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
 * <p>A difference is the sum with a negated operand. The negation is free: GPU instructions can
 * negate their operands.
 *
 * <p>A product that is invariant in a loop stays outside. The other operand of a sum in the loop
 * may be the product to contract, and repeated computation has no benefit.
 *
 * <p>Known gaps: a product with two uses stays. An f16 is computed in f32 and rounded after each
 * operation, so that contraction has no benefit. Code of the host, and functions that kernels call,
 * are unchanged.
 */
public final class ContractionPass implements Pass.OnFunction {
  @Override
  public PassInfo info() {
    return PassInfo.named(
            "contraction",
            "contracts products and sums into multiply-adds with one rounding",
            Rep.GPU)
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
