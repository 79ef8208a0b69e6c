package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loop unrolling in threads: the pass unrolls loops over elements that all threads read alike, if
 * an iteration computes sines or similar functions. Kernel compilers unroll short loops by
 * themselves, but not these, so that a thread waits for memory and counts in each iteration.
 *
 * <pre>{@code
 * for i < n {                    for i from 0 < max(n, 0) - 3 by 4 {
 *   var x = xs[i]                  { var x = xs[i]; a = a + sin(x) }
 *   a = a + sin(x)        =>       { var x = xs[i + 1]; a = a + sin(x) } ..
 * }                                r = i + 4
 *                                }
 *                                for i from r < n { var x = xs[i]; a = a + sin(x) }
 * }</pre>
 *
 * <p>The order of computation and thus the results do not change. The loop does not assign its
 * bound, which is evaluated again for the remaining iterations.
 *
 * <p>Known gaps: loops with stores, inner loops or other loads stay; registers are not counted,
 * only statements and loads.
 */
public final class ThreadUnrollingPass implements Pass.OnImperative {
  /**
   * The maximum number of loads of the unrolled iterations, each of which takes a register or two.
   */
  private static final Option LOADS =
      Option.integer(
          "loads",
          24,
          "maximum number of loads of the unrolled iterations, each of which takes a register"
              + " or two");

  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public ThreadUnrollingPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "thread-unrolling",
            "unrolls loops in threads that apply functions such as sines to common elements",
            Rep.GPU_IMP)
        .after("thread-coarsening")
        .options(
            new Option("iterations", Option.Kind.INTEGER, "4", "number of iterations to unroll")
                .within(1, 64),
            new Option(
                    "statements",
                    Option.Kind.INTEGER,
                    "40",
                    "maximum number of statements of an iteration")
                .from(0),
            LOADS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    int width = (int) context.integer("iterations");
    return new Unrolling(function, width, context.integer("statements"), context.number(LOADS))
        .rewritten(context, "unrolled", "loops of threads");
  }

  private static final class Unrolling extends ThreadLoopRewriter {
    private final int width;
    private final long statements;
    private final int loads;

    Unrolling(ImperativeProgram.Function function, int width, long statements, int loads) {
      super(function);
      this.width = width;
      this.statements = statements;
      this.loads = loads;
    }

    @Override
    List<Code> rewrite(Code.For f) {
      if (!fits(f) || !readsAlike(f)) {
        return List.of(f);
      }
      Set<Name> declared = CodeCopies.declared(f.body());
      Name index = names.fresh(f.index());
      Name last = names.fresh("rest");
      List<Map<Name, Poly>> copies = new ArrayList<>();
      for (int k = 0; k < width; k++) {
        Map<Name, Poly> copy = new HashMap<>(CodeCopies.fresh(declared, names));
        copy.put(f.index(), Poly.of(index).plus(Poly.of(k)));
        copies.add(copy);
      }
      List<Code> body = new ArrayList<>();
      for (Map<Name, Poly> copy : copies) {
        body.add(new Code.Scope(CodeCopies.sideBySide(f.body(), List.of(copy))));
      }
      body.add(new Code.Assign(last, new Expr.Index(Poly.of(index).plus(Poly.of(width)))));
      // A negative bound becomes 0, because the subtraction of the step could wrap to a large
      // number.
      Expr most = Expr.binary(BinOp.Kind.SMAX, f.to(), Expr.i64(0));
      Expr end = Expr.binary(BinOp.Kind.SUB, most, Expr.i64(width - 1));
      return List.of(
          new Code.Declare(last, PrimType.I64, f.from()),
          new Code.Strided(index, f.from(), end, Expr.i64(width), Code.Distribution.NONE, 0, body),
          f.within(f.index(), Expr.i64(last), f.to(), f.body()));
    }

    private boolean fits(Code.For f) {
      return width > 1
          && isNonNegative(f.from().poly())
          && f.to().poly() != null
          && f.to().poly().constant() == null
          && CodeCopies.isPure(f.body())
          && !f.to().polynomial().mentions(Variables.assignedBy(f.body()))
          && hasLongFunctions(f.body())
          && count(f.body()) <= statements;
    }

    private static boolean isNonNegative(@Nullable Poly start) {
      Long number = start == null ? null : start.constant();
      return number != null && number >= 0;
    }

    /** Tests whether the loop has loads, and all threads load the same elements. */
    private boolean readsAlike(Code.For f) {
      int[] found = {0, 0};
      new CodeMapper() {
        @Override
        public Expr expr(Expr e) {
          if (e instanceof Expr.Load l) {
            found[isAlike(l, f.index()) ? 0 : 1]++;
          }
          return super.expr(e);
        }
      }.statements(f.body());
      return found[0] > 0 && found[0] * width <= loads && found[1] == 0;
    }

    private boolean isAlike(Expr.Load l, Name index) {
      return !own().contains(l.block()) && isCommon(l.index(), index);
    }

    /** Tests whether an element differs between iterations, but not between threads. */
    private boolean isCommon(Poly at, Name index) {
      Set<Name> others = new HashSet<>(at.names());
      return others.remove(index) && Collections.disjoint(others, own());
    }

    private static boolean hasLongFunctions(List<Code> code) {
      return CodeSearch.anyExpr(code, e -> e instanceof Expr.Apply a && isLong(a.fun().kind()));
    }

    private static boolean isLong(PrimFun.Kind kind) {
      return switch (kind) {
        case SIN, COS, TAN, EXP, LOG, LOG2, LOG10 -> true;
        default -> false;
      };
    }

    private static int count(List<Code> code) {
      int count = 0;
      for (Code c : code) {
        count +=
            switch (c) {
              case Code.If i -> 1 + count(i.then()) + count(i.otherwise());
              case Code.Scope s -> count(s.body());
              default -> 1;
            };
      }
      return count;
    }
  }
}
