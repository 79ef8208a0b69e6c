package futharkc.pass.loops;

import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sine-cosine pairs: a sine and a cosine of the same number in a kernel become one operation,
 * because both share most of their work, the argument reduction.
 *
 * <pre>{@code
 * var c = cos_f32(x)
 * var s = sin_f32(x)      =>      sincos s, c: f32 = x
 * }</pre>
 *
 * <p>CUDA's combined function returns the same bits as the separate functions.
 *
 * <p>Known gaps: pairs of which one is in a branch or part of a larger expression.
 */
public final class SineCosinePairsPass implements Pass.OnImperative {
  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public SineCosinePairsPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "sine-cosine-pairs",
            "computes the sine and the cosine of a number together",
            Rep.GPU_IMP)
        .after("thread-coarsening", "thread-unrolling");
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return new SinesAndCosines(function).rewritten(context, "paired", "sines and cosines");
  }

  private static final class SinesAndCosines extends OperationPairs {
    private boolean inKernel;

    SinesAndCosines(ImperativeProgram.Function function) {
      super(function);
    }

    @Override
    public Code statement(Code code) {
      if (!(code instanceof Code.Launch)) {
        return super.statement(code);
      }
      inKernel = true;
      Code now = super.statement(code);
      inKernel = false;
      return now;
    }

    @Override
    public List<Code> statements(List<Code> code) {
      if (!inKernel) {
        return super.statements(code);
      }
      List<Code> same = super.statements(code);
      List<Code> now = new ArrayList<>(same);
      // The positions of unpaired sines or cosines, by operand.
      Map<Expr.Var, Integer> sines = new LinkedHashMap<>();
      Map<Expr.Var, Integer> cosines = new LinkedHashMap<>();
      for (int i = 0; i < now.size(); i++) {
        if (!(now.get(i) instanceof Code.Declare d)) {
          continue;
        }
        Expr.Var of = operand(d, PrimFun.Kind.SIN);
        if (of != null) {
          sines.putIfAbsent(of, i);
        }
        Expr.Var ofCosine = operand(d, PrimFun.Kind.COS);
        if (ofCosine != null) {
          cosines.putIfAbsent(ofCosine, i);
        }
      }
      Set<Integer> gone = new HashSet<>();
      sines.forEach(
          (of, s) -> {
            Integer c = cosines.get(of);
            if (c == null) {
              return;
            }
            Code.Declare sine = (Code.Declare) now.get(s);
            Code.Declare cosine = (Code.Declare) now.get(c);
            int first = Math.min(s, c);
            now.set(first, new Code.SineAndCosine(sine.name(), cosine.name(), of.type(), of));
            gone.add(Math.max(s, c));
            count();
          });
      if (gone.isEmpty()) {
        return same;
      }
      List<Code> kept = new ArrayList<>();
      for (int i = 0; i < now.size(); i++) {
        if (!gone.contains(i)) {
          kept.add(now.get(i));
        }
      }
      return kept;
    }

    /**
     * Returns the operand of a declaration by a function, if the operand is a variable that is
     * never reassigned; else null.
     */
    private Expr.@Nullable Var operand(Code.Declare d, PrimFun.Kind kind) {
      boolean fits =
          d.value() instanceof Expr.Apply a
              && a.fun().kind() == kind
              && a.fun().type() != PrimType.F16;
      if (!fits || !(d.value() instanceof Expr.Apply a)) {
        return null;
      }
      return a.args().get(0) instanceof Expr.Var v && isFixed(v) ? v : null;
    }
  }
}
