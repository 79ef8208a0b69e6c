package futharkc.pass.loops;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Loop versioning: a short loop in a thread that loads an index, checks it, and loads the element
 * at the index gets a version without the check. The version runs if no iteration would fail.
 *
 * <pre>{@code
 *                                 var ok = true
 * for i < 19 {                    for i < 19 { var j = is[i]; ok = ok && j < n }
 *   var j = is[i]                 if ok {
 *   assert(j < n)           =>      for i < 19 { var j = is[i]; ys[i] = xs[j] }
 *   ys[i] = xs[j]                 } else {
 * }                                 for i < 19 { var j = is[i]; assert(j < n); ys[i] = xs[j] }
 *                                 }
 * }</pre>
 *
 * <p>A thread can leave the original loop at each check, so that it waits for each index before it
 * loads the next one. With one check before the loop, the thread loads all indices at once, and
 * then all elements. If an early iteration fails, the loads of later iterations were unnecessary
 * but safe: the code before the check uses nothing that an iteration changes, and relies on no
 * check in the loop.
 *
 * <p>Known gaps: of several checks, only the first is removed; loaded values must not depend on
 * anything that iterations change.
 */
public final class LoopVersioningPass implements Pass.OnImperative {
  /** The maximum number of statements of all iterations of a loop. */
  private static final Option STATEMENTS =
      Option.integer("statements", 400, "maximum number of statements of all iterations of a loop");

  /** Creates the pass; {@code ServiceLoader} needs this constructor. */
  public LoopVersioningPass() {}

  @Override
  public PassInfo info() {
    return PassInfo.named(
            "loop-versioning",
            "checks the loaded indices of short loops in threads once, before the loop",
            Rep.GPU_IMP)
        .after("thread-coarsening")
        .before("thread-distribution")
        .options(ShortLoops.TRIPS, ShortLoops.LOADS, STATEMENTS);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public ImperativeProgram.Function run(
      ImperativeProgram.Function function, ImperativeProgram program, PassContext context) {
    return new Versions(function, context)
        .rewritten(context, "versioned", "short loops of threads");
  }

  private static final class Versions extends ShortLoops {
    Versions(ImperativeProgram.Function function, PassContext context) {
      super(function, context, STATEMENTS);
    }

    @Override
    List<Code> rewriteShort(Code.For f) {
      List<Code> first = declarations(f.body());
      List<Code> rest = f.body().subList(first.size(), f.body().size());
      if (rest.isEmpty() || !(rest.get(0) instanceof Code.Assert check)) {
        return List.of(f);
      }
      List<Code> then = rest.subList(1, rest.size());
      boolean fits =
          canWait(f, first)
              && Collections.disjoint(Variables.assignedBy(f.body()), usedBy(first, check.cond()))
              // Stores to thread-private arrays cannot change the indices, which are in device
              // memory.
              && CodeCopies.isPureBut(then, s -> isOfThread(s.block()));
      return fits ? versions(f, first, check, then, names) : List.of(f);
    }
  }

  private static Set<Name> usedBy(List<Code> code, Expr cond) {
    List<Code> all = new ArrayList<>(code);
    all.add(new Code.Assert(cond, List.of(), List.of()));
    return Variables.readBy(all);
  }

  private static List<Code> versions(
      Code.For f, List<Code> first, Code.Assert check, List<Code> rest, NameSource names) {
    Name ok = names.fresh("ok");
    Expr both = Expr.and(new Expr.Var(ok, PrimType.BOOL), check.cond());
    List<Code> checked = new ArrayList<>(first);
    checked.add(new Code.Assign(ok, both));
    List<Code> safe = new ArrayList<>(first);
    safe.addAll(rest);
    return List.of(
        new Code.Declare(ok, PrimType.BOOL, Expr.bool(true)),
        new CodeRenamer(names).statement(f.withBody(checked)),
        new Code.If(
            new Expr.Var(ok, PrimType.BOOL),
            List.of(new CodeRenamer(names).statement(f.withBody(safe))),
            List.of(f)));
  }
}
