package futharkc.pass.loops;

import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;

/**
 * Vectorisation of outer loops: iterations of an independent loop with inner loops run side by side
 * in the lanes of vectors. Each lane performs the operations of its iteration in their order, so
 * results have the same bits as those of scalar code.
 *
 * <pre>{@code
 * for i < n {                      vector 8 i < n {
 *   var x = start(i)                 lanes var x = start(i)
 *   var more = far(x)                lanes var more = far(x)
 *   while more {                     lanes var mask = more
 *     x = nearer(x)                  any a = mask
 *     more = far(x)        =>        while a {
 *   }                                  lanes x = nearer(x) where mask
 *   zs[i] = x                          lanes more = far(x) where mask
 * }                                    lanes mask = mask && more
 *                                      any a = mask }
 *                                    lanes zs[i] = x
 *                                  } rest done { for i from done < n {..} }
 * }</pre>
 *
 * <p>Variables that depend on the index, or are assigned where a condition depends on it, are lane
 * variables. Conditions that depend on the lane become masks; a while-loop runs until its mask is
 * false in all lanes.
 *
 * <p>Known gaps: loops without inner loops; accesses that are not consecutive in the index; values
 * of 8 and 16 bits; assertions; functions other than square roots and, of f32, sines and cosines.
 *
 * <p>References: John R. Allen, Ken Kennedy, Carrie Porterfield, Joe Warren, Conversion of Control
 * Dependence to Data Dependence (POPL 1983). Matt Pharr, William R. Mark, ispc: A SPMD Compiler for
 * High-Performance CPU Programming (InPar 2012).
 */
public final class VectorisePass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public VectorisePass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "vectorise",
            "runs iterations of outer loops in the lanes of vectors",
            Rep.MC_IMP,
            Rep.SEQ_IMP)
        .after("induction-variable-narrowing")
        .before("reassociate-reductions", "strip-mine")
        .options(Vectorisation.OPTIONS)
        .optional();
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return Loops.rewrite(function, context, Vectorisation::rewrite);
  }
}
