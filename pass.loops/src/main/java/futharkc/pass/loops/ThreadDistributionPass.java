package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Loop distribution of short loops in threads: a thread performs the loads of all iterations before
 * the first store. Kernel compilers do not do this, because they do not know that later loads are
 * independent of the stores.
 *
 * <pre>{@code
 * for i < 3 independent {        var x = xs[0]
 *   var x = xs[n * i]            var y = xs[n]
 *   ys[n * i] = f(x)       =>    var z = xs[2 * n]
 * }                              ys[0] = f(x); ys[n] = f(y); ys[2 * n] = f(z)
 * }</pre>
 *
 * <p>Known gaps: loops with branches or inner loops stay.
 */
public final class ThreadDistributionPass implements Pass.OnImperative {
  /** The maximum number of statements of all iterations of a loop. */
  private static final Option STATEMENTS =
      Option.integer("statements", 256, "maximum number of statements of all iterations of a loop");

  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public ThreadDistributionPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "thread-distribution",
            "moves the loads of short loops in threads before their stores",
            Rep.GPU_IMP)
        .after("thread-coarsening")
        .options(ShortLoops.TRIPS, ShortLoops.LOADS, STATEMENTS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return new Distribution(function, context)
        .rewritten(context, "distributed", "short loops of threads");
  }

  private static final class Distribution extends ShortLoops {
    Distribution(ImperativeProgram.Function function, PassContext context) {
      super(function, context, STATEMENTS);
    }

    @Override
    List<Code> rewriteShort(Code.For f) {
      if (!(f.order() instanceof Code.Order.Independent)) {
        return List.of(f);
      }
      List<Code> first = declarations(f.body());
      List<Code> rest = f.body().subList(first.size(), f.body().size());
      boolean fits =
          !rest.isEmpty()
              && canWait(f, first)
              && rest.stream().allMatch(c -> c instanceof Code.Store s && !isOfThread(s.block()));
      return fits ? distributed(f, trips(f), first, rest, names) : List.of(f);
    }
  }

  private static List<Code> distributed(
      Code.For f, int trips, List<Code> first, List<Code> rest, NameSource names) {
    Poly from = f.from().polynomial();
    List<Map<Name, Poly>> copies = new ArrayList<>();
    for (int k = 0; k < trips; k++) {
      Map<Name, Poly> copy = new HashMap<>(CodeCopies.fresh(CodeCopies.declared(first), names));
      copy.put(f.index(), from.plus(Poly.of(k)));
      copies.add(copy);
    }
    List<Code> all = new ArrayList<>();
    for (Map<Name, Poly> copy : copies) {
      all.addAll(CodeCopies.sideBySide(first, List.of(copy)));
    }
    for (Map<Name, Poly> copy : copies) {
      all.addAll(CodeCopies.sideBySide(rest, List.of(copy)));
    }
    return List.of(new Code.Scope(all));
  }
}
